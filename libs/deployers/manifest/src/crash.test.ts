// The deployer is killed at each of its writes in turn, before the write is done or when only its answer is lost (`deathModesAt`).
// The next process has to end every job as the first one would have.
import { armDeath, deathModesAt, type Death, waitFor } from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture, type DeployerScope } from "@landscaper/deployer/testing";
import { createManifestDeployer } from "./index.ts";
import { configMap, specOf } from "../test/manifests.ts";

const deployer = createManifestDeployer("v0.0.0-test");

let fixture: DeployerFixture;
beforeAll(async () => {
  fixture = await createDeployerFixture();
});
afterAll(() => fixture.stop());

const arm = (death: Death) => armDeath([fixture.hub, fixture.target], { death, userAgent: deployer.name });

/** Runs `work` with a process that may die, then a new process. */
async function withDeath(death: Death, work: () => Promise<void>, isOver: () => Promise<boolean>): Promise<boolean> {
  const armed = arm(death);
  const first = fixture.start({ deployer, gracefulStopMs: 20 });
  await work();
  await waitFor(async () => armed.hasDied || (await isOver()));
  await first.stop();
  armed.disarm();
  const second = fixture.start({ deployer, gracefulStopMs: 20 });
  await waitFor(isOver);
  await second.stop();
  return armed.hasDied;
}

const n = "NAMESPACE";

/** All that is left, without what differs by nature: names of the namespace, uids (which must agree), times. */
async function describeState(scope: DeployerScope, items: readonly string[]): Promise<unknown> {
  const { namespace } = scope;
  const { items: configMaps } = await fixture.targetClient.list(kubeResources.configMap, { namespace });
  const { items: secrets } = await fixture.hubClient.list(kubeResources.secret, { namespace });
  const uids = new Map(configMaps.map(({ metadata }) => [metadata.uid, `uid of ${metadata.name}`]));
  const bare = ({ metadata, ...rest }: KubeObject & { data?: object }) => ({
    name: metadata.name,
    labels: metadata.labels,
    annotations: metadata.annotations,
    data: rest.data,
  });
  const statuses = await Promise.all(
    items.map(async (name) => {
      const { metadata, status } = await scope.get(name);
      uids.set(metadata.uid, `uid of item ${name}`);
      return {
        phase: status?.phase,
        isFinished: status?.jobID === status?.jobIDFinished,
        lastError: status?.lastError,
        exportRef: status?.exportRef,
        providerStatus: status?.providerStatus,
      };
    }),
  );
  const own = secrets.filter(({ type }) => type === "Opaque");
  const state = JSON.stringify({ configMaps: configMaps.map(bare), secrets: own.map(bare), statuses });
  const named = [...uids].reduce((text, [uid, name]) => text.replaceAll(uid ?? "", name), state);
  return JSON.parse(named.replaceAll(namespace, n));
}

interface Scenario {
  readonly name: string;
  /** Writes that a process makes in this scenario at least: so many deaths are tried. */
  readonly leastWrites: number;
  readonly prepare?: (scope: DeployerScope) => Promise<void>;
  readonly work: (scope: DeployerScope) => Promise<void>;
  readonly isOver: (scope: DeployerScope) => Promise<boolean>;
  readonly items: readonly string[];
}

function exportOf(namespace: string): Readonly<Record<string, unknown>> {
  const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace };
  return { exports: { exports: [{ key: "k", jsonPath: ".data.x", fromResource }] } };
}

const byApply = { updateStrategy: "apply" };

function firstSpec(namespace: string, more: object = {}) {
  const annotated = {
    policy: "manage",
    manifest: configMap(`${namespace}/a`, { x: "1" }),
    annotateBeforeCreate: { created: "yes" },
    patchAfterDeployment: { data: { after: "yes" } },
  };
  return specOf([annotated, configMap(`${namespace}/b`, { x: "1" })], { ...exportOf(namespace), ...more });
}

function secondSpec(namespace: string, more: object = {}) {
  const manifests = [configMap(`${namespace}/a`, { x: "2" }), configMap(`${namespace}/c`)];
  const { config } = specOf(manifests, { ...exportOf(namespace), ...more });
  return config === undefined ? {} : { config };
}

const isFinished = async (scope: DeployerScope): Promise<boolean> => {
  const { status } = await scope.get("item");
  return status?.jobID !== undefined && status.jobID === status.jobIDFinished;
};

const isGone = async (scope: DeployerScope): Promise<boolean> =>
  (await scope.get("item").catch(() => undefined)) === undefined;

async function deployFirst(scope: DeployerScope): Promise<void> {
  const running = fixture.start({ deployer, gracefulStopMs: 20 });
  await scope.create({ name: "item", spec: firstSpec(scope.namespace) });
  await scope.waitForEnd("item");
  await running.stop();
}

const scenarios: readonly Scenario[] = [
  {
    name: "deploy",
    leastWrites: 6,
    work: async (scope) => {
      await scope.create({ name: "item", spec: firstSpec(scope.namespace) });
    },
    isOver: isFinished,
    items: ["item"],
  },
  {
    name: "update",
    leastWrites: 6,
    prepare: deployFirst,
    work: async (scope) => {
      await scope.trigger("item", secondSpec(scope.namespace));
    },
    isOver: isFinished,
    items: ["item"],
  },
  {
    name: "deploy by apply",
    leastWrites: 6,
    work: async (scope) => {
      await scope.create({ name: "item", spec: firstSpec(scope.namespace, byApply) });
    },
    isOver: isFinished,
    items: ["item"],
  },
  {
    name: "update to apply",
    leastWrites: 7,
    prepare: deployFirst,
    work: async (scope) => {
      await scope.trigger("item", secondSpec(scope.namespace, byApply));
    },
    isOver: isFinished,
    items: ["item"],
  },
  {
    name: "delete",
    leastWrites: 4,
    prepare: deployFirst,
    work: (scope) => scope.remove("item"),
    isOver: isGone,
    items: [],
  },
];

let runs = 0;

/** The state at the end, and whether the process died on the way. */
async function run(scenario: Scenario, death: Death): Promise<{ readonly state: unknown; readonly hasDied: boolean }> {
  const scope = await fixture.scope(`crash-${++runs}`);
  await scope.createTarget();
  await scenario.prepare?.(scope);
  const isOver = (): Promise<boolean> => scenario.isOver(scope);
  const hasDied = await withDeath(death, () => scenario.work(scope), isOver);
  // The garbage collector of the hub takes the exports of a deleted item.
  await waitFor(async () => {
    const { items } = await fixture.hubClient.list(kubeResources.secret, { namespace: scope.namespace });
    return scenario.items.length > 0 || items.every(({ type }) => type !== "Opaque");
  });
  return { state: await describeState(scope, scenario.items), hasDied };
}

describe.each(scenarios)("$name", (scenario) => {
  const never: Death = { write: Number.POSITIVE_INFINITY, mode: "close" };

  it("ends as it would have, whichever write is the last of a process", async () => {
    const { state: wanted } = await run(scenario, never);
    let write = 0;
    for (let hasDied = true; hasDied; write++) {
      for (const mode of deathModesAt(write)) {
        const result = await run(scenario, { write, mode });
        expect({ write, mode, state: result.state }).toEqual({ write, mode, state: wanted });
        hasDied = result.hasDied;
      }
    }
    expect(write).toBeGreaterThan(scenario.leastWrites);
  }, 240_000);
});
