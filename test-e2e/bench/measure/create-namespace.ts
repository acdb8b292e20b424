import type { Environment } from "../../src/services/environment.ts";
import { ensureObject } from "../../src/clusters/service-token.ts";

/** Creates a namespace, so that rounds do not share objects. Resolves to its name. */
export async function createNamespace({ client }: Pick<Environment, "client">, name: string): Promise<string> {
  const type = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
  await ensureObject(client, type, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}
