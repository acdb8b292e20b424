import type { Exchange, ParityCase } from "../exchange.ts";
import { get, post, remove } from "../exchange.ts";
import { fieldAt } from "../../../src/objects/json.ts";

/** Path of a collection, or of an object in it, in the case's own namespace. */
export type Path = (resource: string, rest?: string) => string;

/** "deployments.apps/v1" -> /apis/apps/v1/namespaces/<namespace>/deployments; no group and version: core v1. */
export function pathIn(namespace: string): Path {
  return (resource, rest = "") => {
    const [plural = "", ...groupVersion] = resource.split(".");
    const root = groupVersion.length === 0 ? "/api/v1" : `/apis/${groupVersion.join(".")}`;
    return `${root}/namespaces/${namespace}/${plural}${rest}`;
  };
}

/** A case whose exchanges run in a namespace that is made before and removed after them. */
export function inNamespace(name: string, exchanges: (path: Path) => readonly Exchange[]): ParityCase {
  const namespace = `parity-${name.replaceAll(/[^a-z0-9]+/g, "-")}`;
  const serviceAccount = `/api/v1/namespaces/${namespace}/serviceaccounts/default`;
  return {
    name,
    exchanges: [
      post("/api/v1/namespaces", { metadata: { name: namespace } }),
      get(serviceAccount, (body) => fieldAt(body, "kind") === "ServiceAccount"),
      ...exchanges(pathIn(namespace)),
      remove(`/api/v1/namespaces/${namespace}`),
    ],
  };
}
