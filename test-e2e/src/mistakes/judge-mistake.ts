import type { Mistake, Outputs, Verdict } from "./mistake.ts";

const misleadingEverywhere = [
  /--use-system-ca/,
  /\bEACCES\b|\bENOENT\b/,
  /\bUND_ERR_\w+/,
  /\bundefined\b/,
  /\[object Object\]/,
];

/** Scores what a user reads after a mistake: 2 = place, cause and remedy; 0 = none of them; 1 = some of them, or all of them beside a misleading text. */
export function judgeMistake(
  { place, cause, remedy, misleading }: Pick<Mistake, "place" | "cause" | "remedy" | "misleading">,
  outputs: Outputs,
): Verdict {
  const texts = Object.values(outputs);
  const isIn = (pattern: RegExp): boolean => texts.some((text) => pattern.test(text));
  const missing = Object.entries({ place, cause, remedy }).flatMap(([part, pattern]) => (isIn(pattern) ? [] : [part]));
  // Services write annotations, too: none of theirs may look like a mistake.
  const unknownAnnotation = /the annotation \S+ is not known to Landscaper/;
  const alsoMisleading = cause.test("not known") ? [] : [unknownAnnotation];
  const isMisleading = [
    ...misleadingEverywhere,
    ...alsoMisleading,
    ...(misleading === undefined ? [] : [misleading]),
  ].some(isIn);
  const lacks = [...missing, ...(isMisleading ? ["misleading"] : [])];
  if (missing.length === 3) return { score: 0, lacks };
  return { score: lacks.length === 0 ? 2 : 1, lacks };
}
