import type { HookEvent } from "@landscaper/helm";
import type { HookContext, ReleaseWait } from "../release-context.ts";
import type { ReleaseRecord } from "../records/release-record.ts";
import { HookRun, type HookHistory } from "./run-hooks.ts";

/** Does what can be done now; undefined when it has ended. */
export type Step = (signal: AbortSignal) => Promise<ReleaseWait | undefined>;

/** Goes through the steps until one has to wait. Those that have ended are taken off, so that they are not begun again. */
export async function advanceSteps(steps: Step[], signal: AbortSignal): Promise<ReleaseWait | undefined> {
  for (let step = steps[0]; step !== undefined; step = steps[0]) {
    const waiting = await step(signal);
    if (waiting !== undefined) return waiting;
    steps.shift();
  }
  return undefined;
}

/** The record that an operation works on, and what is known of its hooks. */
export interface WorkingRecord {
  get(): ReleaseRecord;
  set(record: ReleaseRecord): void;
  hookHistory(): HookHistory;
}

/** The hooks of an event, whose runs are noted in the record. */
export function hookStep(context: HookContext, event: HookEvent, record: WorkingRecord): Step {
  let run: HookRun | undefined;
  return async (signal) => {
    run ??= new HookRun(context, event, { record: record.get(), ...record.hookHistory() });
    try {
      return await run.advance(signal);
    } finally {
      record.set(run.record);
    }
  };
}
