/** What the argument of a command looks like. */
export const referenceSyntax = "<kind/name>";
export const referenceDescription =
  "inst/NAME, exec/NAME or di/NAME, also with the kind in full; a NAME alone is an Installation";
