// Deletion of a namespace that has the rights of its deployer (docs/reference/protection.md).
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { deployerAccountName, kubeResources, protectionFinalizer, resources, type RoleBinding } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import {
  configureDeployerManagement,
  startEnvironmentDeployer,
  stopEnvironmentDeployer,
} from "../hostile/environment-deployer.ts";
import { annotatedTarget } from "../hostile/environment-objects.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { itemsInstallation, mockItem } from "../src/installations/inline-installation.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import type { ServiceProcess } from "../src/services/service-process.ts";

const suffix = randomBytes(4).toString("hex");

describe.each(clustersUnderTest())("the RoleBinding of a deployer in a namespace on %s", (cluster) => {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-rights-"));
  const names = { name: `edge-${suffix}`, registration: `mock-${suffix}`, management: `deployers-${suffix}`, folder };
  const binding = deployerAccountName(names.name, names.registration);
  let environment: Environment;
  let deleted: TestNamespace;
  let withdrawn: TestNamespace;
  let deployer: ServiceProcess<"mock-deployer">;

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: configureDeployerManagement(names.management),
    });
    deleted = await environment.namespace("deleted");
    withdrawn = await environment.namespace("withdrawn");
    const namespaces = [deleted.name, withdrawn.name];
    deployer = await startEnvironmentDeployer(environment, { ...names, namespaces });
    for (const scope of [deleted, withdrawn]) await install(scope);
  }, 180_000);
  afterAll(async () => {
    await stopEnvironmentDeployer(environment, names, deployer);
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  async function install(scope: TestNamespace): Promise<void> {
    await scope.apply(annotatedTarget(scope.name, "own", names.name));
    const item = mockItem("item", {}, { target: { import: "cluster" } });
    await scope.apply(itemsInstallation([item], { target: "own" }));
    await scope.waitForPhase("root", "Succeeded");
  }

  async function untilKept(scope: TestNamespace, isKept: boolean): Promise<void> {
    const key = { namespace: scope.name, name: binding };
    await waitFor(async () => {
      const found = await environment.client.find(kubeResources.roleBinding, key);
      return (found?.metadata.finalizers?.includes(protectionFinalizer) === true) === isKept;
    });
  }

  it("stays until the deployer has uninstalled everything, if the namespace is deleted", async () => {
    await untilKept(deleted, true);
    const key = { name: deleted.name };
    await deployer.stop();
    await environment.client.delete(kubeResources.namespace, key);
    const isHeld = (found: RoleBinding | undefined): boolean => found?.metadata.deletionTimestamp !== undefined;
    await deleted.until(kubeResources.roleBinding, binding, isHeld);
    await untilKept(deleted, true);
    await deployer.start();
    await waitFor(async () => (await environment.client.find(kubeResources.namespace, key)) === undefined, {
      describe: async () => {
        const { items } = await environment.client.list(resources.deployItem, { namespace: deleted.name });
        return `${JSON.stringify(items.map(({ status }) => [status?.phase, status?.lastError]))}\n${environment.describeLogs()}`;
      },
    });
  });

  it("is deleted at once if the Environment no longer names the namespace", async () => {
    await untilKept(withdrawn, true);
    const body = { spec: { namespaces: [names.management] } };
    await environment.client.patch(resources.environment, { name: names.name }, { type: "merge", body });
    await withdrawn.untilGone(kubeResources.roleBinding, binding);
    const items = await withdrawn.deployItems("root");
    expect(items.size).toBe(1);
  });
});
