// Records the requests of a rollout once, and replays them with a client that does nothing else. A restored etcd snapshot gives each turn the same objects:
// otherwise the second turn would write objects without changing them.
import { resources, type KubeObject } from "@landscaper/api";
import { restoreSnapshot, takeSnapshot } from "../../cluster/etcd-snapshot.ts";
import type { Environment } from "../../src/services/environment.ts";
import { openWriteConnection } from "../measure/write-connection.ts";
import {
  createContractPicker,
  findSubject,
  planReplay,
  type ContractList,
  type ReplayGroup,
} from "../replay/plan-replay.ts";
import { openRecordedPlace, type RecordedPlace } from "../replay/record-exchanges.ts";
import { createRewriter } from "../replay/rewriter.ts";
import { runReplay } from "../replay/run-replay.ts";

/** Milliseconds of a rollout by a raw client, per deployer, before and after the product. */
export interface RawRollout {
  readonly before: number;
  readonly after: number;
}

export interface RolloutComparison {
  readonly environments: number;
  readonly productMsEach: number;
  /** The smallest list of requests that the contract allows. */
  readonly contract: RawRollout;
  /** Exactly the requests of the product and of its users. */
  readonly replay: RawRollout;
}

/**
 * The smallest list of requests that the contract allows for a new version of the blueprint in a registration (docs/reference/deployer-management.md). It has no
 * Events, which the contract does not promise, and no reads of kinds that the core watches.
 */
const lists: readonly (readonly [subject: RegExp, list: ContractList])[] = [
  [
    // A deployer of an Environment.
    /-env-/,
    {
      // The new blueprint.
      "PUT installations": 1,
      // The start: jobID and phase, before any work; the end: phase and jobIDFinished.
      "PUT installations/status": 2,
      // The rendered items have another label.
      "PUT executions": 1,
      // The core hands the job to the Execution; the end.
      "PUT executions/status": 2,
      // The item has another label.
      "PUT deployitems": 1,
      // The core hands the job to the deployer; the pickup claims it; the end.
      "PUT deployitems/status": 3,
    },
  ],
  // The summary of its deployers, when the last one has succeeded.
  [/^env-/, { "PATCH environments/status": 1 }],
  // The user's change; the summary of its deployers.
  [/^(one|two|three|four)$/, { "PATCH deployerregistrations": 1, "PATCH deployerregistrations/status": 1 }],
];

const subjectOf = findSubject(/\b((?:one|two|three|four)(?:-env-\d+)?|env-\d+)\b/);

export interface RolloutBench {
  readonly environment: Environment;
  readonly etcdUrl: string;
  readonly inFlight: number;
  readonly environments: number;
  readonly deployers: number;
  /** Configuration of the services, for the recording. */
  readonly configs: Parameters<typeof openRecordedPlace>[0]["configs"];
  /** Changes all registrations, and waits until all deployers have succeeded. */
  readonly rollOut: (client: RecordedPlace["client"]) => Promise<void>;
  /** Waits until the services have almost stopped writing. */
  readonly settle: () => Promise<void>;
}

/** Lists the objects whose writes name a resource version. */
async function listVersions({ client }: Environment): Promise<readonly KubeObject[]> {
  const types = [resources.installation, resources.execution, resources.deployItem];
  const lists = await Promise.all(types.map(async (type) => client.list<KubeObject>(type, {})));
  return lists.flatMap(({ items }) => items);
}

async function record({ environment, configs = {}, inFlight, rollOut }: RolloutBench): Promise<ReplayGroup[]> {
  const services = ["landscaper-core", "mock-deployer"] as const;
  const place = await openRecordedPlace({ hub: environment.hub, services, configs, inFlight });
  try {
    await place.take();
    await rollOut(place.client);
    return planReplay(await place.take(), subjectOf);
  } finally {
    await place.stop();
  }
}

/** Measures a rollout by the product, and by raw clients before and after it. When it resolves, the objects are restored and the services run. */
export async function compareRollout(bench: RolloutBench): Promise<RolloutComparison> {
  const { environment, etcdUrl, inFlight, environments, deployers, rollOut, settle } = bench;
  const { url, ca, token } = environment.hub;
  const stopServices = async (): Promise<unknown> =>
    Promise.all(environment.services.map(async (service) => service.stop()));
  const startServices = async (): Promise<unknown> =>
    Promise.all(environment.services.map(async (service) => service.start()));
  await stopServices();
  const snapshot = await takeSnapshot(etcdUrl);
  const versions = new Map((await listVersions(environment)).map((object) => [object.metadata.uid, object]));
  const groups = await record(bench);
  const picker = createContractPicker();
  const contractGroups = groups.flatMap((group) => {
    const [, list] = lists.find(([subject]) => subject.test(group.subject ?? "")) ?? [];
    return list === undefined ? [] : picker.pick([group], list);
  });
  const connection = openWriteConnection({ url, ca, token, inFlight });
  const replay = async (some: readonly ReplayGroup[]): Promise<number> => {
    await restoreSnapshot(etcdUrl, snapshot);
    const rewriter = createRewriter({ texts: new Map(), skipped: picker.skipped });
    for (const object of await listVersions(environment)) {
      const recorded = versions.get(object.metadata.uid);
      if (recorded !== undefined) rewriter.learn({ responseBody: JSON.stringify(recorded) }, JSON.stringify(object));
    }
    return (await runReplay({ connection, groups: some, rewriter, inFlight })) / deployers;
  };
  const replayBoth = async () => ({ contract: await replay(contractGroups), replay: await replay(groups) });
  try {
    // The first turn only warms up.
    await replayBoth();
    const before = await replayBoth();
    await restoreSnapshot(etcdUrl, snapshot);
    await startServices();
    await settle();
    const began = performance.now();
    await rollOut(environment.client);
    const productMsEach = (performance.now() - began) / deployers;
    await stopServices();
    const after = await replayBoth();
    await restoreSnapshot(etcdUrl, snapshot);
    await startServices();
    return {
      environments,
      productMsEach,
      contract: { before: before.contract, after: after.contract },
      replay: { before: before.replay, after: after.replay },
    };
  } finally {
    await connection.close();
  }
}

/** Returns the ratio of the product's time to the mean time of a raw client. */
export function toRaw({ productMsEach }: RolloutComparison, { before, after }: RawRollout): number {
  return productMsEach / ((before + after) / 2);
}
