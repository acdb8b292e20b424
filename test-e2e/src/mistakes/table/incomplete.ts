import type { Verdict } from "../mistake.ts";

/** Verdicts of the mistakes whose explanation is not yet complete, by title. All other mistakes score 2. */
export const incomplete: Readonly<Record<string, Verdict>> = {};
