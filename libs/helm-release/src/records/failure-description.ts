import { boundText } from "@landscaper/api";
import { maxDescriptionLength } from "./release-record.ts";
import type { RollOutKind } from "../roll-out.ts";

const failedWords = { install: "Release", upgrade: "Upgrade", rollback: "Rollback" } as const;

/** What the record of a failed operation says, in Helm's words. */
export function failureDescription(kind: RollOutKind, release: string, problem: string): string {
  return boundText(`${failedWords[kind]} "${release}" failed: ${problem}`, maxDescriptionLength);
}
