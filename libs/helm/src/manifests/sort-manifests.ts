import { trimSpace } from "@landscaper/golang";
import { compareStrings } from "@landscaper/goyaml";
import { ChartError } from "../chart/chart-error.ts";
import { type Hook, readHook } from "./hook.ts";
import { type KindOrder, sortByKind } from "./kind-order.ts";
import { readManifestHead, type ManifestHead } from "./manifest-head.ts";
import { splitManifests } from "./split-manifests.ts";

/** One object of a release. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** The template that it is from, with the chart's path. */
  readonly path: string;
  readonly content: string;
}

export interface SortedManifests {
  readonly manifests: readonly Manifest[];
  readonly hooks: readonly Hook[];
  /** Manifests that are left out because their hook has events that Helm does not know, by what they say. */
  readonly unknownHooks: readonly string[];
}

/**
 * Takes rendered files apart, keeps hooks from the manifests of the release, and sorts both by kind. Files come by their
 * names, documents in their order. `unknownHooks` is filled on the way and has those before the document that fails. Throws
 * ChartError for a document that is no manifest.
 */
export function sortManifests(
  files: ReadonlyMap<string, string>,
  order: KindOrder,
  unknownHooks: string[] = [],
): SortedManifests {
  const manifests: Manifest[] = [];
  const hooks: Hook[] = [];
  for (const [path, text] of [...files].toSorted(([a], [b]) => compareStrings(a, b))) {
    if (isPartial(path) || trimSpace(text) === "") continue;
    for (const content of splitManifests(text)) {
      const head = headOf(path, content);
      const hook = readHook(head, { path, manifest: content });
      if (hook === undefined) {
        manifests.push({ apiVersion: head.apiVersion, kind: head.kind, name: head.name, path, content });
      } else if ("unknownEvents" in hook) unknownHooks.push(hook.unknownEvents);
      else hooks.push(hook);
    }
  }
  return { manifests: sortByKind(manifests, order), hooks: sortByKind(hooks, order), unknownHooks };
}

function isPartial(path: string): boolean {
  return path.slice(path.lastIndexOf("/") + 1).startsWith("_");
}

function headOf(path: string, content: string): ManifestHead {
  try {
    return readManifestHead(content);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ChartError(`YAML parse error on ${path}: ${error.message}`, { file: path, cause: error });
  }
}
