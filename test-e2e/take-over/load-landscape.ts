import { expect } from "@jest/globals";
import type { KubeObject, ResourceType } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import type { RecordedObject } from "./recorded-object.ts";

const types: Readonly<Record<string, ResourceType>> = {
  Installation: resources.installation,
  Execution: resources.execution,
  DeployItem: resources.deployItem,
  DataObject: resources.dataObject,
  Target: resources.target,
  Secret: kubeResources.secret,
  ConfigMap: kubeResources.configMap,
  Service: { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true },
};

function typeOf(kind: string): ResourceType {
  const type = types[kind];
  if (type === undefined) throw new Error(`landscapes have no ${kind}`);
  return type;
}

/** `uid: KIND/NAME` becomes the uid that the API server has given to that object. */
function resolveUids(value: unknown, uids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => resolveUids(each, uids));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]: [string, unknown]) => {
      if (key !== "uid" || typeof field !== "string") return [key, resolveUids(field, uids)];
      const uid = uids.get(field);
      if (uid === undefined) throw new Error(`${field} is not loaded before what names it`);
      return [key, uid];
    }),
  );
}

const withoutUndefined = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Writes the objects as they stand, with their statuses; some of several landscapes may be the same. */
export async function loadLandscape(scope: TestNamespace, objects: readonly RecordedObject[]): Promise<void> {
  const { client, targetClient } = scope.environment;
  const uids = new Map<string, string>();
  for (const { cluster, status, isDeleted, manager, ...recorded } of objects) {
    const onHub = cluster === "hub";
    const type = typeOf(recorded.kind);
    const namespace = onHub ? scope.name : scope.targetNamespace;
    const resolved = resolveUids(recorded, uids) as KubeObject; // the same fields, with other texts
    const object = { ...resolved, metadata: { ...resolved.metadata, namespace } };
    const writer = onHub ? client : targetClient;
    const created = await withManager(writer, { type, object: await create(writer, type, object), manager });
    const { metadata: _metadata, ...content } = object;
    expect(created).toMatchObject(content);
    uids.set(`${recorded.kind}/${recorded.metadata.name}`, created.metadata.uid ?? "");
    if (status !== undefined) {
      const withStatus = Object.assign(created, { status: resolveUids(status, uids) });
      const stored = await client.updateStatus(type, withStatus);
      // What our API does not know, the API server would drop.
      expect(stored).toMatchObject({ status: withoutUndefined(withStatus.status) });
    }
    if (isDeleted === true) await client.delete(type, { namespace, name: recorded.metadata.name });
  }
}

interface Written {
  readonly type: ResourceType;
  readonly object: KubeObject;
  readonly manager: string | undefined;
}

/** Sets the field manager of all fields of the object. The original uses the names of its programs as field managers. */
async function withManager(client: Client, { type, object, manager }: Written): Promise<KubeObject> {
  if (manager === undefined) return object;
  const { namespace, name = "" } = object.metadata;
  const entries = object.metadata["managedFields"] as readonly object[]; // as the API server writes them
  const value = entries.map((entry) => ({ ...entry, manager }));
  const body = [{ op: "replace", path: "/metadata/managedFields", value }] as const;
  return await client.patch<KubeObject>(type, { namespace, name }, { type: "json", body });
}

async function create(client: Client, type: ResourceType, object: KubeObject): Promise<KubeObject> {
  const { namespace, name = "" } = object.metadata;
  return (await client.find(type, { namespace, name })) ?? client.create(type, object);
}
