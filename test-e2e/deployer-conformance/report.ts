import type { Result } from "./run.ts";

const indent = (text: string): string => text.replaceAll(/^/gm, "    ");

/** One scenario or rule in a line, and what went wrong below it. */
export function formatResult({ id, title, contract, outcome, isStricter, detail = "", seconds }: Result): string {
  const head = `${outcome.padEnd(14)}  ${id.padEnd(3)}  ${title}${isStricter === true ? " [stricter]" : ""}`;
  if (outcome === "passed") return seconds === 0 ? head : `${head} (${seconds.toFixed(1)} s)`;
  if (outcome !== "failed") return `${head}: ${detail}`;
  return `${head}\n${indent(`${detail}\ncontract: ${contract}`)}`;
}

/** "40 passed, 1 failed (J5), 2 stricter than the original failed (J12, T2), 1 not applicable (G4), 3 not judged (E1, E2, E3)" */
export function formatSummary(results: readonly Result[]): string {
  const part = (what: string, found: readonly Result[]): string =>
    `${found.length} ${what}${found.length === 0 ? "" : ` (${found.map(({ id }) => id).join(", ")})`}`;
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const inapplicable = results.filter(({ outcome }) => outcome === "not applicable");
  const stricter = failed.filter(({ isStricter }) => isStricter === true);
  return [
    `${results.filter(({ outcome }) => outcome === "passed").length} passed`,
    part(
      "failed",
      failed.filter(({ isStricter }) => isStricter !== true),
    ),
    ...(stricter.length === 0 ? [] : [part("stricter than the original failed", stricter)]),
    ...(inapplicable.length === 0 ? [] : [part("not applicable", inapplicable)]),
    part(
      "not judged",
      results.filter(({ outcome }) => outcome === "not judged"),
    ),
  ].join(", ");
}

/** Whether the deployer keeps the contract; with `isOriginal` that of the original alone. */
export function isPassed(results: readonly Result[], isOriginal: boolean): boolean {
  return results.every(({ outcome, isStricter }) => outcome !== "failed" || (isOriginal && isStricter === true));
}
