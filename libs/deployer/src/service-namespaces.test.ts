// The process of a deployer with rights in some namespaces alone.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import {
  deployerRights,
  kubeResources,
  leaseRights,
  mockDeployerConfigurationSchema,
  policyRulesOf,
  type Right,
} from "@landscaper/api";
import { findFreePorts, startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { createDeployerScope } from "../test/index.ts";
import type { Deployer } from "./deployer-interface.ts";
import { runDeployerService, type DeployerConfiguration } from "./run-deployer-service.ts";

const type = "landscaper.gardener.cloud/service-test";
const worked: string[] = [];
const deployer: Deployer = {
  type,
  name: "service-test.deployer",
  version: "v1",
  parseConfig: (value) => value,
  reconcile: ({ item }) => {
    worked.push(`${item.metadata.namespace}/${item.metadata.name}`);
    return Promise.resolve({ type: "succeeded" });
  },
  delete: () => Promise.resolve("done"),
};
const rights = deployerRights({ connects: false });
const rbac = "rbac.authorization.k8s.io";

let cluster: EmbeddedCluster;
let folder: string;
const stop = new AbortController();
let running: Promise<void>;
let port = 0;

async function grant(namespace: string, name: string, granted: readonly Right[]): Promise<void> {
  const metadata = { namespace, name };
  const apiVersion = `${rbac}/v1`;
  const rules = [...policyRulesOf(granted)];
  await cluster.client.create(kubeResources.role, { apiVersion, kind: "Role", metadata, rules });
  await cluster.client.create(kubeResources.roleBinding, {
    apiVersion,
    kind: "RoleBinding",
    metadata,
    roleRef: { apiGroup: rbac, kind: "Role", name },
    subjects: [{ apiGroup: rbac, kind: "User", name: "deployer" }],
  });
}

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true, authorization: "rbac" });
  folder = await mkdtemp(join(tmpdir(), "deployer-namespaces-"));
  for (const name of ["one", "other"]) await cluster.createNamespace(name);
  await grant("default", "leases", leaseRights);
  await grant("one", "items", rights);
  const kubeconfig = join(folder, "kubeconfig");
  const config = join(folder, "config");
  await writeFile(kubeconfig, cluster.server.kubeconfigFor({ name: "deployer" }));
  await writeFile(config, "namespaces: [one, later]\n");
  [port = 0] = await findFreePorts(1);
  const flags = ["--kubeconfig", kubeconfig, "--config", config, "--metrics-port", String(port)];
  running = runDeployerService<unknown, DeployerConfiguration>(
    {
      configuration: mockDeployerConfigurationSchema,
      createDeployer: () => deployer,
      rights,
      argv: [...flags, "--lease-namespace", "default", "-v", "silent"],
      env: {},
    },
    stop.signal,
  );
});
afterAll(async () => {
  stop.abort(new Error("the test ends"));
  await running;
  await cluster.stop();
  await rm(folder, { recursive: true });
});

const deploy = async (namespace: string): Promise<ReturnType<typeof createDeployerScope>> => {
  const scope = createDeployerScope({ hubClient: cluster.client, targetKubeconfig: "", namespace });
  await scope.create({ name: "item", spec: { type } });
  return scope;
};
const readiness = async (): Promise<string | undefined> =>
  await fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (answer) => `${answer.status} ${await answer.text()}`,
    () => undefined,
  );

it("is ready while a namespace is not there yet, and works in those that are there", async () => {
  await waitFor(async () => (await readiness())?.startsWith("200") === true);
  await deploy("other");
  const scope = await deploy("one");
  expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  expect(worked).toEqual(["one/item"]);
});

it("works in a namespace that comes later, when it gets the rights there", async () => {
  await cluster.createNamespace("later");
  const scope = await deploy("later");
  await grant("later", "items", rights);
  expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  expect(worked).toEqual(["one/item", "later/item"]);
});

it("is not ready when a single right is missing", async () => {
  await cluster.client.delete(kubeResources.roleBinding, { namespace: "one", name: "items" });
  const isStatus = ({ resources }: Right): boolean => resources.includes("deployitems/status");
  await grant(
    "one",
    "fewer",
    rights.filter((right) => !isStatus(right)),
  );
  const scope = createDeployerScope({ hubClient: cluster.client, targetKubeconfig: "", namespace: "one" });
  await scope.trigger("item", { type });
  await waitFor(
    async () =>
      (await readiness())?.includes(
        "lacks rights in namespace one of the landscaper cluster: update deployitems/status",
      ) === true,
  );
});
