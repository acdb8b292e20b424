import type { UnstructuredObject } from "@landscaper/api";
import { decideServerApply } from "./decide-server-apply.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { isLostRace, maxRaces } from "../cluster/lost-race.ts";
import { managersFor, namesOf, type FieldManagers } from "./managed-fields.ts";
import { resourceFailure, type FailedAction } from "../cluster/resource-failure.ts";
import { keyOfReference, referenceTo } from "../cluster/resource-reference.ts";
import { applyOnServer } from "./server-side-apply.ts";
import { findKeptFields } from "../fields/find-kept-fields.ts";
import type { IgnoreRule } from "../fields/ignore-rules.ts";
import { appliedFields, keepsAll, withKeptFields } from "../fields/kept-field.ts";
import { pauseFor } from "./pause-for.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";

export interface ServerApplyOptions {
  readonly cluster: TargetCluster;
  readonly type: UnstructuredType;
  /** As it shall be; its values are masked in errors. */
  readonly object: UnstructuredObject;
  readonly managers: FieldManagers;
  /** Takes fields over that other managers have. */
  readonly force: boolean;
  /** Fields that are ours whoever has written them, as the API server names them: `.metadata.labels.KEY`. */
  readonly ownFields: readonly string[];
  /** What users can do about a conflict. Default: the hint of `fieldConflictError`. */
  readonly conflictHint?: string | undefined;
  /** Fields that other clients set. */
  readonly ignore?: readonly IgnoreRule[] | undefined;
  /** Asked before an object that is there is changed; false: it is left alone. Throws LandscaperError to refuse. */
  readonly accept: (live: UnstructuredObject) => boolean;
  /** Whether an object that is there is the owner's by its marks: `FieldManagers.formerOfOwned`. */
  readonly isOwned: (live: UnstructuredObject) => boolean;
  readonly signal: AbortSignal;
}

/**
 * Server-side apply of an object whose owner `accept` judges: what our former names have written is handed over first, so that
 * nothing of it is left behind. Returns the object as it is now. Throws LandscaperError, FieldConflict for fields of others.
 */
export async function settleServerApply(options: ServerApplyOptions): Promise<UnstructuredObject> {
  const { cluster, type, object, accept, signal } = options;
  const { client } = cluster;
  const reference = referenceTo(object);
  const key = keyOfReference(reference, type.namespaced);
  let verb: FailedAction["verb"] = "get";
  for (let race = 0; ; race++) {
    try {
      verb = "get";
      const live = await client.find(type, key, { signal });
      if (live !== undefined && !accept(live)) return live;
      const managers = managersFor(options.managers, live !== undefined && options.isOwned(live));
      const pause = pauseFor(live, object);
      await pause();
      verb = "apply";
      const kept =
        live === undefined ? [] : await findKeptFields({ ...options, manifest: object, live, replaces: false });
      if (keepsAll(kept)) return live ?? object;
      const fields =
        live === undefined ? [] : appliedFields({ manifest: object, live, managers: namesOf(managers) }, kept);
      const [desired, isGuarded] = [withKeptFields(object, fields), fields.length > 0];
      const decision = decideServerApply({ desired, live, isNew: live === undefined, managers, isGuarded });
      await pause();
      return await applyOnServer({ ...options, managers, client }, decision);
    } catch (error) {
      if (!isLostRace(error) || race >= maxRaces)
        throw await resourceFailure(error, { verb, reference, sent: object, secrets: cluster.sentSecrets });
    }
  }
}
