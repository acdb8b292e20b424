import { kindOf } from "./object-reference.ts";

/** What the argument of a command looks like. */
export const referenceSyntax = "<kind/name>";
export const referenceDescription =
  "inst/NAME, exec/NAME or di/NAME, also with the kind in full; a NAME alone is an Installation";

/** Remedy for a kind and a name that are two words, as kubectl accepts them; undefined for other words. */
export function suggestReference([kind = "", name = "", ...rest]: readonly string[]): string | undefined {
  return rest.length > 0 || kindOf(kind) === undefined ? undefined : `write ${kind}/${name}`;
}
