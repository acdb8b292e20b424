import { trimSpace } from "@landscaper/golang";
import { compareStrings } from "@landscaper/goyaml";
import { ChartError } from "../chart/chart-error.ts";
import { type Hook, readHook } from "./hook.ts";
import type { HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { sortByKind } from "./kind-order.ts";
import { readManifestHead, type ManifestHead } from "./manifest-head.ts";

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

export interface SortOptions {
  /** Default: Helm 3. */
  readonly dialect?: HelmDialect | undefined;
  /** Receives the unknown hooks that precede a failing document. */
  readonly unknownHooks?: string[];
}

/**
 * Splits rendered files, separates hooks from the manifests of the release, and sorts both in install order. Files are ordered by
 * name, and their documents keep their order. Throws ChartError for a document that is not a manifest.
 */
export function sortManifests(
  files: ReadonlyMap<string, string>,
  { dialect = helm3, unknownHooks = [] }: SortOptions = {},
): SortedManifests {
  const manifests: Manifest[] = [];
  const hooks: Hook[] = [];
  for (const [path, text] of [...files].toSorted(([a], [b]) => compareStrings(a, b))) {
    if (isPartial(path) || trimSpace(text) === "") continue;
    for (const content of dialect.splitManifests(text)) {
      const head = headOf(path, content, dialect);
      const hook = readHook(head, { path, manifest: content });
      if (hook === undefined) {
        manifests.push({ apiVersion: head.apiVersion, kind: head.kind, name: head.name, path, content });
      } else if ("unknownEvents" in hook) unknownHooks.push(hook.unknownEvents);
      else hooks.push(hook);
    }
  }
  const { installOrder } = dialect;
  return { manifests: sortByKind(manifests, installOrder), hooks: sortByKind(hooks, installOrder), unknownHooks };
}

function isPartial(path: string): boolean {
  return path.slice(path.lastIndexOf("/") + 1).startsWith("_");
}

function headOf(path: string, content: string, { goPackages }: HelmDialect): ManifestHead {
  try {
    return readManifestHead(content, goPackages.manifests);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new ChartError(`YAML parse error on ${path}: ${error.message}`, { file: path, cause: error });
  }
}
