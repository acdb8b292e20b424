import { join } from "node:path";
import type { ParityCase, Recorded } from "../parity/exchange.ts";
import { isRecorded, readRecorded, recordCase } from "../parity/recordings.ts";
import type { Server } from "@landscaper/testkit";
import { budgetCases } from "./budget-cases.ts";
import { deploymentCases } from "./deployment-cases.ts";
import { jobCases } from "./job-cases.ts";
import { setCases } from "./set-cases.ts";

const folder = join(import.meta.dirname, "../../testdata/workloads");

/** Lives of workloads that the real controllers have been recorded with. */
export const workloadCases: readonly ParityCase[] = [...deploymentCases, ...setCases, ...jobCases, ...budgetCases];

export function isRecordedWorkload(parityCase: ParityCase): boolean {
  return isRecorded(parityCase, folder);
}

/** What API server and controllers answered, with the pods of test-e2e/src/play-pods.ts. */
export function readWorkload(parityCase: ParityCase): readonly Recorded[] {
  return readRecorded(parityCase, folder);
}

/** Runs a case on a real control plane and writes what it answered. */
export async function recordWorkload(server: Server, parityCase: ParityCase): Promise<void> {
  await recordCase(server, parityCase, folder);
}
