// For the tests of this package: provider configurations and manifests.
import type { DeployItemSpec, UnstructuredObject } from "@landscaper/api";
import { manifestDeployItemType } from "../src/manifest-deployer.ts";

/** Spec of an item that deploys `manifests`, each with policy manage unless it is a whole entry. */
export function specOf(manifests: readonly object[], config: Readonly<Record<string, unknown>> = {}): DeployItemSpec {
  return {
    type: manifestDeployItemType,
    target: { name: "cluster" },
    config: {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderConfiguration",
      manifests: manifests.map((entry) => ("manifest" in entry ? entry : { policy: "manage", manifest: entry })),
      ...config,
    },
  };
}

export function configMap(path: string, data: Record<string, string> = {}, metadata: object = {}): UnstructuredObject {
  const [namespace = "", name = ""] = path.split("/");
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, ...metadata }, data };
}
