/**
 * A ring in a graph of names, as `["a", "b", "a"]`, or undefined. Names are visited in the given order, so that the
 * answer is the same each time.
 */
export function findRing(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const done = new Set<string>();
  for (const start of graph.keys()) {
    const ring = search(start, graph, done);
    if (ring !== undefined) return ring;
  }
  return undefined;
}

/** Depth first, without recursion: chains may be long. */
function search(
  start: string,
  graph: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): readonly string[] | undefined {
  const path: string[] = [];
  const onPath = new Set<string>();
  const stack: { name: string; next: number }[] = [{ name: start, next: 0 }];
  while (stack.length > 0) {
    const top = stack.at(-1);
    if (top === undefined) break;
    if (top.next === 0) {
      if (done.has(top.name)) {
        stack.pop();
        continue;
      }
      path.push(top.name);
      onPath.add(top.name);
    }
    const follower = graph.get(top.name)?.[top.next++];
    if (follower === undefined) {
      done.add(top.name);
      onPath.delete(top.name);
      path.pop();
      stack.pop();
    } else if (onPath.has(follower)) return [...path.slice(path.indexOf(follower)), follower];
    else stack.push({ name: follower, next: 0 });
  }
  return undefined;
}

/** A ring for messages: `a => b => a`. */
export function ringText(ring: readonly string[]): string {
  return ring.join(" => ");
}
