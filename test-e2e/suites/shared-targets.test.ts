// Two Environments with three selectors each, of which the last one matches every Target without the annotation
// (docs/reference/deployer-management.md#installation): both their deployers may take the same items, and never both run one job.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem } from "@landscaper/api";
import { createKubeconfig } from "@landscaper/testkit";
import { findJobFaults } from "../ha/audit-jobs.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { runInParallel } from "../src/kits/run-in-parallel.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { createServiceProcess, type ServiceProcess } from "../src/services/service-process.ts";

const environmentNames = ["east", "west"] as const;
const count = 40;
const atOnce = 8;

/** As the agent of the specification gives them to its Environment. */
const selectorsOf = (name: string): readonly object[] => [
  { targets: [{ name, namespace: "" }] },
  { annotations: [{ key: annotations.environment, operator: "=", values: [name] }] },
  { annotations: [{ key: annotations.environment, operator: "!" }] },
];

describe.each(clustersUnderTest())("deployers of two Environments on %s", (cluster) => {
  let environment: Environment;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-environments-"));
  const deployers: ServiceProcess[] = [];

  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core"] });
    const { url, ca, serviceToken } = environment.hub;
    const user = { token: serviceToken("manifest-deployer") };
    for (const name of environmentNames) {
      const service = await createServiceProcess({
        name: "manifest-deployer",
        pod: `manifest-${name}`,
        folder,
        kubeconfig: createKubeconfig({ name: "hub", server: url, ca, user }),
        config: { identity: `manifest-${name}`, targetSelector: selectorsOf(name) },
      });
      deployers.push(service);
      await service.start();
    }
  });
  afterAll(async () => {
    await Promise.all(deployers.map(async (service) => service.stop()));
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  const identityOf = ({ status }: DeployItem): string => status?.deployer?.identity?.split("/")[0] ?? "";

  it("share the items of a Target without the annotation, and each job is run by one of them", async () => {
    const scope = await environment.namespace("shared");
    const namespace = scope.targetNamespace;
    await scope.apply(scope.target("target"));
    const items = await recordHistory(environment.client, resources.deployItem, scope.name);
    const maps = await recordHistory(environment.targetClient, kubeResources.configMap, namespace);
    const indexes = Array.from({ length: count }, (_, index) => index);
    await runInParallel(count, atOnce, async (index) => {
      const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${index}`, namespace } };
      await scope.apply(itemsInstallation([manifestItem({ manifests: [manifest] })], { name: `root-${index}` }));
    });
    for (const index of indexes) await scope.waitForPhase(`root-${index}`, "Succeeded");
    await Promise.all([items.stop(), maps.stop()]);

    expect(findJobFaults(items.seen, 1)).toEqual([]);
    const found = new Map<string, Set<string>>();
    for (const { object } of items.seen) {
      const identity = identityOf(object);
      const { name = "" } = object.metadata;
      if (identity !== "") found.set(name, (found.get(name) ?? new Set<string>()).add(identity));
    }
    expect([found.size, [...found].filter(([, identities]) => identities.size !== 1)]).toEqual([count, []]);
    // Otherwise they did not compete.
    const all = new Set([...found.values()].flatMap((identities) => [...identities]));
    expect([...all].toSorted((a, b) => a.localeCompare(b))).toEqual(["manifest-east", "manifest-west"]);
    const events = maps.seen.filter(({ object }) => object.metadata.name?.startsWith("map-"));
    expect([events.length, events.filter(({ type }) => type !== "ADDED")]).toEqual([count, []]);
  });

  it("leave the items of the other one's Target alone", async () => {
    const scope = await environment.namespace("marked");
    for (const [index, name] of environmentNames.entries()) {
      const target = scope.target(`target-${index}`);
      const marked = { ...target.metadata, annotations: { [annotations.environment]: name } };
      await scope.apply({ ...target, metadata: marked });
      // By its name alone.
      const named = { ...scope.target(name).metadata, annotations: { [annotations.environment]: "elsewhere" } };
      await scope.apply({ ...scope.target(name), metadata: named });
      for (const used of [`target-${index}`, name]) {
        await scope.apply(itemsInstallation([manifestItem({ manifests: [] })], { name: `of-${used}`, target: used }));
        await scope.waitForPhase(`of-${used}`, "Succeeded");
        const [item] = (await scope.deployItems(`of-${used}`)).values();
        expect(item === undefined ? "" : identityOf(item)).toBe(`manifest-${name}`);
      }
    }
  });
});
