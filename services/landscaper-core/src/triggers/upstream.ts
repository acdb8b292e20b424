import { annotations, isJobOpen, keyOf, operations, type Installation } from "@landscaper/api";
import { exportedNames, importedNames, type Siblings } from "@landscaper/blueprint";
import { annotationOf, uidOf } from "../object-reading.ts";
import { maxWaitMs, quietMs, type NewsBoard } from "./news-board.ts";

/** Siblings that export what an Installation imports, whatever its optimization hints say: hints are for order, not for changes. */
function exportersOf(installation: Installation, siblings: Siblings): readonly Installation[] {
  return importedNames(installation.spec.imports).flatMap((name) => siblings.exportersOf(installation, name));
}

function importersOf(installation: Installation, siblings: Siblings): readonly Installation[] {
  return exportedNames(installation.spec.exports).flatMap((name) => siblings.importersOf(installation, name));
}

/** Everything that `next` leads to, each once, without the start, which a ring may lead back to. */
function follow(start: Installation, next: (of: Installation) => readonly Installation[]): readonly Installation[] {
  const found = new Map([[uidOf(start), start]]);
  // A Map yields what is added while it is walked through.
  for (const one of found.values()) for (const other of next(one)) found.set(uidOf(other), other);
  found.delete(uidOf(start));
  return [...found.values()];
}

/**
 * Whether a sibling that the Installation depends on, also through others, has a job or is about to get one. What it exports may be
 * absent until then, and what lies between may still change.
 */
export function isUpstreamBusy(installation: Installation, siblings: Siblings): boolean {
  return follow(installation, (of) => exportersOf(of, siblings)).some(
    (one) => isJobOpen(one.status) || annotationOf(one, annotations.operation) === operations.reconcile,
  );
}

/** Siblings that depend on the Installation, also through others. */
export function listDownstream(installation: Installation, siblings: Siblings): readonly Installation[] {
  return follow(installation, (of) => importersOf(of, siblings));
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
  const known = new Map<string, number | undefined>();
  const isAfter = (one: Installation, of: Installation): boolean =>
    follow(one, (other) => exportersOf(other, siblings)).some((other) => uidOf(other) === uidOf(of));
  const dueOf = (of: Installation): number | undefined => {
    const own = news.get(keyOf(of));
    if (own === undefined || known.has(uidOf(of))) return known.get(uidOf(of));
    known.set(uidOf(of), undefined);
    // Those of a ring would wait for each other.
    const first = exportersOf(of, siblings).filter((one) => news.get(keyOf(one)) !== undefined && !isAfter(one, of));
    const upstream = first.flatMap((one) => dueOf(one) ?? []);
    const latestMs = Math.max(own.dueMs, own.firstMs + maxWaitMs);
    const due = Math.min(latestMs, Math.max(own.dueMs, ...upstream.map((dueMs) => dueMs + quietMs)));
    known.set(uidOf(of), due);
    return due;
  };
  return dueOf(installation);
}
