import type { Exchange } from "../exchange.ts";
import { apply, as, patch } from "../exchange.ts";

/** Numbers of a fixed seed (mulberry32): the same exchanges in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Random = (below: number) => number;

function pick<T>(random: Random, ...values: readonly [T, ...T[]]): T {
  return values[random(values.length)] ?? values[0];
}

function some(random: Random, letters: string): readonly string[] {
  return Array.from(letters).filter(() => random(2) === 0);
}

/** In any order. */
function shuffled(random: Random, letters: string): readonly string[] {
  return some(random, letters)
    .map((letter) => ({ letter, at: random(100) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ letter }) => letter);
}

const makers: Readonly<Record<string, (random: Random) => unknown>> = {
  size: (random) => random(3),
  flag: (random) => random(2) === 0,
  port: (random) => pick<unknown>(random, 80, "http"),
  plain: (random) => shuffled(random, "ab"),
  set: (random) => shuffled(random, "abcd"),
  keyed: (random) =>
    shuffled(random, "xyz").map((key) => ({
      key,
      ...(random(2) === 0 ? {} : { value: String(random(2)) }),
      ...(random(3) === 0 ? { zone: "z" } : {}),
    })),
  whole: (random) => Object.fromEntries(some(random, "ab").map((key) => [key, String(random(2))])),
  labels: (random) => Object.fromEntries(some(random, "abc").map((key) => [key, String(random(2))])),
  wholeMap: (random) => Object.fromEntries(some(random, "ab").map((key) => [key, String(random(2))])),
  open: (random) =>
    pick<unknown>(random, {}, { a: random(2) }, { a: { b: random(2) } }, { a: { c: [random(2)] }, d: "e" }, { d: {} }),
  known: (random) => pick<unknown>(random, {}, { a: "1" }, { a: "2", z: { y: random(2) } }, { z: random(2) }),
};

function spec(random: Random): Readonly<Record<string, unknown>> {
  const names = Object.keys(makers).filter(() => random(3) === 0);
  return Object.fromEntries(names.map((name) => [name, makers[name]?.(random)]));
}

/** Applies of three managers, with and without force, among updates of two others, all on one object. */
export function randomApplies(
  path: string,
  apiVersion: string,
  { seed, count }: { seed: number; count: number },
): readonly Exchange[] {
  const random = createRandom(seed);
  const metadata = { name: path.split("/").at(-1) };
  return Array.from({ length: count }, (_, i) => {
    if (i > 0 && random(4) === 0) {
      const change = Object.fromEntries(
        Object.entries(spec(random)).map(([name, value]) => [name, random(4) === 0 ? null : value]),
      );
      return as(pick(random, "updater/1", "changer/2"), patch(path, { spec: change }));
    }
    const by = `${pick(random, "one", "two", "three")}${random(2) === 0 ? "&force=true" : ""}`;
    return apply(path, by, { apiVersion, kind: "Widget", metadata, spec: spec(random) });
  });
}
