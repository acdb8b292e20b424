// Objects in a namespace of the target that is being deleted, and that a finalizer keeps.
import { describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject } from "@landscaper/api";
import { apply, client, manage, n, useTargetScope } from "../../test/target-scope.ts";

useTargetScope();

describe("a namespace that is being deleted", () => {
  const configMap = (name: string): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: n },
  });

  it.each(["update", "apply"] as const)("is named, and not the rights, with strategy %s", async (strategy) => {
    const kept = { ...configMap("kept"), metadata: { name: "kept", namespace: n, finalizers: ["example.org/keeps"] } };
    await client.create(kubeResources.configMap, kept);
    await client.delete(kubeResources.namespace, { name: n });
    const { failures } = await apply(manage(configMap("new")), { strategy });
    expect(failures).toMatchObject([{ reason: "TargetNamespaceTerminating", retry: "backoff" }]);
    expect(failures[0]?.message).toContain(`namespace ${n} because it is being terminated`);
  });
});
