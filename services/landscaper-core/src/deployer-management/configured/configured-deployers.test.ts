// The core registers what its configuration names, on an API server.
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { resources, type DeployerRegistration } from "@landscaper/api";
import { startEmbeddedCluster, waitFor, type EmbeddedCluster } from "@landscaper/testkit";
import { startTestCore, type TestCore } from "../../../test/core.ts";
import { managementSettings, registration } from "../../../test/deployer-management.ts";
import { buildRegistrations } from "./build-registration.ts";

let cluster: EmbeddedCluster;
let core: TestCore;
const type = resources.deployerRegistration;

function startCore(deployers: Record<string, Record<string, unknown>>): void {
  const registrations = buildRegistrations({ deployers, repositoryContext: undefined });
  core = startTestCore(cluster.connect("core"), { deployerManagement: { ...managementSettings, registrations } });
}

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  await cluster.createNamespace("ls-system");
});
afterAll(async () => {
  await core.stop();
  await cluster.stop();
});

async function until(name: string, condition: (object: DeployerRegistration | undefined) => boolean): Promise<void> {
  await waitFor(async () => condition(await cluster.client.find(type, { name })));
}

it("makes registrations, puts them right, makes them again, and leaves those of others and what users add alone", async () => {
  await cluster.client.create(type, registration("mock"));
  startCore({ manifest: { replicaCount: 1 }, mock: {} });
  await until("manifest", (object) => object !== undefined);
  const { uid } = (await cluster.client.get(type, { name: "manifest" })).metadata;
  const body = { spec: { types: ["example.org/other"], rollout: { maxUnavailable: 3 } } };
  await cluster.client.patch(type, { name: "manifest" }, { type: "merge", body });
  await until("manifest", (object) => object?.spec.types[0] === "landscaper.gardener.cloud/kubernetes-manifest");
  expect((await cluster.client.get(type, { name: "manifest" })).spec.rollout).toEqual({ maxUnavailable: 3 });
  await cluster.client.delete(type, { name: "manifest" });
  await until("manifest", (object) => object !== undefined && object.metadata.uid !== uid);
  const other = await cluster.client.get(type, { name: "mock" });
  expect(other.spec).toEqual(registration("mock").spec);
});

it("gives a registration other values, and keeps it when the configuration does not name it any more", async () => {
  await core.stop();
  startCore({ manifest: { replicaCount: 2 } });
  await until("manifest", ({ spec } = registration("none")) => {
    const values = spec.installationTemplate.importDataMappings?.["values"];
    return JSON.stringify(values) === '{"replicaCount":2}';
  });
  await core.stop();
  startCore({ helm: {} });
  await until("helm", (object) => object !== undefined);
  expect(await cluster.client.find(type, { name: "manifest" })).toBeDefined();
});
