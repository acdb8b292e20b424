// The core is killed, or its answer lost, at every write of deployer management.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, labels, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import {
  armDeath,
  shareOfDeaths,
  startEmbeddedCluster,
  startTestDeployer,
  waitFor,
  type EmbeddedCluster,
  type TestDeployer,
  type TestNamespace,
} from "@landscaper/testkit";
import type { FaultRequest } from "@landscaper/local-cluster";
import { Renderer } from "../rendering/renderer.ts";
import { startTestCore, type TestCore } from "../../test/core.ts";
import { environment, managementSettings, registration } from "../../test/deployer-management.ts";
import { takeSnapshot } from "../../test/snapshot.ts";

let cluster: EmbeddedCluster;
let deployer: TestDeployer;
let namespace: TestNamespace;
const renderer = new Renderer();
let instances = 0;

beforeAll(async () => {
  cluster = await startEmbeddedCluster({ crds: true });
  namespace = await cluster.createNamespace("ls-system");
  deployer = startTestDeployer(cluster.connect("deployer"));
});
afterAll(async () => {
  await deployer.stop();
  await renderer.close();
  await cluster.stop();
});

const managed = new Set([
  "environments",
  "deployerregistrations",
  "installations",
  "targets",
  "serviceaccounts",
  "clusterroles",
  "clusterrolebindings",
  "rolebindings",
]);

/** Writes of deployer management; those of Installations' jobs are struck at in crash.test.ts. */
function isManagementWrite({ verb, resource, subresource }: FaultRequest): boolean {
  const isWrite = ["create", "update", "patch", "delete"].includes(verb);
  return isWrite && managed.has(resource) && !(resource === "installations" && subresource === "status");
}

const until = (condition: () => Promise<boolean>): Promise<unknown> => waitFor(condition);

async function listAll(): Promise<string[]> {
  const describeObject = ({ kind, metadata }: KubeObject): string =>
    `${kind} ${metadata.name} ${metadata.finalizers?.join() ?? ""}`;
  const list = async (type: ResourceType, labelSelector?: string): Promise<string[]> =>
    (await cluster.client.list(type, { labelSelector })).items.map(describeObject);
  const byLabel = labels.deployerEnvironment;
  const lists = await Promise.all([
    list(resources.environment),
    list(resources.deployerRegistration),
    list(kubeResources.serviceAccount, byLabel),
    list(kubeResources.clusterRoleBinding, byLabel),
    list(kubeResources.roleBinding, byLabel),
  ]);
  const jobs = (await takeSnapshot(namespace)).map((line) => line.replaceAll(/token: \S+|"kubeconfig":".*"/g, "***"));
  return [...lists.flat(), ...jobs].toSorted();
}

interface Step {
  readonly name: string;
  readonly run: () => Promise<void>;
  /** What follows needs it. */
  readonly isNeeded: boolean;
}

const steps: readonly Step[] = [
  {
    name: "install",
    isNeeded: true,
    run: async () => {
      await cluster.client.create(resources.environment, environment("env"));
      await cluster.client.create(resources.deployerRegistration, registration("mock"));
      await until(async () => {
        const { status } = await cluster.client.get(resources.environment, { name: "env" });
        return status?.phase === "Succeeded" && status.succeeded === "1/1";
      });
    },
  },
  {
    name: "change",
    isNeeded: false,
    run: async () => {
      const body = { spec: registration("mock", { version: "v2" }).spec };
      await cluster.client.patch(resources.deployerRegistration, { name: "mock" }, { type: "merge", body });
      await until(async () => {
        const { metadata, status } = await namespace.get(resources.installation, "mock-env");
        return metadata.generation !== 1 && status?.observedGeneration === metadata.generation;
      });
      await namespace.untilPhase("mock-env", "Succeeded");
    },
  },
  {
    name: "remove",
    isNeeded: true,
    run: async () => {
      await cluster.client.delete(resources.deployerRegistration, { name: "mock" });
      await until(
        async () => (await cluster.client.find(resources.deployerRegistration, { name: "mock" })) === undefined,
      );
      await cluster.client.delete(resources.environment, { name: "env" });
      const body = { metadata: { finalizers: [] } };
      await until(async () => {
        const found = await cluster.client.find(resources.environment, { name: "env" });
        return found?.metadata.finalizers?.length === 1;
      });
      await cluster.client.patch(resources.environment, { name: "env" }, { type: "merge", body });
      await until(async () => (await namespace.find(resources.target, "env")) === undefined);
      await until(
        async () => (await namespace.find(kubeResources.serviceAccount, "environment.env.mock")) === undefined,
      );
    },
  },
];

describe("after every write of deployer management", () => {
  it("the core is killed, or its answer is lost, in turn: all ends as it would have", async () => {
    const expected = new Map<string, readonly string[]>();
    const connect = (): TestCore => {
      instances += 1;
      return startTestCore(cluster.connect(`core-${instances}`), { renderer, deployerManagement: managementSettings });
    };
    const undisturbed = connect();
    for (const { name, run } of steps) {
      await run();
      expected.set(name, await listAll());
    }
    await undisturbed.stop();
    let deaths = 0;
    // Those that have this many writes.
    const pending = new Set(steps);
    const share = shareOfDeaths();
    for (let write = share.first; pending.size > 0; write += share.step) {
      let core = connect();
      for (const [index, step] of steps.entries()) {
        if (!pending.has(step) && !step.isNeeded) continue;
        const { name, run } = step;
        const isKilled = share.isKilledAt(write, index);
        let restarted: Promise<void> = Promise.resolve();
        const armed = armDeath([cluster.server], {
          death: { write, mode: "drop-answer" },
          userAgent: "core-",
          processOf: (userAgent) => userAgent,
          isCounted: isManagementWrite,
          survives: !isKilled,
          onDeath: () => {
            if (!isKilled) return;
            const old = core;
            core = connect();
            restarted = old.kill();
          },
        });
        await run();
        await restarted;
        await until(async () => JSON.stringify(await listAll()) === JSON.stringify(expected.get(name))).catch(
          () => undefined,
        );
        expect({ write, name, left: await listAll() }).toEqual({ write, name, left: expected.get(name) });
        armed.disarm();
        if (armed.hasDied) deaths += 1;
        else pending.delete(step);
      }
      await core.stop();
    }
    expect(deaths).toBeGreaterThan(20 / share.step);
  }, 600_000);
});
