// The process of an agent is killed, or loses the answer, after writes of its jobs, those on its host included: a proxy before both clusters counts them.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { agentFinalizer, kubeResources, labels, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { noFaults, startApiProxy, strikeAtWrite, type ApiProxy, type FaultPlan } from "@landscaper/testkit";
import {
  mapRegistration,
  startAgentLandscape,
  type AgentLandscape,
  type AgentProcess,
} from "../agent/agent-landscape.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import { shareOfTurn, shareSteps, type Share } from "../src/runs/turns.ts";

/** More writes than any job needs: a job that never gets done must not run for ever. */
const maxWrites = 60;

/** As in faults-killed: a sixth of the writes in a run, and other ones for kills than for lost answers; the crash test of the package has all of them. */
function shareOf(shift: number): Share {
  const turn = isWholeRun("agent-killed") ? undefined : process.env["E2E_TURN"];
  return shareOfTurn(turn, { step: shareSteps.killedWrites, shift });
}

describe.each(clustersUnderTest())("after every API write of an agent on %s", (cluster) => {
  let landscape: AgentLandscape;
  let proxy: ApiProxy;
  let agent: AgentProcess;
  let own = "";
  /** Settles when the agent that was killed has started again; a failure to start belongs to the test in which it happened. */
  let restarted: Promise<void> = Promise.resolve();
  const usual = new Map<string, readonly string[]>();

  const pairKey = () => ({ namespace: landscape.namespace, name: `${own}-${landscape.name}` });

  async function untilStep(step: number): Promise<void> {
    const isDone = (object: KubeObject | undefined): boolean => Reflect.get(Object(object), "data")?.step === `${step}`;
    await landscape.until(kubeResources.configMap, pairKey(), isDone);
    await landscape.untilSucceeded("1/1");
  }

  const jobs: readonly { readonly name: string; readonly run: () => Promise<void> }[] = [
    {
      name: "install",
      run: async () => {
        await landscape.createEnvironment();
        await agent.start();
        await landscape.client.create(resources.deployerRegistration, await mapRegistration(own));
        await untilStep(1);
      },
    },
    {
      name: "change",
      run: async () => {
        const { spec } = await mapRegistration(own, { step: 2 });
        await landscape.client.patch(resources.deployerRegistration, { name: own }, { type: "merge", body: { spec } });
        await untilStep(2);
      },
    },
    {
      name: "remove",
      run: async () => {
        const { client, name, names, namespace, until } = landscape;
        await client.delete(resources.environment, { name });
        const isLeft = (object: KubeObject | undefined): boolean =>
          JSON.stringify(object?.metadata.finalizers) === JSON.stringify([agentFinalizer]);
        await until(resources.environment, { name }, isLeft);
        await until(kubeResources.serviceAccount, { namespace, name: names.account }, (object) => object === undefined);
      },
    },
  ];

  /** What the agent and its deployer have left, without what differs between two good runs. */
  async function describeAll(): Promise<readonly string[]> {
    const { client, name, namespace } = landscape;
    const labelSelector = `${labels.deployerEnvironment}=${name}`;
    const kinds: readonly ResourceType[] = [
      kubeResources.serviceAccount,
      kubeResources.clusterRole,
      kubeResources.clusterRoleBinding,
      kubeResources.role,
      kubeResources.roleBinding,
      kubeResources.secret,
      resources.installation,
    ];
    const lists = await Promise.all(kinds.map(async (type) => (await client.list(type, { labelSelector })).items));
    const objects = lists.flat().map(({ kind, metadata, ...content }) => {
      const rest = kind.startsWith("ClusterRole") ? JSON.stringify(content) : "";
      return `${kind} ${metadata.name} ${rest}`;
    });
    const { spec: all, metadata } = await client.get(resources.environment, { name });
    // Every life of an Environment has a key of its own.
    const { sealingKey, ...fields } = all;
    const spec = { ...fields, sealingKey: typeof sealingKey };
    const items = (await client.list(resources.deployItem, { namespace })).items.map(({ status }) => status?.phase);
    const map = await client.find(kubeResources.configMap, pairKey());
    return [JSON.stringify([spec, metadata.finalizers, items, map?.data]), ...objects.toSorted()];
  }

  async function cleanUp(): Promise<void> {
    const { client, name, until } = landscape;
    await agent.stop();
    await client.patch(resources.environment, { name }, { type: "merge", body: { metadata: { finalizers: [] } } });
    await client.delete(resources.deployerRegistration, { name: own });
    await until(resources.deployerRegistration, { name: own }, (object) => object === undefined);
    await until(resources.environment, { name }, (object) => object === undefined);
  }

  beforeAll(async () => {
    landscape = await startAgentLandscape({
      cluster,
      kubeconfigFor: async (token, { url, ca }) => {
        proxy ??= await startApiProxy({ upstream: { url, ca }, token });
        return proxy.kubeconfigFor(token);
      },
    });
    own = `one-${landscape.suffix}`;
    agent = await landscape.createAgent({ args: ["--lease-duration", "45s"] });
    for (const { name, run } of jobs) {
      await run();
      usual.set(name, await describeAll());
    }
    await cleanUp();
  }, 180_000);
  afterAll(async () => {
    await landscape.stop();
    await proxy.stop();
  });

  it("an undisturbed run leaves what the others are compared with", () => {
    const maps = jobs.map(({ name }) => /"step":"(\d)"/.exec(usual.get(name)?.[0] ?? "")?.[1]);
    expect(maps).toEqual(["1", "2", undefined]);
    expect(jobs.map(({ name }) => usual.get(name)?.length)).toEqual([11, 11, 1]);
  });

  const planKill = (n: number): FaultPlan => {
    let settle: (start: Promise<void>) => void = () => undefined;
    restarted = new Promise((resolve) => {
      settle = resolve;
    });
    restarted.catch(() => undefined);
    return strikeAtWrite(n, true, async () => {
      await agent.kill();
      settle(agent.start());
    });
  };
  const planLoss = (n: number): FaultPlan => {
    restarted = Promise.resolve();
    return ({ write }) => (write === n ? { type: "lose-answer" } : { type: "pass" });
  };

  it.each([
    ["it is killed", planKill, 0],
    ["its answer is lost", planLoss, 1],
  ] as const)(
    "%s, and the job ends as it would have",
    async (_name, planFor, shift) => {
      const { first, step } = shareOf(shift);
      const pending = new Set(jobs);
      let strikes = 0;
      for (let n = first; pending.size > 0; n += step) {
        expect({ pending: [...pending], n, endless: n > maxWrites }).toMatchObject({ endless: false });
        for (const job of jobs) {
          proxy.setPlan(pending.has(job) ? planFor(n) : noFaults);
          await job.run();
          const { writes, writeLog } = proxy;
          // No fault hits what the agent writes from here on. The last write of a job is seen before the process is killed for it.
          proxy.setPlan(noFaults);
          if (writes < n) pending.delete(job);
          else if (pending.has(job)) {
            strikes += 1;
            await restarted;
          }
          const at = { n, job: job.name, write: writeLog[n - 1] };
          expect({ ...at, left: await describeAll() }).toEqual({ ...at, left: usual.get(job.name) });
        }
        await cleanUp();
      }
      expect(strikes).toBeGreaterThan(10 / step);
    },
    1_200_000,
  );
});
