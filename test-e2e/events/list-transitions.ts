import type { KubeObject } from "@landscaper/api";
import type { Seen } from "../src/kits/object-history.ts";

interface WithJob extends KubeObject {
  readonly status?: { readonly phase?: string; readonly jobID?: string; readonly jobIDFinished?: string };
}

/** Returns the transitions of each uid that a watch shows: "resourceVersion phase jobID jobIDFinished". Versions of one object are in their order. */
export function listTransitions(seen: readonly Seen<KubeObject>[]): Readonly<Record<string, readonly string[]>> {
  const states = new Map<string, string>();
  const found: Record<string, string[]> = {};
  for (const { type, object } of seen) {
    const { metadata, status = {} }: WithJob = object;
    const { uid = "", resourceVersion = "" } = metadata;
    const { phase = "", jobID = "", jobIDFinished = "" } = status;
    const state = [phase, jobID, jobIDFinished].join(" ");
    const isDeleted = type === "DELETED";
    if (!isDeleted && state === (states.get(uid) ?? "  ")) continue;
    states.set(uid, state);
    const shown = isDeleted ? ["Deleted", jobID, jobIDFinished] : [phase, jobID, jobIDFinished];
    (found[uid] ??= []).push([resourceVersion, ...shown].join(" ").trim());
  }
  return found;
}
