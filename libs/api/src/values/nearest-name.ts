import { closestMatch } from "leven";

/** Longer names are not misspelt ones. */
const maxNameLength = 64;
/** Letters that may be wrong, missing or too many. */
const maxDistance = 3;

/**
 * Returns the name that a misspelt one is most like, regardless of case. A name of which at least half was written counts as well, and so does a
 * name that was continued. Returns undefined if none is like it.
 */
export function findNearestName(misspelt: string, names: readonly string[]): string | undefined {
  if (misspelt.length > maxNameLength) return undefined;
  // Names are user input, and the time of a comparison grows with their length.
  const maxLength = misspelt.length + Math.max(maxDistance, misspelt.length);
  const candidates = names.filter((name) => name.length <= maxLength);
  const folded = new Map(candidates.map((name) => [name.toLowerCase(), name]));
  // Of a short name, everything is three letters away.
  const distance = Math.min(maxDistance, Math.floor(misspelt.length / 2));
  const written = misspelt.toLowerCase();
  const known = [...folded.keys()];
  const match =
    closestMatch(written, known, { maxDistance: distance }) ??
    known.find((name) => isSwapped(written, name) || isHalf(written, name) || isHalf(name, written));
  return match === undefined ? undefined : folded.get(match);
}

/** Returns `: did you mean "NAME"?` with the name that a misspelt one is most like. Returns "" if none is like it, and for a name that is not misspelt. */
export function suggestName(misspelt: string, names: readonly string[]): string {
  const nearest = findNearestName(misspelt, names);
  return didYouMean(nearest === misspelt ? undefined : nearest);
}

/** Returns `: did you mean "NAME"?`, or "" without a name. */
export function didYouMean(name: string | undefined, separator: ":" | "," | ";" = ":"): string {
  return name === undefined ? "" : `${separator} did you mean ${JSON.stringify(name)}?`;
}

/** Whether the names differ only in two neighboring letters that are swapped. */
function isSwapped(written: string, name: string): boolean {
  let at = 0;
  while (at < written.length && written[at] === name[at]) at++;
  const swapped = `${written.slice(0, at)}${written.charAt(at + 1)}${written.charAt(at)}${written.slice(at + 2)}`;
  return at < written.length && swapped === name;
}

/** Whether `start` is the beginning of `name`, and at least half of it. */
function isHalf(start: string, name: string): boolean {
  return start !== "" && name.startsWith(start) && start.length * 2 >= name.length;
}
