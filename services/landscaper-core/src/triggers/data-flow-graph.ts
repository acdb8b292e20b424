import type { Installation } from "@landscaper/api";
import { uidOf } from "../object-reading.ts";

/** What an Installation depends on, also through others, by uid. */
export interface DataFlowGraph {
  /** Each after those that it takes from; within a ring in any order. */
  readonly ordered: readonly Installation[];
  /** Those that it takes from directly and that do not depend on it themselves. */
  upstreamOf(installation: Installation): readonly string[];
}

/** Imports and links between Installations that are looked at, at most: no user has so many, and looking takes the time of all others. */
const maxLinks = 50_000;

function costOf({ spec }: Installation, found: readonly Installation[]): number {
  return (spec.imports?.data ?? []).length + found.length;
}

/** The graph of everything that `next` leads to, each looked at once; undefined when there are more than `maxLinks` links. */
export function readDataFlow(
  start: Installation,
  next: (of: Installation) => readonly Installation[],
): DataFlowGraph | undefined {
  const links = new Map<string, readonly string[]>();
  const ordered: Installation[] = [];
  const path: { readonly at: Installation; readonly open: Installation[] }[] = [];
  let left = maxLinks;
  const enter = (at: Installation): void => {
    const found = next(at);
    left -= costOf(at, found);
    links.set(uidOf(at), found.map(uidOf));
    path.push({ at, open: [...found] });
  };
  enter(start);
  for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
    if (left < 0) return undefined;
    const other = step.open.pop();
    if (other === undefined) {
      ordered.push(step.at);
      path.pop();
    } else if (!links.has(uidOf(other))) enter(other);
  }
  const rings = numberRings(ordered.map(uidOf), links);
  return {
    ordered,
    upstreamOf: (one) => (links.get(uidOf(one)) ?? []).filter((uid) => rings.get(uid) !== rings.get(uidOf(one))),
  };
}

/** Everything that `next` leads to, each once, without the start, which a ring may lead back to; not all beyond `maxLinks`. */
export function followDataFlow(
  start: Installation,
  next: (of: Installation) => readonly Installation[],
): readonly Installation[] {
  const found = new Map([[uidOf(start), start]]);
  let left = maxLinks;
  // A Map yields what is added while it is walked through.
  for (const one of found.values()) {
    const others = next(one);
    left -= costOf(one, others);
    if (left < 0) break;
    for (const other of others) found.set(uidOf(other), other);
  }
  found.delete(uidOf(start));
  return [...found.values()];
}

/** Equal numbers for those that lead to each other (Kosaraju's algorithm); `ordered` is their depth-first postorder. */
function numberRings(
  ordered: readonly string[],
  links: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const reversed = new Map<string, string[]>(ordered.map((uid) => [uid, []]));
  for (const [uid, found] of links) for (const other of found) reversed.get(other)?.push(uid);
  const rings = new Map<string, number>();
  for (const [index, uid] of ordered.toReversed().entries()) {
    const open = [uid];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      if (rings.has(one)) continue;
      rings.set(one, index);
      open.push(...(reversed.get(one) ?? []));
    }
  }
  return rings;
}
