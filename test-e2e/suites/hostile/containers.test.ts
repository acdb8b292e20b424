// What a tenant asks of the container deployer, and what its programs leave, reaches nothing of the host, of the deployer and of other tenants.
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { deployerApiVersion, kubeResources, resources, type DeployItem, type Pod } from "@landscaper/api";
import { containerLabels } from "@landscaper/container-deployer-lib";
import { startPodRunner, type PodRunner, type ProgramContext } from "@landscaper/container-deployer-lib/testing";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { createNamespace, waitFor } from "@landscaper/testkit";
import { createTenant, type Tenant } from "../../hostile/tenant.ts";
import { findDisturbances, readVitals } from "../../hostile/vitals.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { harnessNamespace } from "../../src/clusters/service-token.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const gibibyte = 1024 ** 3;
const allowed = "registry.example/allowed";
/** Beyond what an idle deployer has. */
const mostMiB = 220;

/** What its program does, by the name of the item. */
type Programs = Readonly<Record<string, (context: ProgramContext) => number | Promise<number>>>;

function pathIn({ env }: ProgramContext, variable: string): string {
  const path = env[variable] ?? "";
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** A file without content of its own: the disk has none of it. */
function writeSparse(file: string, bytes: number): void {
  writeFileSync(file, "");
  truncateSync(file, bytes);
}

const untilStopped = async ({ signal }: ProgramContext): Promise<number> => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  return 143;
};

const programs: Programs = {
  "large-exports": (context) => {
    writeSparse(pathIn(context, "EXPORTS_PATH"), gibibyte);
    return 0;
  },
  "large-state": (context) => {
    writeSparse(join(pathIn(context, "STATE_PATH"), "data"), gibibyte);
    return 0;
  },
  "many-files": (context) => {
    const state = pathIn(context, "STATE_PATH");
    for (let file = 0; file <= 50_000; file++) writeFileSync(join(state, String(file)), "");
    return 0;
  },
  "large-log": ({ log }) => {
    for (let line = 0; line < 100; line++) log("x".repeat(1024 ** 2));
    return 1;
  },
  "export-link": (context) => {
    // Where wait has its files, and on a node its token.
    symlinkSync("../../wait/internal/job.json", pathIn(context, "EXPORTS_PATH"));
    return 0;
  },
  "state-link": (context) => {
    const state = pathIn(context, "STATE_PATH");
    rmSync(state, { recursive: true });
    symlinkSync("../wait/internal", state);
    return 0;
  },
  "link-in-state": (context) => {
    symlinkSync("/etc/passwd", join(pathIn(context, "STATE_PATH"), "passwd"));
    return 0;
  },
  waits: untilStopped,
};

const config = (fields: object = {}) => ({
  apiVersion: deployerApiVersion("container"),
  kind: "ProviderConfiguration",
  image: `${allowed}/program:1`,
  ...fields,
});
const spec = (fields: object = {}) => ({
  type: "landscaper.gardener.cloud/container",
  timeout: "2m",
  config: config(fields),
});

