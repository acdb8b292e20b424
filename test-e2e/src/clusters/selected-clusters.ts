import { join, relative } from "node:path";
import { casesOfTurn, takesTurn } from "../runs/turns.ts";
import { isNamedAlone } from "../runs/select-suites.ts";

export type ClusterName = "embedded" | "real";

const suitesFolder = join(import.meta.dirname, "../../suites");
const all: readonly ClusterName[] = ["embedded", "real"];
const isClusterName = (text: string): text is ClusterName => all.some((name) => name === text);

/** The clusters of E2E_CLUSTERS ("embedded,real" when it is not set), in that order. */
export function parseClusterNames(text: string | undefined): ClusterName[] {
  const names = (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = names.find((name) => !isClusterName(name));
  if (unknown !== undefined) {
    throw new Error(`E2E_CLUSTERS: "${unknown}" is no cluster; expected a comma-separated list of ${all.join(", ")}`);
  }
  return names.length === 0 ? [...all] : names.filter(isClusterName);
}

/**
 * What every suite runs its scenarios on: `describe.each(clustersUnderTest())("on %s", ...)`. In `npm test` most suites have the real cluster in
 * turns (`takesTurn`). src/main.ts has taken a real cluster that this machine does not have off the list before jest starts.
 */
export function clustersUnderTest(): ClusterName[] {
  const clusters = parseClusterNames(process.env["E2E_CLUSTERS"]);
  if (clusters.length === 1) return clusters;
  const suite = relative(suitesFolder, process.env["TEST_FILE"] ?? "").replace(/\.test\.ts$/, "");
  return clusters.filter((name) => name === "embedded" || takesTurn(suite, process.env["E2E_TURN"]));
}

/**
 * Returns the clusters for suites that run users' commands, such as helm and kubectl. `npm test` uses only the real server, if it exists. `npm run e2e:full`,
 * and a run that names only this suite, use both. Other suites and unit tests cover the embedded server.
 */
export function clustersForClients(suite: string): ClusterName[] {
  const clusters = parseClusterNames(process.env["E2E_CLUSTERS"]);
  return clusters.includes("real") && !isWholeRun(suite) ? ["real"] : clusters;
}

/**
 * Whether this suite runs whole: in `npm run e2e:full`, and when it alone was asked for, as with `npm run e2e -- ha`. Suites of a folder ask for the
 * folder: `isWholeRun("hostile")`.
 */
export function isWholeRun(suite: string): boolean {
  return isFullRun() || isNamedAlone(process.env["E2E_NAMED"], suite);
}

/** The cases of a suite that run: all of them when it runs whole and without E2E_TURN, a third in `npm test`. */
export function casesOfRun<T>(suite: string, cases: readonly T[]): readonly T[] {
  return casesOfTurn(cases, isWholeRun(suite) ? undefined : process.env["E2E_TURN"]);
}

/** True in `npm run e2e:full`: bounds as the specification gives them, nothing sampled. */
export function isFullRun(): boolean {
  return process.env["E2E_FULL"] === "1";
}
