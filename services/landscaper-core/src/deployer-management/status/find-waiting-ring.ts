import { LandscaperError } from "@landscaper/api";
import { deployerPhaseOf, waitedTypes } from "./describe-deployer.ts";
import type { ObservedDeployer } from "../observed-environment.ts";
import { pairName } from "../pair.ts";

/** Deployers of the same Environment that would serve the items that this one waits for, and do not work either. */
function waitsFor(deployer: ObservedDeployer, all: readonly ObservedDeployer[], elapsedMs: number): ObservedDeployer[] {
  const types = waitedTypes(deployer, elapsedMs);
  return all.filter(
    (other) =>
      deployerPhaseOf(other.installation) !== "Succeeded" && types.some((type) => other.provides.includes(type)),
  );
}

/** The path from a deployer over those that it waits for back to itself; undefined when there is none. Each deployer is visited once. */
function ringFrom(
  start: ObservedDeployer,
  next: ReadonlyMap<ObservedDeployer, readonly ObservedDeployer[]>,
): readonly ObservedDeployer[] | undefined {
  const cameFrom = new Map<ObservedDeployer, ObservedDeployer>();
  const queue = [start];
  for (const one of queue) {
    for (const other of next.get(one) ?? []) {
      if (other === start) return pathTo(one, cameFrom, start);
      if (cameFrom.has(other)) continue;
      cameFrom.set(other, one);
      queue.push(other);
    }
  }
  return undefined;
}

function pathTo(
  end: ObservedDeployer,
  cameFrom: ReadonlyMap<ObservedDeployer, ObservedDeployer>,
  start: ObservedDeployer,
): readonly ObservedDeployer[] {
  const path = [start];
  for (let one: ObservedDeployer | undefined = end; one !== undefined && one !== start; one = cameFrom.get(one)) {
    path.unshift(one);
  }
  return [start, ...path];
}

/** An error with the first ring of deployers that wait for each other (docs/reference/deployer-management.md#order). */
export function findWaitingRing(
  deployers: readonly ObservedDeployer[],
  elapsedMs: number,
): LandscaperError | undefined {
  const sorted = deployers.toSorted((a, b) => (pairName(a.names) < pairName(b.names) ? -1 : 1));
  const next = new Map(sorted.map((one) => [one, waitsFor(one, sorted, elapsedMs)]));
  for (const deployer of sorted) {
    const ring = ringFrom(deployer, next);
    if (ring === undefined) continue;
    return new LandscaperError({
      message: `deployers wait for each other to deploy them: ${ring.map(({ names }) => pairName(names)).join(" => ")}`,
      reason: "DeployersWaitInRing",
      operation: "InstallDeployer",
      codes: ["ERR_CYCLIC_DEPENDENCIES"],
      hint: "start a deployer that serves one of them by other means, such as its chart",
      retry: "never",
    });
  }
  return undefined;
}
