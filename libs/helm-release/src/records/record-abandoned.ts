import { failureDescription } from "./failure-description.ts";
import type { ReleaseContext } from "../release-context.ts";
import type { RollOutKind } from "../roll-out.ts";

export interface Abandoned {
  /** Revisions that the caller may have left pending: others are somebody else's work. */
  readonly revisions: readonly number[];
  /** Why nobody goes on with it. */
  readonly problem: string;
}

const kinds: ReadonlyMap<string, RollOutKind> = new Map([
  ["pending-install", "install"],
  ["pending-upgrade", "upgrade"],
  ["pending-rollback", "rollback"],
]);

/** Records that the newest revision has failed, when it is one of these and was left pending; also without the operation that has begun it. */
export async function recordAbandoned(
  { store, name }: Pick<ReleaseContext, "store" | "name">,
  { revisions, problem }: Abandoned,
  signal: AbortSignal,
): Promise<void> {
  const newest = (await store.history({ signal })).at(-1);
  const kind = newest === undefined ? undefined : kinds.get(newest.info.status);
  if (newest === undefined || kind === undefined || !revisions.includes(newest.version)) return;
  const info = { ...newest.info, status: "failed", description: failureDescription(kind, name, problem) } as const;
  await store.update({ ...newest, info }, { signal });
}
