import type { UnstructuredObject } from "@landscaper/api";
import type { Client, Patch, WriteOptions } from "@landscaper/controller-runtime";
import type { UnstructuredType } from "../cluster/discovery.ts";

/** What has to be written so that an object is as it should be. */
export type ObjectWrite =
  | { readonly type: "none" }
  | { readonly type: "create"; readonly object: UnstructuredObject }
  | { readonly type: "replace"; readonly object: UnstructuredObject }
  | { readonly type: "patch"; readonly patch: Extract<Patch, { readonly type: "merge" | "strategic" }> };

export interface WriteCall {
  readonly client: Client;
  readonly type: UnstructuredType;
  /** As it was read before; a patch is guarded by its version. */
  readonly live: UnstructuredObject | undefined;
  readonly options: WriteOptions;
}

/** Writes, and returns the object as it is then. */
export async function writeObject(
  write: ObjectWrite,
  { client, type, live, options }: WriteCall,
): Promise<UnstructuredObject | undefined> {
  switch (write.type) {
    case "none":
      return live;
    case "create":
      return await client.create(type, write.object, options);
    case "replace":
      return await client.update(type, write.object, options);
    case "patch": {
      const { type: form, body } = write.patch;
      const key = { namespace: live?.metadata.namespace, name: live?.metadata.name ?? "" };
      return await client.patch(type, key, { ...options, type: form, body: guarded(body, live) });
    }
  }
}

function guarded(body: unknown, live: UnstructuredObject | undefined): object {
  const patch = asObject(body);
  const metadata = asObject(Reflect.get(patch, "metadata"));
  return { ...patch, metadata: { ...metadata, resourceVersion: live?.metadata.resourceVersion } };
}

function asObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
