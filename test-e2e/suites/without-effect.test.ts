// What is accepted, as in the original, and has no effect here: it is told, and nothing is refused for it.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type Condition, type KubeObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { stringify } from "yaml";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import {
  blueprintYaml,
  clusterImport,
  deployItems,
  helmItem,
  inlineInstallation,
} from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const mapTemplate = `apiVersion: v1
kind: ConfigMap
metadata: { name: "{{ .Release.Name }}-map" }
data: { key: value }
`;
const chartCache = `annotation ${annotations.cacheHelmCharts} has no effect: the helm deployer keeps charts by their digest in any case, and asks for the digest in every job`;

/** Every field of a Context of the original (core.md §3.4). */
const context = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Context",
  metadata: { name: "mine" },
  repositoryContext: { type: "ociRegistry", baseUrl: "registry.example.com/components" },
  ocmConfig: { name: "ocm" },
  registryPullSecrets: [],
  configurations: { helmChartRepoCredentials: { auths: [] }, "config.example.com/level": { a: [1] }, other: true },
  componentVersionOverwrites: "overwrites",
  verificationSignatures: { release: { publicKeySecretReference: { name: "key", namespace: "other", key: "pub" } } },
};
const contextWarnings = [
  'field "configurations.other" has no effect: only "helmChartRepoCredentials" is read, and what has a domain in its name by deployers that know it',
].map((message) => `Context "mine": ${message}`);

type Reporting = KubeObject & { status?: { conditions?: readonly Condition[] } };

const warningsOf = (object: Reporting | undefined): readonly string[] => {
  const found = object?.status?.conditions?.find(({ type }) => type === "Warnings");
  return found === undefined ? [] : [...found.message.split("; "), found.reason];
};

/** A root with a subinstallation that deploys the items; both are of the Context and bear the annotation. */
function tree(items: readonly Readonly<Record<string, unknown>>[]): KubeObject {
  const imports = [clusterImport];
  const nested = {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "InstallationTemplate",
    name: "nested",
    blueprint: {
      filesystem: { "blueprint.yaml": blueprintYaml({ imports, deployExecutions: deployItems(...items) }) },
    },
    imports: { targets: [{ name: "cluster", target: "cluster" }] },
  };
  const root = inlineInstallation({
    name: "root",
    blueprint: { imports, subinstallations: [{ file: "nested.yaml" }] },
    files: { "nested.yaml": stringify(nested) },
    imports: { targets: [{ name: "cluster", target: "cluster" }] },
    spec: { context: "mine" },
  });
  const marks = { ...root.metadata.annotations, [annotations.cacheHelmCharts]: "true" };
  return { ...root, metadata: { ...root.metadata, annotations: marks } };
}

async function eventsOf(scope: TestNamespace): Promise<readonly string[]> {
  const events = await scope.list(kubeResources.event);
  return events
    .filter(({ reason }) => reason === "WithoutEffect")
    .map(({ regarding, note }) => `${regarding?.kind}: ${note}`)
    .toSorted();
}

describe.each(clustersUnderTest())("what has no effect on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "helm-deployer"] });
  });
  afterAll(async () => environment.stop());

  it("is told on the root and on the deploy item, once each, and the job succeeds", async () => {
    const scope = await environment.namespace("without-effect");
    const config = {
      chart: await rawChart({ "templates/map.yaml": mapTemplate }),
      helmDeploymentConfig: { install: { wait: true, timeout: "5m" }, uninstall: { timeout: "5m" } },
    };
    await scope.apply(scope.target("cluster"), context);
    await scope.apply(tree([helmItem({ namespace: scope.targetNamespace, config })]));
    const expectedOfRoot = [chartCache, ...contextWarnings];
    const root = await scope.waitForPhase("root", "Succeeded");
    expect(warningsOf(root)).toEqual([...expectedOfRoot, "WithoutEffect"]);
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");

    const installations = await scope.list(resources.installation);
    const nested = installations.find(({ metadata }) => metadata.name !== "root");
    expect(nested?.spec.context).toBe("mine");
    expect(nested?.metadata.annotations?.[annotations.cacheHelmCharts]).toBe("true");
    expect(warningsOf(nested)).toEqual([]);

    const [item] = await scope.list(resources.deployItem);
    const expectedOfItem = [
      'spec.config: field "helmDeploymentConfig.uninstall.timeout" has no effect: the timeout of the deploy item counts',
      'spec.config: field "helmDeploymentConfig.install.timeout" has no effect: without remediation the timeout of the deploy item counts',
      chartCache,
    ];
    expect(warningsOf(item)).toEqual([...expectedOfItem, "WithoutEffect"]);
    expect((await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data).toEqual({ key: "value" });

    await waitFor(async () => (await eventsOf(scope)).length >= 2);
    expect(await eventsOf(scope)).toEqual([
      `DeployItem: ${expectedOfItem.join("; ")}`,
      `Installation: ${expectedOfRoot.join("; ")}`,
    ]);
  });
});
