import { installationPhases, isJobOpen, LandscaperError, type Installation } from "@landscaper/api";
import {
  exportedNames,
  importedNames,
  importMissing,
  isPredecessorFinished,
  listDependencies,
  listPredecessors,
  type Dependency,
  type ScopedName,
  type Siblings,
} from "@landscaper/blueprint";
import { nameOf, parentOf, uidOf } from "../../object-reading.ts";

/** Whether an Installation may load its imports now. */
export type PredecessorGate =
  | { readonly state: "open" }
  | { readonly state: "waiting"; readonly unfinished: readonly string[] }
  | { readonly state: "blocked"; readonly error: LandscaperError };

const describe: Readonly<Record<ScopedName["type"], string>> = { data: "data object", target: "target" };

function findSelfImport(installation: Installation): ScopedName | undefined {
  const exported = new Set(exportedNames(installation.spec.exports).map(({ type, name }) => `${type}/${name}`));
  return importedNames(installation.spec.imports).find(({ type, name }) => exported.has(`${type}/${name}`));
}

/** What is looked at on the way to a ring, at most: no user has so many, and looking takes the time of all others. */
const maxDependencies = 50_000;

interface Step {
  readonly at: Installation;
  readonly before: Step | undefined;
}

function namesTo(step: Step): readonly string[] {
  const names: string[] = [];
  for (let one: Step | undefined = step; one !== undefined; one = one.before) names.push(nameOf(one.at));
  return names.toReversed();
}

/**
 * Names along a shortest ring of predecessors that leads back to the Installation, without its repeated end. Each predecessor is looked at
 * once.
 */
function findRing(installation: Installation, siblings: Siblings): readonly string[] | "too many" | undefined {
  if (findSelfImport(installation) !== undefined) return [nameOf(installation)];
  const passed = new Set<string>();
  const steps: Step[] = [{ at: installation, before: undefined }];
  let left = maxDependencies;
  // What is added while the list is walked through comes, too.
  for (const step of steps) {
    const dependencies = listDependencies(step.at, siblings);
    const predecessors = dependencies.flatMap(({ exporters }) => exporters);
    left -= dependencies.length + predecessors.length;
    if (left < 0) return "too many";
    for (const at of predecessors) {
      if (uidOf(at) === uidOf(installation)) return namesTo(step);
      if (passed.has(uidOf(at))) continue;
      passed.add(uidOf(at));
      steps.push({ at, before: step });
    }
  }
  return undefined;
}

function tooManyError(): LandscaperError {
  return new LandscaperError({
    message: `the installations that this one depends on, also through others, have more than ${maxDependencies} dependencies`,
    reason: "GetPredecessors",
    operation: "init",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "import from fewer installations, or spread them over several namespaces",
    retry: "never",
  });
}

function cycleError(ring: readonly string[]): LandscaperError {
  return new LandscaperError({
    message: `installations import from each other in a ring: ${[...ring, ring[0] ?? ""].join(" => ")}`,
    reason: "CyclicDependencies",
    operation: "init",
    codes: ["ERR_CYCLIC_DEPENDENCIES"],
    hint: "remove one import or export of the ring",
    retry: "never",
  });
}

/** Whether the last job failed because an import did not exist. */
export function lacksImports({ status }: Pick<Installation, "status">): boolean {
  const { phase, lastError } = status ?? {};
  return phase === installationPhases.failed && !isJobOpen(status) && lastError?.reason === importMissing;
}

/**
 * Returns the error of a root whose last job failed because an import did not exist, and which is part of a ring of imports by now: the last Installation of
 * the ring was created after that job had begun.
 */
export function findLateRing(installation: Installation, siblings: Siblings): LandscaperError | undefined {
  if (parentOf(installation) !== undefined || !lacksImports(installation)) return undefined;
  const ring = findRing(installation, siblings);
  return ring === undefined || ring === "too many" ? undefined : cycleError(ring);
}

function exportedTwiceError({ name, exporters }: Dependency): LandscaperError {
  return new LandscaperError({
    message: `${describe[name.type]} "${name.name}" is exported by ${exporters.map(nameOf).join(" and ")}; expected one exporter`,
    reason: "GetPredecessors",
    operation: "init",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

function notSucceededError(failed: readonly Installation[]): LandscaperError {
  const list = failed.map((one) => `"${nameOf(one)}" (phase ${one.status?.phase ?? "not started"})`).join(", ");
  return new LandscaperError({
    message: `not all predecessors succeeded: installation ${list}`,
    reason: "AllPredecessorsSucceeded",
    operation: "init",
    hint: "this installation is triggered again when they succeed",
    retry: "never",
  });
}

/** The predecessor gate of Init (core.md §2.3 c, §4.2, §4.3; §4.4 and §4.5 fixed: rings and double exports are errors). */
export function checkPredecessors(installation: Installation, siblings: Siblings): PredecessorGate {
  const dependencies = listDependencies(installation, siblings);
  const exportedTwice = dependencies.find(({ exporters }) => exporters.length > 1);
  if (exportedTwice !== undefined) return { state: "blocked", error: exportedTwiceError(exportedTwice) };
  const ring = parentOf(installation) === undefined ? findRing(installation, siblings) : undefined;
  if (ring === "too many") return { state: "blocked", error: tooManyError() };
  if (ring !== undefined) return { state: "blocked", error: cycleError(ring) };
  const predecessors = listPredecessors(installation, siblings);
  const unfinished = predecessors.filter((one) => !isPredecessorFinished(one, installation));
  if (unfinished.length > 0) return { state: "waiting", unfinished: unfinished.map(nameOf) };
  const failed = predecessors.filter(({ status }) => status?.phase !== installationPhases.succeeded);
  return failed.length > 0 ? { state: "blocked", error: notSucceededError(failed) } : { state: "open" };
}
