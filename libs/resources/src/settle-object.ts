import type { UnstructuredObject } from "@landscaper/api";
import { isAlreadyExists, isConflict, type Patch } from "@landscaper/controller-runtime";
import type { UnstructuredType } from "./discovery.ts";
import { resourceFailure, type FailedAction } from "./resource-failure.ts";
import { keyOfReference, referenceTo } from "./resource-reference.ts";
import type { TargetCluster } from "./target-cluster.ts";

/** What has to be written so that an object is as it should be. */
export type ObjectWrite =
  | { readonly type: "none" }
  | { readonly type: "create"; readonly object: UnstructuredObject }
  | { readonly type: "replace"; readonly object: UnstructuredObject }
  | { readonly type: "patch"; readonly patch: Extract<Patch, { readonly type: "merge" | "strategic" }> };

export interface SettleOptions {
  readonly cluster: TargetCluster;
  readonly type: UnstructuredType;
  /** Names the object; its values are masked in errors. */
  readonly object: UnstructuredObject;
  /** Pure; asked again for the object as it is then, when somebody else was faster. Throws LandscaperError to refuse. */
  readonly decide: (live: UnstructuredObject | undefined) => ObjectWrite;
  readonly fieldManager?: string | undefined;
  readonly signal: AbortSignal;
}

/** Lost races against other writers of the same object that are settled at once. */
const maxRaces = 3;
const verbs = { none: "get", create: "create", replace: "update", patch: "patch" } as const;

/** Reads an object, decides and writes; a patch is guarded by what was read. Returns the object as it is now. */
export async function settleObject(options: SettleOptions): Promise<UnstructuredObject | undefined> {
  const { cluster, type, object, decide, signal } = options;
  const reference = referenceTo(object);
  const key = keyOfReference(reference, type.namespaced);
  let verb: FailedAction["verb"] = "get";
  for (let race = 0; ; race++) {
    try {
      verb = "get";
      const live = await cluster.client.find(type, key, { signal });
      const write = decide(live);
      verb = verbs[write.type];
      return await perform(options, write, live);
    } catch (error) {
      const isLostRace = isConflict(error) || isAlreadyExists(error);
      if (!isLostRace || race >= maxRaces) throw resourceFailure(error, { verb, reference, sent: object });
    }
  }
}

async function perform(
  { cluster, type, object, fieldManager, signal }: SettleOptions,
  write: ObjectWrite,
  live: UnstructuredObject | undefined,
): Promise<UnstructuredObject | undefined> {
  const { client } = cluster;
  const options = { fieldManager, signal };
  switch (write.type) {
    case "none":
      return live;
    case "create":
      return await client.create(type, write.object, options);
    case "replace":
      return await client.update(type, write.object, options);
    case "patch": {
      const { type: form, body } = write.patch;
      const guarded = guard(body, live);
      return await client.patch(type, keyOfReference(referenceTo(object), type.namespaced), {
        type: form,
        body: guarded,
        ...options,
      });
    }
  }
}

function guard(body: unknown, live: UnstructuredObject | undefined): object {
  const patch = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const metadata = typeof patch["metadata"] === "object" ? patch["metadata"] : {};
  return { ...patch, metadata: { ...metadata, resourceVersion: live?.metadata.resourceVersion } };
}
