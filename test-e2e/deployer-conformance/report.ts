import type { Result } from "./run.ts";

const indent = (text: string): string => text.replaceAll(/^/gm, "    ");

/** One scenario or rule in a line, and what went wrong below it. */
export function formatResult({ id, title, contract, outcome, detail = "", seconds }: Result): string {
  const head = `${outcome.padEnd(10)}  ${id.padEnd(3)}  ${title}`;
  if (outcome === "passed") return seconds === 0 ? head : `${head} (${seconds.toFixed(1)} s)`;
  if (outcome === "not judged") return `${head}: ${detail}`;
  return `${head}\n${indent(`${detail}\ncontract: ${contract}`)}`;
}

/** "40 passed, 1 failed (J5), 3 not judged (E1, E2, E3)" */
export function formatSummary(results: readonly Result[]): string {
  const part = (outcome: Result["outcome"]): string => {
    const ids = results.filter((result) => result.outcome === outcome).map(({ id }) => id);
    return `${ids.length} ${outcome}${outcome === "passed" || ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
  };
  return [part("passed"), part("failed"), part("not judged")].join(", ");
}
