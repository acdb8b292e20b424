import { annotations, isJobOpen, keyOf, operations, type Installation } from "@landscaper/api";
import { exportedNames, importedNames, type Siblings } from "@landscaper/blueprint";
import { annotationOf, uidOf } from "../object-reading.ts";
import { followDataFlow, readDataFlow } from "./data-flow-graph.ts";
import { maxWaitMs, quietMs, type NewsBoard } from "./news-board.ts";

/** Siblings that export what an Installation imports, whatever its optimization hints say: hints are for order, not for changes. */
function exportersOf(installation: Installation, siblings: Siblings): readonly Installation[] {
  return importedNames(installation.spec.imports).flatMap((name) => siblings.exportersOf(installation, name));
}

function importersOf(installation: Installation, siblings: Siblings): readonly Installation[] {
  return exportedNames(installation.spec.exports).flatMap((name) => siblings.importersOf(installation, name));
}

/**
 * Whether a sibling that the Installation depends on, also through others, has a job or is about to get one. What it exports may be
 * absent until then, and what lies between may still change.
 */
export function isUpstreamBusy(installation: Installation, siblings: Siblings): boolean {
  return followDataFlow(installation, (of) => exportersOf(of, siblings)).some(
    (one) => isJobOpen(one.status) || annotationOf(one, annotations.operation) === operations.reconcile,
  );
}

/** Siblings that depend on the Installation, also through others. */
export function listDownstream(installation: Installation, siblings: Siblings): readonly Installation[] {
  return followDataFlow(installation, (of) => importersOf(of, siblings));
}

/**
 * When the news of an Installation are looked at: when they are due, but after the exporters that have news, too. A change of
 * what several import, such as a Target, would start all of them at the same time otherwise, and the later ones once more.
 * Undefined without news.
 */
export function dueTime(
  installation: Installation,
  { news, siblings }: { readonly news: Pick<NewsBoard, "get">; readonly siblings: Siblings },
): number | undefined {
  const own = news.get(keyOf(installation));
  if (own === undefined) return undefined;
  const latestOf = ({ dueMs, firstMs }: typeof own): number => Math.max(dueMs, firstMs + maxWaitMs);
  const flow = readDataFlow(installation, (of) => exportersOf(of, siblings));
  // Without order a job may start once more than it has to.
  if (flow === undefined) return own.dueMs;
  const due = new Map<string, number>();
  for (const one of flow.ordered) {
    const itsNews = news.get(keyOf(one));
    if (itsNews === undefined) continue;
    const upstream = flow.upstreamOf(one).flatMap((uid) => due.get(uid) ?? []);
    const dueMs = Math.max(itsNews.dueMs, ...upstream.map((upstreamMs) => upstreamMs + quietMs));
    due.set(uidOf(one), Math.min(latestOf(itsNews), dueMs));
  }
  return due.get(uidOf(installation));
}
