import type { UnstructuredObject } from "@landscaper/api";
import { settleObject, type ObjectWrite, type TargetCluster } from "@landscaper/resources";

const namespaces = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };

export interface CreateNamespaceOptions {
  readonly cluster: TargetCluster;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly fieldManager?: string | undefined;
  readonly signal: AbortSignal;
}

/** Makes a namespace when it is not there; one that is there stays as it is. */
export async function createNamespace(
  name: string,
  { cluster, labels, fieldManager, signal }: CreateNamespaceOptions,
): Promise<void> {
  const metadata = { name, ...(labels === undefined ? {} : { labels }) };
  const object: UnstructuredObject = { apiVersion: "v1", kind: "Namespace", metadata };
  const decide = (live: UnstructuredObject | undefined): ObjectWrite =>
    live === undefined ? { type: "create", object } : { type: "none" };
  await settleObject({ cluster, type: namespaces, object, decide, fieldManager, signal });
}
