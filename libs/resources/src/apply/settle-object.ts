import type { UnstructuredObject } from "@landscaper/api";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { isLostRace, maxRaces } from "../cluster/lost-race.ts";
import { resourceFailure, type FailedAction } from "../cluster/resource-failure.ts";
import { keyOfReference, referenceTo } from "../cluster/resource-reference.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { pauseFor } from "./pause-for.ts";
import { writeObject, type ObjectWrite } from "./write-object.ts";

export interface SettleOptions {
  readonly cluster: TargetCluster;
  readonly type: UnstructuredType;
  /** Names the object; its values are masked in errors. */
  readonly object: UnstructuredObject;
  /** Must not write. Called again with the new live object after a lost race. Throws LandscaperError to refuse. */
  readonly decide: (live: UnstructuredObject | undefined) => ObjectWrite | Promise<ObjectWrite>;
  readonly fieldManager?: string | undefined;
  readonly signal: AbortSignal;
}

const verbs = { none: "get", create: "create", replace: "update", patch: "patch" } as const;

/** Reads an object, decides and writes; a patch is guarded by what was read. Returns the object as it is now. */
export async function settleObject(options: SettleOptions): Promise<UnstructuredObject | undefined> {
  const { cluster, type, object, decide, fieldManager, signal } = options;
  const reference = referenceTo(object);
  const key = keyOfReference(reference, type.namespaced);
  let verb: FailedAction["verb"] = "get";
  for (let race = 0; ; race++) {
    try {
      verb = "get";
      const live = await cluster.client.find(type, key, { signal });
      const pause = pauseFor(live, object);
      await pause();
      const write = await decide(live);
      await pause();
      verb = verbs[write.type];
      return await writeObject(write, { client: cluster.client, type, live, options: { fieldManager, signal } });
    } catch (error) {
      if (!isLostRace(error) || race >= maxRaces)
        throw await resourceFailure(error, { verb, reference, sent: object, secrets: cluster.sentSecrets });
    }
  }
}
