import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { apiVersion } from "@landscaper/api";
import type { KubeObject, Target } from "@landscaper/api";
import { parseAllDocuments } from "yaml";
import { applyAll } from "./apply-all.ts";
import type { Landscape } from "./landscape.ts";

export const demoNamespace = "demo";
export const demoInstallation = "shop";

/** Applies `samples/demo/*.yaml` and the Target that only the demo knows. */
export async function applySamples(landscape: Landscape): Promise<void> {
  const directory = join(landscape.root, "samples", "demo");
  const objects = globSync("*.yaml", { cwd: directory })
    .toSorted()
    .flatMap((file) => readObjects(join(directory, file)));
  const namespace: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: demoNamespace } };
  const target: Target = {
    apiVersion,
    kind: "Target",
    metadata: { name: "demo-cluster", namespace: demoNamespace },
    spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: landscape.targetKubeconfig } },
  };
  await applyAll(landscape.hub, [namespace, target, ...objects]);
}

function readObjects(file: string): readonly KubeObject[] {
  return parseAllDocuments(readFileSync(file, "utf8")).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw new Error(`${file}: ${error.message}`);
    const value: unknown = document.toJS();
    // The samples are ours; the API server checks the rest.
    return value === null ? [] : [value as KubeObject];
  });
}
