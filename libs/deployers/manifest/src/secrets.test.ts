// Values of manifests, kubeconfigs and tokens stay where they are: not in status, events, CloudEvents or logs.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type KubeObject } from "@landscaper/api";
import { createLeapingClock, waitFor } from "@landscaper/testkit";
import {
  createDeployerFixture,
  type DeployerFixture,
  type DeployerScope,
  type StartedDeployer,
} from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { configMap, specOf } from "../test/manifests.ts";

const sentinel = 'sentinel-4711 "quoted" <&>';
const forms = [
  "sentinel-4711",
  Buffer.from(sentinel).toString("base64").replace(/=+$/, "").slice(0, -1),
  JSON.stringify(sentinel).slice(1, -1),
];

let fixture: DeployerFixture;
let running: StartedDeployer;
let scope: DeployerScope;
let scopes = 0;
const clock = createLeapingClock();

beforeAll(async () => {
  fixture = await createDeployerFixture();
  running = fixture.start({ deployer: createManifestDeployer("v0.0.0-test"), clock, random: () => 0 });
});
afterAll(() => fixture.stop());

beforeEach(async () => {
  fixture.target.setFault(undefined);
  scope = await fixture.scope(`secrets-${++scopes}`);
});

function secret(metadata: object = {}): KubeObject & Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s", namespace: scope.namespace, ...metadata },
    stringData: { password: sentinel },
  };
}

/** All that anybody but the owner of the Secrets may read. */
async function publicTexts(): Promise<string> {
  const { namespace } = scope;
  const { items } = await fixture.hubClient.list(resources.deployItem, { namespace });
  const { items: events } = await fixture.hubClient.list(kubeResources.event, { namespace });
  const statuses = items.map(({ status, metadata }) => JSON.stringify([status, metadata]));
  return [...statuses, JSON.stringify(events), running.log.text].join("\n");
}

async function expectNoSecrets(): Promise<void> {
  const text = await publicTexts();
  for (const form of forms) expect(text).not.toContain(form);
}

/** The item after a job whose time is up once the status has its error. */
async function timeOutWithError(): Promise<DeployItem> {
  await scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  clock.leap(10 * 60_000);
  return await scope.waitForEnd("item");
}

describe("a secret value", () => {
  it("does not leave its manifest in a job that succeeds", async () => {
    await scope.createTarget();
    const fromResource = { apiVersion: "v1", kind: "Secret", name: "s", namespace: scope.namespace };
    const exports = { exports: [{ key: "password", jsonPath: ".data.password", fromResource }] };
    await scope.create({ name: "item", spec: specOf([secret()], { exports }) });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    await expectNoSecrets();
    await scope.remove("item");
    await scope.waitUntilGone("item");
    await expectNoSecrets();
  });

  it.each([
    ["as a label that is none", { labels: { tier: sentinel } }],
    ["as a name that is none of ours", { annotations: { [sentinel]: "x" } }],
    ["as a finalizer", { finalizers: [sentinel] }],
  ])("does not come back with the target server's refusal: %s", async (_name, metadata) => {
    await scope.createTarget();
    await scope.create({ name: "item", spec: specOf([secret(metadata), configMap(`${scope.namespace}/ok`)]) });
    const { status } = await timeOutWithError();
    expect(status?.phase).toBe("Failed");
    expect(status?.firstError?.message).toMatch(new RegExp(`^create Secret ${scope.namespace}/s: `));
    await waitFor(async () => {
      const { items } = await fixture.hubClient.list(kubeResources.event, { namespace: scope.namespace });
      return items.length > 0;
    });
    await expectNoSecrets();
  });

  it("does not come back from a value of the wrong type", async () => {
    await scope.createTarget();
    const broken = { ...secret(), immutable: sentinel };
    await scope.create({ name: "item", spec: specOf([broken]) });
    expect((await timeOutWithError()).status?.phase).toBe("Failed");
    await expectNoSecrets();
  });

  it("does not stand in errors of the configuration", async () => {
    await scope.createTarget();
    const spec = specOf([{ policy: sentinel, manifest: secret() }]);
    await scope.create({ name: "item", spec });
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Failed");
    await expectNoSecrets();
  });

  it.each([
    ["that is no YAML", `a: [${sentinel}`],
    ["without context", `token: ${JSON.stringify(sentinel)}`],
    [
      "that names a file",
      JSON.stringify({
        "current-context": "c",
        contexts: [{ name: "c", context: { cluster: "x", user: "u" } }],
        clusters: [{ name: "x", cluster: { server: "https://127.0.0.1:1" } }],
        users: [{ name: "u", user: { token: sentinel, tokenFile: "/x", "client-key": "/y" } }],
      }),
    ],
  ])("does not come out of a kubeconfig %s", async (_name, kubeconfig) => {
    await scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    await scope.create({ name: "item", spec: specOf([configMap(`${scope.namespace}/a`)]) });
    expect((await timeOutWithError()).status?.phase).toBe("Failed");
    await expectNoSecrets();
  });

  it("does not come out of a target that cannot be reached", async () => {
    const kubeconfig = fixture.target.kubeconfig
      .replace(/server: .*/, "server: https://127.0.0.1:1")
      .replace(/token: .*/, `token: ${JSON.stringify(sentinel)}`);
    await scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    await scope.create({ name: "item", spec: specOf([secret()]) });
    expect((await timeOutWithError()).status?.phase).toBe("Failed");
    await expectNoSecrets();
  });

  it("does not come out of a target that does not know us", async () => {
    const kubeconfig = fixture.target.kubeconfig.replace(/token: .*/, "token: sentinel-4711");
    await scope.createTarget({
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    await scope.create({ name: "item", spec: specOf([secret()]) });
    const { status } = await scope.waitForEnd("item");
    expect([status?.phase, status?.lastError?.codes]).toEqual(["Failed", ["ERR_UNAUTHORIZED"]]);
    await expectNoSecrets();
  });
});
