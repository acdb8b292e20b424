import { closestMatch } from "leven";

/** Longer names are not misspelt ones. */
const maxNameLength = 64;
/** Letters that may be wrong, missing or too many. */
const maxDistance = 3;

/** Returns the name that a misspelt one is most like, regardless of case; undefined if none is like it. */
export function findNearestName(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > maxNameLength) return undefined;
  const folded = new Map(names.map((name) => [name.toLowerCase(), name]));
  // Of a short name, everything is three letters away.
  const distance = Math.min(maxDistance, Math.floor(misspelt.length / 2));
  const match = closestMatch(misspelt.toLowerCase(), [...folded.keys()], { maxDistance: distance });
  return match === undefined ? undefined : folded.get(match);
}
