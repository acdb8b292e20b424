import type { Environment } from "../../src/services/environment.ts";
import { ensureObject } from "../../src/clusters/service-token.ts";

/** A namespace of its own for each round, so that nobody pays for the other's objects. Resolves to its name. */
export async function createNamespace({ client }: Pick<Environment, "client">, name: string): Promise<string> {
  const type = { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false };
  await ensureObject(client, type, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}
