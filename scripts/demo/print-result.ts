import { join } from "node:path";
import { kubeResources, labels, resources } from "@landscaper/api";
import { demoInstallation, demoNamespace } from "./follow-installation.ts";
import type { Landscape } from "./landscape.ts";

/** Prints the exports of the root Installation, a ConfigMap of the target, and commands that show more. */
export async function printResult(landscape: Landscape, options: { phase: string; keep: boolean }): Promise<void> {
  if (options.phase === "Succeeded") {
    const { items } = await landscape.hub.list(resources.dataObject, { namespace: demoNamespace });
    const exported = items.filter(
      ({ metadata }) =>
        metadata.labels?.[labels.dataSourceType] === "export" && metadata.labels[labels.dataContext] === undefined,
    );
    console.log(`\nExports of the Installation ${demoInstallation}:`);
    for (const { metadata, data } of exported) console.log(`  ${metadata.name}: ${JSON.stringify(data)}`);
    const frontend = await landscape.target.get(kubeResources.configMap, { namespace: "shop", name: "frontend" });
    console.log("\nConfigMap shop/frontend on the target cluster:");
    for (const [key, value] of Object.entries(frontend.data ?? {})) console.log(`  ${key}: ${value}`);
  } else {
    console.log(`\nThe Installation ended as ${options.phase}; the tree shows why. Logs: ${landscape.directory}`);
  }
  if (!options.keep) return;
  const kubectl = (cluster: string): string =>
    `kubectl --kubeconfig ${join(landscape.directory, `${cluster}.kubeconfig`)}`;
  console.log(`\nBoth clusters stay up until Ctrl-C. Look around with:
  ${kubectl("hub")} get installations,executions,deployitems,dataobjects -n ${demoNamespace}
  ${kubectl("target")} get configmaps,services,secrets -n shop${landscape.natsUrl === undefined ? "" : `\n  bin/landscaper events --nats ${landscape.natsUrl} --follow`}`);
}
