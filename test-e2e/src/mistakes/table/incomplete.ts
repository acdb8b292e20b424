import type { Verdict } from "../mistake.ts";

const without = (part: "place" | "cause" | "remedy"): Verdict => ({ score: 1, lacks: [part] });

/** Verdicts of the mistakes whose explanation is not yet complete, by title. All other mistakes score 2. */
export const incomplete: Readonly<Record<string, Verdict>> = {
  "a number that is written as text in a ConfigMap": without("place"),
  "an export template without the key exports": without("remedy"),
  "a tab in blueprint.yaml": without("cause"),
  "a chart template calls an unknown function": without("remedy"),
  "a chart template includes one that does not exist": without("remedy"),
  "an export of an item reads a field that its object does not have": without("remedy"),
};
