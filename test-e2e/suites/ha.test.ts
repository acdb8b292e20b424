// Several cores, of which one works: what becomes of running jobs when it dies, goes, or falls asleep.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem, Execution, Installation, Lease } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { describeObject, freezeProcess, waitFor } from "@landscaper/testkit";
import { tailOf } from "../cluster/child.ts";
import { findJobFaults, findTwins } from "../ha/audit-jobs.ts";
import { findForeignWrites, isWork } from "../ha/audit-leaders.ts";
import { grantInNamespace } from "../src/clusters/service-accounts.ts";
import type { CoreReplica } from "../ha/core-replica.ts";
import { startCoreReplica } from "../ha/core-replica.ts";
import type { Landscape } from "../ha/landscape.ts";
import { countFinished, createLandscape } from "../ha/landscape.ts";
import type { ObjectHistory } from "../src/kits/object-history.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { clustersUnderTest, isWholeRun } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** `npm test` takes a fifth of the Installations. */
const roots = isWholeRun("ha") ? 200 : 40;
/** The default. A shorter Lease is lost when a busy machine lets an answer wait for a few seconds. */
const leaseSeconds = 15;
const waitMs = 120_000;

const leaseName = "landscaper-core-main";

describe.each(clustersUnderTest())(`three cores and ${roots} Installations on %s`, (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let landscape: Landscape;
  let folder: string;
  let installations: ObjectHistory<Installation>;
  let executions: ObjectHistory<Execution>;
  let deployItems: ObjectHistory<DeployItem>;
  let leases: ObjectHistory<Lease>;
  let firstJobs: ReadonlySet<string> = new Set();
  /** All that there were, ended ones included. */
  const replicas: CoreReplica[] = [];

  let pods = 0;

  /** Each has a name of its own, like the pods of a Deployment. */
  async function addReplica(): Promise<void> {
    const options = { hub: environment.hub, folder, podNamespace: scope.name, leaseSeconds };
    replicas.push(await startCoreReplica(options, `core-${pods++}`));
  }

  const leaderName = (): string => leases.current.get(leaseName)?.spec?.holderIdentity ?? "";
  function leader(): CoreReplica {
    const found = replicas.find(({ pod }) => pod === leaderName());
    if (found === undefined) throw new Error(`nobody known leads, but "${leaderName()}"`);
    return found;
  }

  /** Waits, and fails at once when a job does; the message says how far everything is. */
  async function until(what: string, isMet: () => boolean, timeoutMs = waitMs): Promise<void> {
    const isFailed = ({ status }: Installation): boolean => status?.phase === "Failed";
    await waitFor(() => isMet() || [...installations.current.values()].some(isFailed), { timeoutMs }).catch(
      () => undefined,
    );
    if (isMet()) return;
    const failed = [...installations.current.values()].find(isFailed);
    const logs = replicas.map(({ pod, service }) => `--- ${pod}\n${tailOf(service.logFile, 12)}`).join("\n");
    const state = failed === undefined ? `${finished()} of ${roots} have finished` : describeObject(failed);
    throw new Error(`${what}: not yet. "${leaderName()}" leads; ${state}\n${logs}\n${environment.describeLogs()}`);
  }

  const finished = (): number => countFinished(installations.current.values(), firstJobs);
  /** Waits until so many roots have finished; some have not. */
  async function untilPart(part: number): Promise<void> {
    await until(`${part * 100} % of the roots`, () => finished() >= roots * part);
    expect(finished()).toBeLessThan(roots);
  }

  /** Waits until another replica works; ms from then to its first write. */
  async function untilFollowed(former: CoreReplica, sinceMs: number): Promise<number> {
    const firstWrite = (): number | undefined =>
      replicas
        .filter(({ pod }) => pod !== former.pod && pod === leaderName())
        .flatMap(({ writes }) => writes)
        .find((write) => write.atMs > sinceMs && isWork(write))?.atMs;
    await until(`another one follows ${former.pod}`, () => firstWrite() !== undefined);
    return (firstWrite() ?? Infinity) - sinceMs;
  }

  function report(event: string, tookMs: number): void {
    const progress = `${finished()} of ${roots} had finished`;
    process.stderr.write(
      `ha on ${cluster}: ${event}: work went on after ${(tookMs / 1000).toFixed(1)} s; ${progress}\n`,
    );
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-ha-"));
    environment = await startEnvironment({ cluster, services: ["mock-deployer"], separateTarget: false });
    scope = await environment.namespace("ha");
    const { client } = environment;
    installations = await recordHistory(client, resources.installation, scope.name);
    executions = await recordHistory(client, resources.execution, scope.name);
    deployItems = await recordHistory(client, resources.deployItem, scope.name);
    leases = await recordHistory(client, kubeResources.lease, scope.name);
    await grantInNamespace(client, scope.name);
    landscape = createLandscape(scope, roots);
    // All of them wait when the first core begins.
    await landscape.create();
    await Promise.all([addReplica(), addReplica(), addReplica()]);
    await until("one of them leads", () => leaderName() !== "");
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("a leader that is killed is followed when its Lease has expired", async () => {
    await untilPart(0.1);
    const killed = leader();
    const sinceMs = performance.now();
    await killed.service.kill();
    await addReplica();
    const tookMs = await untilFollowed(killed, sinceMs);
    report("killed", tookMs);
  });

  it("a leader that is told to end hands over at once", async () => {
    await untilPart(0.2);
    const ending = leader();
    const sinceMs = performance.now();
    const before = leases.seen.length;
    await ending.service.stop(30_000);
    expect(ending.service.child.ended).toBe("exit code 0");
    const tookMs = await untilFollowed(ending, sinceMs);
    report("told to end", tookMs);
    const after = leases.seen.slice(before).filter(({ object }) => object.metadata.name === leaseName);
    // Nobody waits for its Lease to expire.
    expect(after.map(({ object }) => object.spec?.holderIdentity)).toContain("");
    await addReplica();
  });

  it("all first jobs succeed", async () => {
    await until("all first jobs", () => finished() === roots);
    expect(await landscape.findWrongExports(1)).toEqual([]);
  });

  it("a leader that stands still is followed, and ends without a write when it goes on", async () => {
    const { current } = installations;
    firstJobs = new Set([...current.values()].map(({ status }) => status?.jobIDFinished ?? ""));
    const changed = landscape.change();
    changed.catch(() => undefined);
    await untilPart(0.1);
    const stopped = leader();
    // The worst moment: all its workers wait for answers. They come while it stands still, and are the first that it sees.
    const release = stopped.proxy.holdAnswers();
    let before = -1;
    const isQuiet = (): boolean => {
      const same = stopped.proxy.requests === before;
      before = stopped.proxy.requests;
      return same;
    };
    await waitFor(isQuiet, { intervalMs: 300 });
    await freezeProcess(stopped.service.child.pid);
    const sinceMs = performance.now();
    release();
    const tookMs = await untilFollowed(stopped, sinceMs);
    report("stopped", tookMs);

    const attemptsBefore = stopped.attempts.length;
    process.kill(stopped.service.child.pid, "SIGCONT");
    await until("it ends", () => stopped.service.child.ended !== undefined, 30_000);
    expect(stopped.service.child.ended).toBe("exit code 1");
    expect(tailOf(stopped.service.logFile)).toMatch(/^error: the lease .* is lost: /m);
    await changed;
    await until("all second jobs", () => finished() === roots);
    expect(stopped.attempts.slice(attemptsBefore)).toEqual([]);
    expect(await landscape.findWrongExports(2)).toEqual([]);
  });

  it("every job was done once, and nothing was made twice", async () => {
    const histories = [installations, executions, deployItems];
    expect(histories.flatMap(({ seen }) => findJobFaults(seen, 2))).toEqual([]);
    const { installations: count } = landscape;
    expect(histories.map(({ current }) => current.size)).toEqual([count, count, count]);
    const dataObjects = await scope.list(resources.dataObject);
    expect(findTwins([...histories.flatMap(({ current }) => [...current.values()]), ...dataObjects])).toEqual([]);
    const jobsOf = (objects: Iterable<Installation | Execution | DeployItem>): Set<string | undefined> =>
      new Set([...objects].map(({ status }) => status?.jobID));
    // A tree has one job, that of its root.
    expect(jobsOf(installations.current.values()).size).toBe(roots);
    expect(jobsOf(histories.flatMap(({ current }) => [...current.values()])).size).toBe(roots);
  });

  it("nobody wrote but the leader of the moment", async () => {
    const writes = replicas.flatMap((replica) => replica.writes);
    expect(
      findForeignWrites(
        writes,
        leases.seen.map(({ object }) => object),
      ),
    ).toEqual([]);
    const leaders = leases.seen
      .filter(({ object }) => object.metadata.name === leaseName)
      .map(({ object }) => object.spec?.holderIdentity ?? "");
    // Changes of hands, without the moment when nobody holds it.
    const followed = leaders.filter((holder, at) => holder !== "" && holder !== leaders[at - 1]);
    expect(followed.length).toBeGreaterThanOrEqual(4);
    expect(new Set(writes.map(({ pod }) => pod)).size).toBeGreaterThanOrEqual(4);
    for (const history of [installations, executions, deployItems, leases]) await history.stop();
  });
});
