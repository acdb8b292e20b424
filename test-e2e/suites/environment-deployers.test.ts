// A deployer with the account that deployer management gives it: the bounds of its Environment let its work through, and nothing else.
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { annotations, exportSecretName, kubeResources, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import {
  configureDeployerManagement,
  startEnvironmentDeployer,
  stopEnvironmentDeployer,
} from "../hostile/environment-deployer.ts";
import { annotatedTarget } from "../hostile/environment-objects.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { itemsInstallation, mockItem } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { ServiceProcess } from "../src/services/service-process.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const suffix = randomBytes(4).toString("hex");
const name = `edge-${suffix}`;

describe.each(clustersUnderTest())("a deployer of an Environment on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let deployer: ServiceProcess<"mock-deployer">;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-e2e-bounds-"));
  const names = { name, registration: `mock-${suffix}`, management: `deployers-${suffix}`, folder };

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: configureDeployerManagement(names.management),
    });
    scope = await environment.namespace("items");
    deployer = await startEnvironmentDeployer(environment, names);
  }, 180_000);
  afterAll(async () => {
    await stopEnvironmentDeployer(environment, names, deployer);
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  it("deploys and uninstalls what is for its Environment, with exports", async () => {
    await scope.apply(annotatedTarget(scope.name, "own", name));
    const target = { target: { import: "cluster" } };
    const item = mockItem("item", { export: { answer: 42 } }, target);
    await scope.apply(itemsInstallation([item], { name: "own", target: "own" }));
    await scope.waitForPhase("own", "Succeeded");
    const [deployItem] = [...(await scope.deployItems("own")).values()];
    const secret = await environment.client.get(kubeResources.secret, {
      namespace: scope.name,
      name: exportSecretName(deployItem?.metadata.name ?? ""),
    });
    expect(secret.metadata.annotations?.[annotations.environments]).toBe(name);
    await environment.client.delete(resources.installation, { namespace: scope.name, name: "own" });
    await scope.untilGone(resources.installation, "own");
  });

  it("leaves an item alone that is not for its Environment, though it selects it", async () => {
    await scope.apply(annotatedTarget(scope.name, "foreign", "somewhere-else"));
    await scope.apply(
      itemsInstallation([mockItem("item", {}, { target: { import: "cluster" } })], {
        name: "foreign",
        target: "foreign",
      }),
    );
    await waitFor(
      () =>
        Promise.resolve(
          readFileSync(deployer.logFile, "utf8").includes("of the DeployItem must contain the account's Environment"),
        ),
      {},
    );
    const [deployItem] = [...(await scope.deployItems("foreign")).values()];
    expect([deployItem?.status?.phase, deployItem?.metadata.annotations?.[annotations.environments]]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
