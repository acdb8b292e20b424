import { annotations, keyOf, LandscaperError, resources, type Execution, type Installation } from "@landscaper/api";
import { isAlreadyExists } from "@landscaper/controller-runtime";
import type { Core } from "../../core.ts";
import { deleteObject, ensureObject, namingLarge } from "../../ensure-object.ts";
import { controllerOf, isDeleting, nameOf, parentOf, uidOf } from "../../object-reading.ts";
import { type ExecutionPlan } from "./plan-execution.ts";
import { needsIgnoreSuccessors, type SubinstallationPlan } from "./plan-subinstallations.ts";

async function createSubinstallation(core: Core, desired: Installation, signal: AbortSignal): Promise<void> {
  const { lister } = core.informers.installations;
  const merge = (existing: Installation): Installation => {
    if (parentOf(existing)?.uid === parentOf(desired)?.uid) return existing;
    throw new LandscaperError({
      message: `subinstallation ${nameOf(desired)}: an installation of this name exists and has another owner`,
      reason: "EnsureSubinstallations",
      operation: "CreateImportsAndSubobjects",
      retry: "never",
    });
  };
  await ensureObject({ client: core.client, type: resources.installation, lister, desired, merge, signal });
}

/** The mark comes first: the deletion wakes the orphan, which may not wait for siblings that import from it. */
async function removeOrphan(core: Core, orphan: Installation, signal: AbortSignal): Promise<void> {
  if (needsIgnoreSuccessors(orphan)) {
    const body = { metadata: { annotations: { [annotations.deleteIgnoreSuccessors]: "true" } } };
    await core.client.patch(resources.installation, keyOf(orphan), { type: "merge", body, signal });
  }
  if (isDeleting(orphan)) return;
  await deleteObject(core.client, { type: resources.installation, object: orphan }, signal);
}

export async function applySubinstallations(core: Core, plan: SubinstallationPlan, signal: AbortSignal): Promise<void> {
  await Promise.all([
    ...plan.remove.map((orphan) => removeOrphan(core, orphan, signal)),
    ...plan.create.map((desired) => createSubinstallation(core, desired, signal)),
    ...plan.update.map((object) => namingLarge(object, core.client.update(resources.installation, object, { signal }))),
  ]);
}

async function createExecution(
  core: Core,
  { execution, installation }: { readonly execution: Execution; readonly installation: Installation },
  signal: AbortSignal,
): Promise<void> {
  try {
    await namingLarge(execution, core.client.create(resources.execution, execution, { signal }));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await adoptExecution(core, { execution, installation, conflict: error }, signal);
  }
}

/**
 * Whether the Execution was left behind: its Installation was deleted with `--cascade=orphan`. The core has marked it when it rendered it; one that a user has written
 * has no mark. A user who forges the mark only overwrites an Execution of their own.
 */
function isLeft({ metadata }: Execution): boolean {
  return (metadata.ownerReferences ?? []).length === 0 && metadata.annotations?.[annotations.renderedBy] !== undefined;
}

/** Finalizers of Kubernetes' garbage collector: somebody who sets them before would decide about the next deletion. */
const collectorFinalizers: ReadonlySet<string> = new Set(["orphan", "foregroundDeletion"]);

/** The answer of an own create was lost, the Execution was left behind, or that of an earlier Installation of this name has not been collected yet. */
async function adoptExecution(
  core: Core,
  {
    execution,
    installation,
    conflict,
  }: { readonly execution: Execution; readonly installation: Installation; readonly conflict: Error },
  signal: AbortSignal,
): Promise<void> {
  const existing = await core.client.find(resources.execution, keyOf(execution), { signal });
  if (existing === undefined) throw conflict;
  const isOwn = controllerOf(existing, "Installation")?.uid === uidOf(installation);
  // One that is being deleted with --cascade=orphan has just left it behind.
  const mayTakeBack = isLeft(existing) && !isDeleting(existing) && !isDeleting(installation);
  if (!isOwn && !mayTakeBack) throw takenError(existing, installation);
  const finalizers = (existing.metadata.finalizers ?? []).filter((name) => !collectorFinalizers.has(name));
  const metadata = {
    ...execution.metadata,
    finalizers: [...new Set([...finalizers, ...(execution.metadata.finalizers ?? [])])],
    uid: uidOf(existing),
    resourceVersion: existing.metadata.resourceVersion ?? "",
  };
  await namingLarge(execution, core.client.update(resources.execution, { ...execution, metadata }, { signal }));
}

function takenError(existing: Execution, installation: Installation): LandscaperError {
  const name = nameOf(existing);
  const common = { reason: "ReconcileExecution", operation: "CreateImportsAndSubobjects" };
  if (isDeleting(existing)) {
    return new LandscaperError({
      ...common,
      message: `execution ${name} exists and is being deleted`,
      hint: `wait until its deploy items are uninstalled; landscaper why exec/${name} says what they wait for`,
      // Its own deletion need not wait.
      retry: isDeleting(installation) ? "never" : "backoff",
    });
  }
  return new LandscaperError({
    ...common,
    message: isLeft(existing)
      ? `execution ${name} no longer belongs to the installation, which is being deleted`
      : `execution ${name} exists and has another owner`,
    hint: "delete it, or choose another name for the installation",
    retry: "never",
  });
}

export async function applyExecution(
  core: Core,
  { plan, installation }: { readonly plan: ExecutionPlan; readonly installation: Installation },
  signal: AbortSignal,
): Promise<void> {
  switch (plan.kind) {
    case "keep":
      return;
    case "create":
      return createExecution(core, { execution: plan.execution, installation }, signal);
    case "update":
      await namingLarge(plan.execution, core.client.update(resources.execution, plan.execution, { signal }));
      return;
    case "delete":
      if (!isDeleting(plan.execution)) {
        await deleteObject(core.client, { type: resources.execution, object: plan.execution }, signal);
      }
      return;
  }
}
