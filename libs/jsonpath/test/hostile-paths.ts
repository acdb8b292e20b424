// Paths that multiply what they select, and the thread that path-limits.test.ts measures them in: in the test's own, globals are slow.
import { processorClock } from "@landscaper/budget";
import { isMainThread, parentPort } from "node:worker_threads";
import { compileJsonPath } from "../src/compile-json-path.ts";

export function chain(levels: number, leaf: unknown = 1): unknown {
  let value = leaf;
  for (let i = 0; i < levels; i++) value = { a: value, b: i };
  return value;
}

export const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, { v: i, w: [i] }]));

export const hostilePaths: readonly (readonly [name: string, expression: string, value: unknown])[] = [
  ["unions of unions", `{${"['a','a']".repeat(24)}}`, chain(200)],
  ["unions of everything below", `{..['a','a','a','a']${"['a','a']".repeat(10)}}`, chain(500)],
  ["recursive descents in a row", "{..a..a..a..a..a..a}", chain(300)],
  ["a recursive descent in a filter", "{.l[?(@..x==1)].a}", { l: Array.from({ length: 20_000 }, () => chain(20)) }],
  ["wildcards of texts", "{range .l[*]}{@.*}{@.*}{end}", { l: Array.from({ length: 100 }, () => "x".repeat(10_000)) }],
  ["everything below, for each of a range", "{range ..v}{..v}{end}", [wide, wide, wide]],
  ["slices of slices", `{${"[0:,0:]".repeat(9)}}`, Array.from({ length: 100 }, () => [[[[[[[[[1]]]]]]]]])],
];

/** Milliseconds that an evaluation may take. */
export const allowedMs = 20;
const maxAttempts = 20;

/** Milliseconds until an evaluation ends with an error; the best of some, because others use the processor's caches. */
function timeOf(expression: string, value: unknown): number {
  const path = compileJsonPath(expression, { allowMissingKeys: true });
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < maxAttempts && best > allowedMs; attempt++) {
    const start = processorClock();
    try {
      path.evaluateAll(value);
    } catch {
      best = Math.min(best, processorClock() - start);
    }
  }
  return best;
}

if (!isMainThread) {
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(hostilePaths.map(([name, expression, value]) => [name, timeOf(expression, value)]));
}
