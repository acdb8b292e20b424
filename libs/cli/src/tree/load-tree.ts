import { resources } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import type { TreeObjects } from "./object-index.ts";

/** Reads what a tree is made of, in one namespace or in all. */
export async function loadTree(
  client: Pick<Reader, "list">,
  options: { readonly namespace?: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<TreeObjects> {
  const [installations, executions, deployItems] = await Promise.all([
    client.list(resources.installation, options),
    client.list(resources.execution, options),
    client.list(resources.deployItem, options),
  ]);
  return { installations: installations.items, executions: executions.items, deployItems: deployItems.items };
}
