import { isPending } from "./decide-release.ts";
import type { ReleaseContext } from "../release-context.ts";
import type { ReleaseRecord } from "./release-record.ts";

/** Revisions of operations that nobody goes on with are recorded as failed; labels that say something else than the record are corrected. */
export async function recordInterrupted(
  records: readonly ReleaseRecord[],
  { store, log }: Pick<ReleaseContext, "store" | "log">,
  signal: AbortSignal,
): Promise<void> {
  for (const record of records) {
    const { status } = record.info;
    if (isPending(record) || status === "uninstalling") {
      const description = `Interrupted while ${status}`;
      log.warn({ release: record.name, revision: record.version }, description);
      await store.update({ ...record, info: { ...record.info, status: "failed", description } }, { signal });
    } else if (store.isMislabelled(record)) await store.update(record, { signal });
  }
}
