import type { Verdict } from "../mistake.ts";

const withoutRemedy: Verdict = { score: 1, lacks: ["remedy"] };

/** Verdicts of the mistakes whose explanation is not yet complete, by title. All other mistakes score 2. */
export const incomplete: Readonly<Record<string, Verdict>> = {
  "a chart template calls an unknown function": withoutRemedy,
  "a chart template includes one that does not exist": withoutRemedy,
  "an export of an item reads a field that its object does not have": withoutRemedy,
};
