// Items that wait for their targets are woken by watches, where the target allows them.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "@jest/globals";
import type { KubeObject, ResourceType, UnstructuredObject } from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { waitFor, type ApiProxy, startApiProxy, noFaults, createKubeconfig } from "@landscaper/testkit";
import type { ItemScope } from "../src/items/item-scope.ts";
import { referenceOf } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";

/** Of an item that waits so long, the polls would come every 5 s. */
const waitMs = 20_000;
/** An idle machine takes some milliseconds; a pass that nobody wakes comes after 25 to 35 s. */
const soonMs = 5000;

function readyWhen(object: UnstructuredObject): object {
  const requirements = [{ jsonPath: ".data.ready", operator: "==", values: [{ value: "yes" }] }];
  return { readinessChecks: { custom: [{ name: "ready", resourceSelector: [referenceOf(object)], requirements }] } };
}

const ready = { data: { ready: "yes" } };

describe.each(clustersUnderTest())("waiting on %s", (cluster) => {
  let proxy: ApiProxy | undefined;
  /** "METHOD path" of what the deployer asked its targets, without watches. */
  let asked: string[] = [];
  const suite = useManifestDeployer({
    cluster,
    separateTarget: false,
    async kubeconfigFor(_service, hub) {
      const onAnswer = ({ method, path }: { method: string; path: string }): void =>
        void asked.push(`${method} ${path}`);
      proxy = await startApiProxy({ upstream: { url: hub.url, ca: hub.ca }, token: hub.token, onAnswer });
      return undefined;
    },
    targetKubeconfig: () => started().kubeconfig,
  });
  afterAll(async () => proxy?.stop());
  afterEach(() => proxy?.setPlan(noFaults));
  function started(): ApiProxy {
    if (proxy === undefined) throw new Error("the proxy is not started yet");
    return proxy;
  }

  async function startWaiting(scope: ItemScope, name: string, target?: string): Promise<void> {
    const object = scope.configMap(name);
    await scope.start(name, [object], { config: readyWhen(object), timeout: "5m", ...(target && { target }) });
    await scope.waitForMessage(name, "waiting for readiness of check ready");
  }
  const readsOf = (scope: ItemScope, name: string): number =>
    asked.filter((request) => request === `GET /api/v1/namespaces/${scope.place}/configmaps/${name}`).length;

  async function expectSoon(work: () => Promise<unknown>): Promise<void> {
    const began = performance.now();
    await work();
    expect(performance.now() - began).toBeLessThan(soonMs);
  }

  it("notices readiness at once after a long time without a question", async () => {
    const scope = await suite.open("ready");
    await startWaiting(scope, "item");
    // It looks once more when the watch stands.
    await sleep(2000);
    asked = [];
    await sleep(waitMs);
    expect(readsOf(scope, "item")).toBeLessThanOrEqual(1);
    await scope.edit("item", ready);
    await expectSoon(async () => {
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });
  });

  it("notices that a deletion is over", async () => {
    const scope = await suite.open("gone");
    await scope.deploy("item", [scope.configMap("held", {}, { finalizers: ["example.org/hold"] })]);
    await scope.remove("item");
    await scope.waitForMessage("item", `waiting for the deletion of ConfigMap ${scope.place}/held`);
    await sleep(7000);
    await scope.edit("held", { metadata: { finalizers: null } });
    await expectSoon(() => scope.waitUntilGone("item"));
  });

  it("goes on after the connection was lost, whatever happened meanwhile", async () => {
    const scope = await suite.open("away");
    for (const name of ["cut", "away"]) await startWaiting(scope, name);
    await sleep(2000);
    expect(started().cutWatches()).toBeGreaterThan(0);
    await scope.edit("cut", ready);
    await expectSoon(() => scope.waitForEnd("cut"));
    await started().goAway();
    try {
      await scope.edit("away", ready);
      await sleep(3000);
    } finally {
      await started().comeBack();
    }
    // Whichever comes first: the watch, or the next attempt after a failure.
    const began = performance.now();
    expect((await scope.waitForEnd("away")).status?.phase).toBe("Succeeded");
    expect(performance.now() - began).toBeLessThan(waitMs);
  });

  it("polls where watching is forbidden", async () => {
    const scope = await suite.open("forbidden");
    const kubeconfig = await createWatchlessKubeconfig(scope);
    await scope.createTarget({
      metadata: { name: "watchless" },
      spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
    });
    let refused = 0;
    started().setPlan(({ path }) => {
      if (!path.includes("/configmaps") || !/[?&](watch|fieldSelector)=/.test(path)) return { type: "pass" };
      refused++;
      // The embedded API server asks nobody for rights: the proxy says what the real one does.
      return cluster === "embedded" ? { type: "answer", status: 403 } : { type: "pass" };
    });
    await startWaiting(scope, "item", "watchless");
    const before = readsOf(scope, "item");
    await waitFor(() => readsOf(scope, "item") >= before + 4);
    expect(refused).toBeGreaterThan(0);
    // Not again and again.
    expect(refused).toBeLessThan(10);
    await scope.edit("item", ready);
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  /** Of an account that may do with ConfigMaps what a job needs, but neither list nor watch them. */
  async function createWatchlessKubeconfig(scope: ItemScope): Promise<string> {
    const { targetClient } = suite.environment;
    const namespace = scope.place;
    const account = { namespace, name: "watchless" };
    const create = async (kind: string, fields: Readonly<Record<string, unknown>>): Promise<void> => {
      const apiVersion = "rbac.authorization.k8s.io/v1";
      const plural = `${kind.toLowerCase()}s`;
      const type: ResourceType = { group: "rbac.authorization.k8s.io", version: "v1", kind, plural, namespaced: true };
      const object: KubeObject = { apiVersion, kind, metadata: account, ...fields };
      await targetClient.create(type, object);
    };
    await targetClient.create(kubeResources.serviceAccount, {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: account,
    });
    const verbs = ["get", "create", "update", "patch", "delete"];
    await create("Role", { rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }] });
    await create("RoleBinding", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account.name },
      subjects: [{ kind: "ServiceAccount", ...account }],
    });
    const token = await requestToken(targetClient, account);
    const { server, ca } = connectionFromKubeconfig(started().kubeconfig);
    return createKubeconfig({ name: "watchless", server, ca, user: { token } });
  }
});
