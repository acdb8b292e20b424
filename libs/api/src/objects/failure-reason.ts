import type { ErrorStatus } from "../schema/schema-fields.ts";

/** What has failed, where the protocol's reason is the condition that did not hold, or what has happened. */
const failures: Readonly<Record<string, string>> = {
  AllPredecessorsSucceeded: "PredecessorsNotSucceeded",
  CheckImportsHash: "ImportsChanged",
  CheckObservedGeneration: "SpecChanged",
  DeployItemsFailed: "DeployItemFailed",
  ImportNotSatisfied: "ImportMissing",
  ImportsSatisfied: "ImportMissing",
  InterruptOperation: "Interrupted",
  JobIDFinished: "SubObjectFailed",
};
/** Reasons of the protocol that name a step. */
const step =
  /^(Calculate|Cleanup|Collect|Construct|CreateOrUpdate|Ensure|Extract|Fetch|Get|Hash|Init|Reconcile|Render|Resolve|Setup|Verify)[A-Z]/;
/** How messages of the core begin whose cause is a deploy item. */
const itemPath = /^(subinstallation "[^"]*": )*Execution (is failed|could not be deleted): deploy item "/;

/** Returns the reason of conditions and Kubernetes events: a word that says what has failed. `lastError` keeps the reason of the protocol. */
export function failureReason({ reason, message }: Pick<ErrorStatus, "reason" | "message">): string {
  if (itemPath.test(message)) return "DeployItemFailed";
  const word = failures[reason] ?? toWord(reason);
  return step.test(word) && !word.endsWith("Failed") ? `${word}Failed` : word;
}

/** Reasons of conditions and events are words; the reasons of the protocol may have other characters (core.md §2.9). */
function toWord(reason: string): string {
  const words = reason.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("") || "Failed";
}