describe.each(clustersUnderTest())("container items of a tenant on %s", (cluster) => {
  let environment: Environment;
  let pods: PodRunner;
  let tenant: Tenant;
  let victim: TestNamespace;
  /** The tenant's namespace, and what the tenant may do there. */
  let scope: DeployerScope;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["container-deployer"],
      configs: { "container-deployer": { namespace: harnessNamespace, allowedImages: [allowed] } },
    });
    const { client, hub, targetKubeconfig } = environment;
    pods = startPodRunner({
      client,
      server: hub.url,
      ca: hub.ca,
      namespace: harnessNamespace,
      program: async (context) => {
        const { item = "" } = pods.started.find(({ pod }) => pod === context.env["POD_NAME"]) ?? {};
        return (await programs[item]?.(context)) ?? 0;
      },
    });
    victim = await environment.namespace("crossed");
    // As if the tenant had been given it by chance: with an item of the right name its plain names are those of the victim's item.
    const namespace = victim.name.slice(0, victim.name.lastIndexOf("-"));
    await createNamespace(client, namespace);
    tenant = await createTenant(hub, namespace);
    scope = createDeployerScope({ hubClient: tenant.client, targetKubeconfig, namespace, timeoutMs: 60_000 });
  });
  afterAll(async () => {
    await tenant.close();
    await pods.stop();
    await environment.stop();
  });

  const podsOf = async (item: string): Promise<readonly Pod[]> =>
    (await pods.pods.pods()).filter(({ metadata }) => metadata.labels?.[containerLabels.itemName] === item);

  async function errorOf(name: string, fields: object = {}): Promise<string> {
    await scope.create({ name, spec: spec(fields) });
    const { status } = await scope.waitForEnd(name);
    expect([name, status?.phase]).toEqual([name, "Failed"]);
    return `${status?.lastError?.reason}: ${status?.lastError?.message}`;
  }

  it("get a Pod without anything that they ask of the host beside their program", async () => {
    const asked = {
      namespace: "kube-system",
      serviceAccountName: "default",
      hostNetwork: true,
      volumes: [{ name: "host", hostPath: { path: "/" } }],
      volumeMounts: [{ name: "host", mountPath: "/host" }],
      hostPath: "/",
      securityContext: { privileged: true, runAsUser: 0 },
      nodeName: "control-plane",
      tolerations: [{ operator: "Exists" }],
      env: [{ name: "OPERATION", value: "DELETE" }],
    };
    await scope.create({ name: "plain", spec: spec() });
    await scope.create({ name: "asks", spec: spec(asked) });
    const specOf = async (item: string): Promise<unknown> => {
      // One that still has its gate would differ in that.
      const pod = await waitFor(async () =>
        (await podsOf(item)).find(({ spec: of }) => of?.["schedulingGates"] === undefined),
      );
      const text = JSON.stringify({ namespace: pod.metadata.namespace, spec: pod.spec });
      return JSON.parse(text.replaceAll(item, "ITEM").replaceAll(/"activeDeadlineSeconds":\d+/g, '"seconds":0'));
    };
    const [plain, asks] = await Promise.all([specOf("plain"), specOf("asks")]);
    expect(asks).toEqual(plain);
    const { status } = await scope.waitForEnd("asks");
    const warnings = status?.conditions?.find(({ type }) => type === "Warnings")?.message ?? "";
    expect([status?.phase, Object.keys(asked).filter((field) => !warnings.includes(`"${field}"`))]).toEqual([
      "Succeeded",
      [],
    ]);
  });

  it("run no image that is not allowed, whatever its name begins with", async () => {
    const images = [
      "registry.example/allowed-not/program:1",
      "registry.example/other:1",
      "registry.example:5000/allowed/x",
    ];
    for (const [index, image] of images.entries()) {
      const name = `image-${index}`;
      expect(await errorOf(name, { image })).toMatch(/^ImageNotAllowed: spec\.config: image: image \S+ is not allowed/);
      expect(await podsOf(name)).toEqual([]);
    }
    expect(pods.started.filter(({ item }) => item.startsWith("image-"))).toEqual([]);
  });

  it("take no pull secret of another namespace", async () => {
    const auth = { "registry.example": { username: "of-the-victim", password: "of-the-victim" } };
    const stringData = { ".dockerconfigjson": JSON.stringify({ auths: auth }) };
    const type = "kubernetes.io/dockerconfigjson";
    await victim.apply({ apiVersion: "v1", kind: "Secret", metadata: { name: "pull" }, type, stringData });
    expect(await errorOf("thief", { registryPullSecrets: [{ name: "pull", namespace: victim.name }] })).toContain(
      `spec.config: registryPullSecrets[0].namespace: expected "${scope.namespace}", the namespace of the item, found "${victim.name}"`,
    );
    expect(await podsOf("thief")).toEqual([]);
  });

  it("have nothing kept that is outside of their volume", async () => {
    const wanted = {
      "export-link": "ExportsRefused: exports: EXPORTS_PATH is a link; expected a file",
      "state-link": "StateRefused: state: STATE_PATH is a link; expected a folder",
      "link-in-state": 'StateRefused: state: "passwd" is a link; expected files and folders',
    };
    for (const [name, message] of Object.entries(wanted)) {
      expect(await errorOf(name)).toContain(message);
      const kept = (await pods.pods.objects()).filter(
        ({ object }) => object.metadata.labels?.[containerLabels.itemName] === name,
      );
      const types = kept.map(({ object }) => object.metadata.labels?.[containerLabels.type] ?? "");
      expect(types.filter((type) => /^(state|export)/.test(type))).toEqual([]);
    }
  });

  it("leave more than is allowed, and neither is it kept, nor does the deployer feel it", async () => {
    const service = environment.service("container-deployer");
    const place = { client: environment.client, leaseNamespace: harnessNamespace };
    const before = await readVitals(service, place);
    expect(await errorOf("large-exports")).toContain(
      "EXPORTS_PATH has 1073741824 bytes, more than the allowed 1000000",
    );
    expect(await errorOf("large-state")).toContain("StateRefused: state: ");
    expect(await errorOf("many-files")).toContain("StateRefused: state: ");
    await scope.create({ name: "large-log", spec: spec() });
    const { status } = await scope.waitForEnd("large-log");
    expect(status?.lastError?.message).toMatch(/has ended with exit code 1/);
    expect(JSON.stringify(status).length).toBeLessThan(20_000);
    const after = await readVitals(service, place);
    expect(findDisturbances(before, after)).toEqual([]);
    expect(after.peakRssMiB).toBeLessThan(mostMiB);
  });

  describe("beside those of another tenant", () => {
    let theirs: DeployerScope;
    const crossedName = (): string => `${victim.name.slice(victim.name.lastIndexOf("-") + 1)}-waits`;
    beforeAll(async () => {
      const { client: hubClient, targetKubeconfig } = environment;
      theirs = createDeployerScope({ hubClient, targetKubeconfig, namespace: victim.name, timeoutMs: 60_000 });
      await theirs.create({ name: "waits", spec: spec({ importValues: { password: "of-the-victim" } }) });
      await waitFor(() => pods.started.some(({ namespace }) => namespace === victim.name));
    });

    it("share no object of the host, although their names are one", async () => {
      const name = crossedName();
      await scope.create({ name, spec: spec() });
      expect((await scope.waitForEnd(name)).status?.phase).toBe("Succeeded");
      const { metadata } = await theirs.get("waits");
      const objects = await pods.pods.objects();
      const ofVictim = objects.filter(({ object }) => object.metadata.labels?.[containerLabels.uid] === metadata.uid);
      expect(ofVictim.map(({ object }) => object.metadata.name)).toContain(`${victim.name}-waits-config`);
      const others = objects.filter((each) => !ofVictim.includes(each));
      expect(JSON.stringify(others)).not.toContain(Buffer.from('{"password":"of-the-victim"}').toString("base64"));
      await scope.remove(name);
      await scope.waitUntilGone(name);
      const left = new Set((await pods.pods.objects()).map(({ object }) => object.metadata.uid));
      expect(ofVictim.filter(({ object }) => !left.has(object.metadata.uid))).toEqual([]);
    });

    it("do not end or take over a Pod that their status names", async () => {
      const { providerStatus } = (await theirs.get("waits")).status ?? {};
      await scope.create({ name: "forger", spec: spec() });
      await scope.waitForEnd("forger");
      const key = { namespace: scope.namespace, name: "forger" };
      const item = await tenant.client.get(resources.deployItem, key);
      const status = { observedGeneration: 0, ...item.status, ...(providerStatus && { providerStatus }) };
      await tenant.client.updateStatus<DeployItem>(resources.deployItem, { ...item, status });
      await scope.trigger("forger");
      await scope.waitForEnd("forger");
      await scope.remove("forger");
      await scope.waitUntilGone("forger");
      const [pod] = await podsOf("waits");
      expect([pod?.status?.phase, pod?.metadata.deletionTimestamp]).toEqual(["Running", undefined]);
      await theirs.interrupt("waits");
      await waitFor(async () => (await podsOf("waits")).length === 0);
    });
  });

  it("leave no Secret on the host that an event or a status of the tenant shows", async () => {
    const { items } = await environment.client.list(kubeResources.event, { namespace: scope.namespace });
    const all = await environment.client.list(resources.deployItem, { namespace: scope.namespace });
    expect(JSON.stringify([items, all.items])).not.toContain("of-the-victim");
  });
});
