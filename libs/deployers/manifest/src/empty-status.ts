import { parseDurationField, type ReadinessChecks as ReadinessFields, type Warning } from "@landscaper/api";
import type { DeployContext } from "@landscaper/deployer";
import type { EmptyStatuses, EmptyStatusRules, ManagedResource } from "@landscaper/resources";

const defaultWait = "15s";

/** The rules that a configuration gives; `where` is the field `readinessChecks`. Throws LandscaperError that names a field. */
export function parseEmptyStatus(
  { emptyStatusWait = defaultWait, emptyStatusWaitByKind = [] }: ReadinessFields,
  where: string,
): EmptyStatusRules {
  const kinds = emptyStatusWaitByKind.map(({ wait, ...rule }, index) => ({
    ...rule,
    waitMs: parseDurationField(wait, `${where}.emptyStatusWaitByKind[${index}].wait`),
  }));
  return { waitMs: parseDurationField(emptyStatusWait, `${where}.emptyStatusWait`), kinds };
}

/** Whether another process has begun the job of the item. */
export function isTakenOver({ item }: Pick<DeployContext<unknown>, "item">): boolean {
  return (item.status?.workedSeconds ?? 0) > 0;
}

/** Warns of custom resources that count as ready without a status. */
export function warnOfEmptyStatuses(statuses: EmptyStatuses, { warn }: Pick<DeployContext<unknown>, "warn">): void {
  for (const object of statuses.takeTimedOut()) warn(emptyStatusWarning(object));
}

function emptyStatusWarning(object: string): Warning {
  const message = `${object} counts as ready without a status: no controller has written one in time; is its operator running?`;
  return { reason: "EmptyStatus", message };
}

/** The inventory with the objects that count as ready without a status. */
export function noteEmptyStatuses(
  inventory: readonly ManagedResource[],
  statuses: Pick<EmptyStatuses, "ready">,
): readonly ManagedResource[] {
  const generations = new Map(statuses.ready.map(({ uid, generation }) => [uid, generation]));
  return inventory.map((entry) => {
    const generation = generations.get(entry.resource.uid ?? "");
    return generation === undefined || generation === entry.readyWithoutStatus
      ? entry
      : { ...entry, readyWithoutStatus: generation };
  });
}

/** The objects of an inventory that count as ready without a status. */
export function readEmptyStatuses(
  inventory: readonly ManagedResource[],
): ConstructorParameters<typeof EmptyStatuses>[0] {
  return inventory.flatMap(({ resource: { uid }, readyWithoutStatus: generation }) =>
    uid === undefined || generation === undefined ? [] : [{ uid, generation }],
  );
}
