// The whole process of the agent is killed, or loses an answer, at every write that it makes on its host and on the landscaper cluster.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { isJobOpen, kubeResources, labels, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { createDeployerScope, type DeployerScope } from "@landscaper/deployer/testing";
import { createHelmDeployer } from "@landscaper/helm-deployer-lib";
import { helmSpec, rawChart } from "@landscaper/helm-deployer-lib/testing";
import { armDeath, shareOfDeaths, waitFor } from "@landscaper/testkit";
import {
  createHostTarget,
  environment,
  hostNamespace,
  startAgentClusters,
  type AgentClusters,
  type StartedAgent,
} from "../test/agent-clusters.ts";

let clusters: AgentClusters;
let scope: DeployerScope;
const deployer = createHelmDeployer({ version: "v0.0.0-test" });
beforeAll(async () => {
  clusters = await startAgentClusters({ deployer });
  scope = createDeployerScope({ hubClient: clusters.hub.client, targetKubeconfig: "", namespace: "ls-system" });
});
afterAll(async () => {
  await clusters.stop();
  await deployer.close();
});

const role = { name: `landscaper:agent:deployer:${environment}` };
const targetKey = { namespace: "ls-system", name: environment };

async function specOf(value: string): Promise<ReturnType<typeof helmSpec>> {
  const map = "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: deployer }\ndata: { value: {{ .Values.value }} }\n";
  const config = { chart: await rawChart({ "templates/map.yaml": map }), helmDeployment: false, values: { value } };
  return { ...helmSpec(hostNamespace, config), target: { name: environment } };
}

const untilMade = (type: ResourceType, key: { readonly namespace?: string; readonly name: string }) =>
  waitFor(async () => (await clusters.hub.client.find(type, key)) !== undefined);

/** What core and users do; the agent does the rest. */
const steps: readonly { readonly name: string; readonly run: () => Promise<void> }[] = [
  {
    name: "install",
    run: async () => {
      await untilMade(resources.environment, { name: environment });
      await createHostTarget(clusters.hub, "ls-system");
      await scope.create({ name: "deployer", spec: await specOf("first") });
    },
  },
  {
    name: "change",
    run: async () => {
      const { hub, host } = clusters;
      await host.client.patch(kubeResources.clusterRole, role, { type: "merge", body: { rules: [] } });
      await host.client.patch(kubeResources.clusterRoleBinding, role, { type: "merge", body: { subjects: [] } });
      const body = { spec: { namespace: "elsewhere" } };
      await hub.client.patch(resources.environment, { name: environment }, { type: "merge", body });
      await scope.trigger("deployer", await specOf("second"));
    },
  },
  {
    name: "remove",
    run: async () => {
      await scope.remove("deployer");
      await scope.waitUntilGone("deployer");
      await clusters.hub.client.delete(resources.target, targetKey);
      await clusters.hub.client.delete(resources.environment, { name: environment });
    },
  },
];

/** What there is on both sides, without what differs between two good runs. */
async function listAll(): Promise<readonly string[]> {
  const { hub, host } = clusters;
  const found = await hub.client.find(resources.environment, { name: environment });
  const { finalizers, deletionTimestamp } = found?.metadata ?? {};
  const { sealingKey, ...spec } = found?.spec ?? {};
  const items = (await hub.client.list(resources.deployItem)).items.map(({ metadata, status }) => {
    const job = isJobOpen(status) ? "open" : "ended";
    return `${metadata.name} ${status?.phase} ${job} ${JSON.stringify(status?.lastError?.reason)}`;
  });
  const labelSelector = `${labels.deployerEnvironment}=${environment}`;
  const kinds: readonly ResourceType[] = [
    kubeResources.serviceAccount,
    kubeResources.clusterRole,
    kubeResources.clusterRoleBinding,
    kubeResources.secret,
  ];
  const lists = await Promise.all([
    host.client.list(kubeResources.configMap, { namespace: hostNamespace, fieldSelector: "metadata.name=deployer" }),
    ...kinds.map(async (type) => await host.client.list(type, { labelSelector })),
  ]);
  const objects = lists
    .flatMap(({ items: all }): readonly KubeObject[] => all)
    .map(({ kind, metadata, ...content }) => {
      const text = kind === "Secret" ? "" : JSON.stringify(content);
      return `${kind} ${metadata.name} ${text}`;
    });
  const state = JSON.stringify([spec, typeof sealingKey, finalizers, deletionTimestamp !== undefined]);
  return [state, ...items, ...objects.toSorted()];
}

const uncounted = new Set(["leases", "events", "selfsubjectrulesreviews"]);

function isCountedWrite({ verb, resource }: { readonly verb: string; readonly resource: string }): boolean {
  return ["create", "update", "patch", "delete"].includes(verb) && !uncounted.has(resource);
}

/** For the next round: without an agent, which would make the Environment again. */
async function forget(): Promise<void> {
  const body = { metadata: { finalizers: [] } };
  await clusters.hub.client.patch(resources.environment, { name: environment }, { type: "merge", body });
}

async function untilSettled(): Promise<readonly string[]> {
  let last = "";
  await waitFor(
    async () => {
      const now = JSON.stringify(await listAll());
      const isSame = now === last;
      last = now;
      return isSame;
    },
    { intervalMs: 500 },
  );
  return await listAll();
}

describe("after every write of the agent, on both sides", () => {
  it("it is killed, or its answer is lost, in turn: all ends as it would have", async () => {
    const { hub, host } = clusters;
    const expected = new Map<string, readonly string[]>();
    const undisturbed = await clusters.start();
    for (const { name, run } of steps) {
      await run();
      if (name !== "remove") await scope.waitForEnd("deployer");
      expected.set(name, await untilSettled());
    }
    await undisturbed.stop();
    await forget();
    const has = (name: string, part: string) => expected.get(name)?.some((line) => line.includes(part));
    expect([has("install", '"value":"first"'), has("change", '"value":"second"')]).toEqual([true, true]);
    // Only the Environment, with the agent's finalizer.
    expect(expected.get("remove")).toHaveLength(1);
    let deaths = 0;
    const writes = new Set<string>();
    const share = shareOfDeaths();
    for (let write = share.first, found = true; found; write += share.step) {
      found = false;
      let agent: StartedAgent | undefined;
      for (const [index, { name, run }] of steps.entries()) {
        const isKilled = share.isKilledAt(write, index);
        let restarted: Promise<void> = Promise.resolve();
        const armed = armDeath([hub.server, host.server], {
          death: { write, mode: "drop-answer" },
          isCounted: isCountedWrite,
          userAgent: "helm.deployer.landscaper.gardener.cloud/",
          survives: !isKilled,
          onDeath: () => {
            if (isKilled) restarted = restart();
          },
        });
        const restart = async (): Promise<void> => {
          await agent?.stop();
          armed.disarm();
          agent = await clusters.start();
        };
        agent ??= await clusters.start();
        await run();
        const isAsExpected = async () => JSON.stringify(await listAll()) === JSON.stringify(expected.get(name));
        await waitFor(isAsExpected).catch(() => undefined);
        await restarted;
        expect({ write, name, left: await listAll() }).toEqual({ write, name, left: expected.get(name) });
        armed.disarm();
        for (const each of armed.writes) writes.add(`${name}: ${each}`);
        if (armed.hasDied) {
          deaths += 1;
          found = true;
        }
      }
      await agent?.stop();
      await forget();
    }
    expect([...writes]).toEqual(
      expect.arrayContaining(["install: create environments ", "install: create configmaps "]),
    );
    expect(deaths).toBeGreaterThan(20 / share.step);
  }, 300_000);
});
