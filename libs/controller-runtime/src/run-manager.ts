import type { KubeObject } from "@landscaper/api";
import type { ControllerOptions } from "./controller-interface.ts";
import { defaultLeaseDurationMs } from "./leadership/leader-election.ts";
import type { LeaseContext, LeaseOptions } from "./leadership/leader-election.ts";
import { prepareController } from "./controller/prepare-controller.ts";
import type { ControllerEnvironment } from "./controller/prepare-controller.ts";
import { runGroup } from "./leadership/run-group.ts";
import type { Group, Runnable } from "./leadership/run-group.ts";
import { describeWait, type LongWait } from "./leadership/long-wait.ts";
import type { LeadershipGate } from "./leadership/write-gate.ts";
import type { ProblemBoard } from "./preparation/problem-board.ts";

export interface ManagerParts extends ControllerEnvironment {
  readonly controllers: readonly ControllerOptions<KubeObject>[];
  readonly runnables: readonly Runnable[];
  readonly leaderElection: LeaseOptions | undefined;
  readonly gate: LeadershipGate;
  readonly problems: Pick<ProblemBoard, "setNote">;
}

/** Informers first, then, when all are in sync, the work of the groups that lead; the reverse at the end. */
export async function runManager(parts: ManagerParts, signal: AbortSignal): Promise<void> {
  const { registry, log } = parts;
  const groups = formGroups(parts);
  const informers = new AbortController();
  const running = registry.all.map((informer) => informer.run(informers.signal));
  try {
    await Promise.all(registry.all.map((informer) => informer.waitForSync(signal)));
    log.info({ controllers: parts.controllers.map(({ name }) => name) }, "all informers are in sync");
    await runGroups(parts, groups, signal);
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    informers.abort(new Error("the manager stops"));
    await Promise.all(running);
  }
}

/** When one group loses its leadership, the others stop in good order, and the whole fails. */
async function runGroups(parts: ManagerParts, groups: readonly Group[], signal: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const results = await Promise.allSettled(
    groups.map(async (group) => {
      try {
        await runGroup(parts, group, stop);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    }),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

function formGroups(parts: ManagerParts): Group[] {
  const leading = parts.runnables.filter(({ needsLeader }) => needsLeader);
  const names = new Set(["", ...[...parts.controllers, ...leading].map(({ group }) => group ?? "")]);
  const led = [...names].map((name) => ({
    controllers: parts.controllers
      .filter(({ group }) => (group ?? "") === name)
      .map((options) => prepareController(parts, options)),
    runnables: leading.filter(({ group }) => (group ?? "") === name),
    lease: leaseOf(parts, name),
  }));
  const everywhere = { controllers: [], runnables: parts.runnables.filter(({ needsLeader }) => !needsLeader) };
  const isUsed = (group: Group): boolean => group.controllers.length + group.runnables.length > 0;
  // The last one is kept though it may be empty: it lets the manager run until it is stopped.
  return [...led.filter(isUsed), everywhere];
}

function leaseOf(parts: ManagerParts, group: string): LeaseContext | undefined {
  const { leaderElection, clock, random, log } = parts;
  if (leaderElection === undefined) return undefined;
  const { namespace, identity, leaseName, labels, annotations, client = parts.client } = leaderElection;
  const leaseDurationMs = leaderElection.leaseDurationMs ?? defaultLeaseDurationMs;
  const name = group === "" ? leaseName : `${leaseName}-${group}`;
  const lease = { namespace, leaseName: name, identity, leaseDurationMs, labels, annotations };
  return { ...lease, client, clock, random, log, onLongWait: (wait) => reportWait(parts, name, wait) };
}

function reportWait({ problems, metrics }: ManagerParts, leaseName: string, wait: LongWait | undefined): void {
  if (wait !== undefined) metrics.countLongWait(leaseName);
  problems.setNote(`Lease ${leaseName}`, wait && describeWait(wait));
}
