// Fields that nobody knows: what people hear of them, and where they end the job.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type Condition, type KubeObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { clusterInstallation, inlineInstallation, spiff } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const strict = { [annotations.fieldValidation]: "Strict" };

const warningsOf = (object: (KubeObject & { status?: { conditions?: readonly Condition[] } }) | undefined) =>
  object?.status?.conditions?.find(({ type }) => type === "Warnings")?.message;

/** A ConfigMap on the target with fields that nobody knows in the manifest and around it. */
const item = (namespace: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  name: "item",
  type: "landscaper.gardener.cloud/kubernetes-manifest",
  target: { import: "cluster" },
  config: {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderConfiguration",
    manifests: [
      {
        policy: "manage",
        manifest: {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name: "map", namespace },
          data: { a: "b" },
          ...fields,
        },
      },
    ],
    ...fields,
  },
});

function installation(
  definition: Readonly<Record<string, unknown>>,
  marks: Readonly<Record<string, string>> = {},
): KubeObject {
  const object = clusterInstallation(definition);
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...marks } } };
}

async function eventsOf(scope: TestNamespace, name: string, reason: string): Promise<readonly (string | undefined)[]> {
  const events = await scope.list(kubeResources.event);
  return events.filter((event) => event.regarding?.name === name && event.reason === reason).map(({ note }) => note);
}

describe.each(clustersUnderTest())("fields that nobody knows on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  it("of a blueprint are told in the condition and one Event, until they are gone", async () => {
    const scope = await environment.namespace("unknown");
    const told =
      'blueprint of installation root/blueprint.yaml: unknown field "deployExecution", did you mean "deployExecutions"?';
    await scope.apply(scope.target("cluster"), installation({ deployExecution: spiff({ deployItems: [] }) }));
    expect(warningsOf(await scope.waitForPhase("root", "Succeeded"))).toBe(told);
    await scope.trigger("root");
    expect(warningsOf(await scope.waitForPhase("root", "Succeeded"))).toBe(told);
    await waitFor(async () => (await eventsOf(scope, "root", "UnknownField")).length > 0);
    expect(await eventsOf(scope, "root", "UnknownField")).toEqual([told]);
    await scope.apply(installation({ deployExecutions: spiff({ deployItems: [] }) }));
    expect(warningsOf(await scope.waitForPhase("root", "Succeeded"))).toBeUndefined();
  });

  it("of an item and of a manifest are told on the DeployItem", async () => {
    const scope = await environment.namespace("unknown");
    const deployItems = [{ ...item(scope.targetNamespace, { dat: {} }), timeot: "1m" }];
    await scope.apply(scope.target("cluster"), installation({ deployExecutions: spiff({ deployItems }) }));
    expect(warningsOf(await scope.waitForPhase("root", "Succeeded"))).toContain(
      'deployItems[0], item "item": unknown field "timeot", did you mean "timeout"?',
    );
    const [deployItem] = (await scope.deployItems("root")).values();
    expect(warningsOf(deployItem)).toBe('spec.config: unknown field "dat"; unknown field "dat"');
  });

  it("do not let a demand for verified signatures pass unheard", async () => {
    const scope = await environment.namespace("verification");
    const root = inlineInstallation({
      name: "root",
      blueprint: { deployExecutions: spiff({ deployItems: [] }) },
      spec: { verification: { signatureName: "release" } },
    });
    await scope.apply(root);
    const { status } = await scope.waitForPhase("root", "Failed");
    expect(status?.lastError?.reason).toBe("VerificationRequired");
    expect(status?.lastError?.message).toContain("spec.verification: there is nothing to verify");
  });

  it("end a job before its first write where the annotation wants it, on the whole tree", async () => {
    const scope = await environment.namespace("strict");
    const deployExecutions = spiff({ deployItems: [item(scope.targetNamespace)] });
    await scope.apply(scope.target("cluster"), installation({ deployExecutions, exportExecution: [] }, strict));
    const failed = await scope.waitForPhase("root", "Failed");
    expect(failed.status?.lastError).toMatchObject({ reason: "UnknownFields" });
    expect(failed.status?.lastError?.message).toContain(
      'unknown field "exportExecution", did you mean "exportExecutions"?',
    );
    expect(await scope.list(resources.execution)).toEqual([]);
    const wrong = spiff({ deployItems: [item(scope.targetNamespace, { readinesChecks: {} })] });
    await scope.apply(installation({ deployExecutions: wrong }, strict));
    const { status } = await scope.waitForPhase("root", "Failed");
    expect(status?.lastError?.message).toContain(
      'spec.config: unknown field "readinesChecks", did you mean "readinessChecks"?',
    );
    const [deployItem] = (await scope.deployItems("root")).values();
    expect(deployItem?.metadata.annotations?.[annotations.fieldValidation]).toBe("Strict");
    expect(await scope.findOnTarget(kubeResources.configMap, "map")).toBeUndefined();
  });
});
