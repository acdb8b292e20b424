import { quote } from "@landscaper/golang";
import { helm3LogLine } from "./helm3-log.ts";
import type { HelmWords } from "./helm-words.ts";

/** Texts of Helm v3.22.0. */
export const helm3Words: HelmWords = {
  logLine: helm3LogLine,
  unknownHook: (events) => helm3LogLine(`info: skipping unknown hook: ${quote(events)}`),
  deprecatedChart: "WARNING: This chart is deprecated\n",
  missingDependencies: (problem) =>
    `An error occurred while checking for chart dependencies. You may need to run \`helm dependency build\` to fetch missing dependencies: ${problem}`,
  failedDependencies: (message) => ({ message }),
  invalidReleaseName: (message) => ({ message }),
  renderFailure: ({ message }) => message,
};
