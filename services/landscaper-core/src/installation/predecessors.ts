import { installationPhases, LandscaperError, type Installation } from "@landscaper/api";
import {
  exportedNames,
  importedNames,
  isPredecessorFinished,
  listDependencies,
  listPredecessors,
  type Dependency,
  type ScopedName,
  type Siblings,
} from "@landscaper/blueprint";
import { nameOf, parentOf, uidOf } from "../object-reading.ts";

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

/** Names along a ring of predecessors that leads back to the Installation, without its repeated end. */
function findRing(installation: Installation, siblings: Siblings): readonly string[] | undefined {
  if (findSelfImport(installation) !== undefined) return [nameOf(installation)];
  const visited = new Set<string>();
  const open: { readonly at: Installation; readonly path: readonly string[] }[] = [
    { at: installation, path: [nameOf(installation)] },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const predecessor of listPredecessors(next.at, siblings)) {
      if (listPredecessors(predecessor, siblings).some((one) => uidOf(one) === uidOf(installation))) {
        return [...next.path, nameOf(predecessor)];
      }
      if (visited.has(uidOf(predecessor))) continue;
      visited.add(uidOf(predecessor));
      open.push({ at: predecessor, path: [...next.path, nameOf(predecessor)] });
    }
  }
  return undefined;
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
  if (ring !== undefined) return { state: "blocked", error: cycleError(ring) };
  const predecessors = listPredecessors(installation, siblings);
  const unfinished = predecessors.filter((one) => !isPredecessorFinished(one, installation));
  if (unfinished.length > 0) return { state: "waiting", unfinished: unfinished.map(nameOf) };
  const failed = predecessors.filter(({ status }) => status?.phase !== installationPhases.succeeded);
  return failed.length > 0 ? { state: "blocked", error: notSucceededError(failed) } : { state: "open" };
}
