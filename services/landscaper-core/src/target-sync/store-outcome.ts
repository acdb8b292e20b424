import { boundText, keyOf, resources } from "@landscaper/api";
import { nowOf } from "../core.ts";
import { isSameJson } from "../is-same-json.ts";
import { describeErrors, listDoneAnnotations, reportSync } from "./report-sync.ts";
import type { SyncOutcome } from "./sync-targets.ts";
import type { SyncRun } from "./target-sync-context.ts";

/**
 * Status first, which nobody else writes; then the annotations that the try has taken care of, guarded, so that one that was set
 * again since stays.
 */
export async function storeOutcome(
  { context, targetSync, signal }: SyncRun,
  outcome: SyncOutcome,
): Promise<SyncOutcome> {
  const { client, recorder } = context;
  const type = resources.targetSync;
  const key = keyOf(targetSync);
  const status = reportSync(targetSync, outcome, nowOf(context));
  const stored = await client.patch(type, key, { type: "merge", subresource: "status", body: { status }, signal });
  const messages = describeErrors(outcome.errors);
  if (messages.length > 0 && !isSameJson(messages, targetSync.status?.lastErrors)) {
    recorder.event(stored, {
      type: "Warning",
      reason: "TargetSyncFailed",
      message: boundText(messages.join("; "), 1_000),
    });
  }
  const done = listDoneAnnotations(targetSync, outcome);
  if (done.length === 0) return outcome;
  const { resourceVersion } = stored.metadata;
  const body = { metadata: { resourceVersion, annotations: Object.fromEntries(done.map((name) => [name, null])) } };
  await client.patch(type, key, { type: "merge", body, signal });
  return outcome;
}
