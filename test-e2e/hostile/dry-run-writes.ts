// Writes that the API server checks and does not store, so that an attempt leaves no trace for the next one.
import type { KubeObject, ResourceType } from "@landscaper/api";
import { resourcePath, type Client } from "@landscaper/controller-runtime";
import type { Attempt } from "./attempts.ts";

export const dryRun = { dryRun: true };

interface Key {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Updates the object that `reader` reads: the intruder may lack the right to read it. */
export function dryRunUpdate(reader: () => Client) {
  return <T extends KubeObject>(type: ResourceType<T>, key: Key, change: (object: T) => T): Attempt =>
    async (as) =>
      as.update(type, change(await reader().get(type, key)), dryRun);
}

/** Deletes one object, or with an empty name all objects of the namespace. */
export function dryRunDelete(type: ResourceType, key: Key): Attempt {
  return (as) => as.request({ method: "DELETE", path: `${resourcePath(type, key)}?dryRun=All` });
}

/** Requests a token of a ServiceAccount. */
export function dryRunToken(namespace: string, name: string): Attempt {
  return (as) =>
    as.request({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token?dryRun=All`,
      body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    });
}
