import { joinPath, LandscaperError, type JsonPath, type UnstructuredObject } from "@landscaper/api";
import type { ContentBudget } from "@landscaper/budget";
import { createBreather } from "@landscaper/controller-runtime";
import { startPathBudget } from "@landscaper/jsonpath";
import { ExportedValues } from "./exported-values.ts";
import { awaitObject, type AwaitedObjects } from "./readiness/awaited-objects.ts";
import { isJsonObject, type JsonObject } from "./json-value.ts";
import { compileFieldPath } from "./kube-json-path.ts";
import { formatResource, resourceId, type ResourceReference } from "./cluster/resource-reference.ts";
import { findLive, type TargetCluster } from "./cluster/target-cluster.ts";

/** An entry of `exports` (deployers.md §2). */
export interface Export {
  /** A dotted key builds nested maps. */
  readonly key: string;
  readonly jsonPath: string;
  /** An entry without it is skipped. */
  readonly fromResource?: ResourceReference | undefined;
  /** `jsonPath` then yields the name (and namespace) of a second object, which has the value. */
  readonly fromObjectRef?:
    | { readonly apiVersion: string; readonly kind: string; readonly jsonPath: string }
    | undefined;
  /** Another Target of the DeployItem's namespace. */
  readonly targetName?: string | undefined;
}

export interface ExportOptions {
  readonly cluster: TargetCluster;
  readonly exports: readonly Export[];
  /** Objects that this pass has just received, by `resourceId`: tried before anything is read. */
  readonly fresh?: ReadonlyMap<string, UnstructuredObject | undefined> | undefined;
  readonly clusterOf: (targetName: string) => Promise<TargetCluster>;
  readonly signal: AbortSignal;
}

export type ExportResult =
  | {
      readonly type: "complete";
      readonly values: JsonObject;
      /** Where the values came from Secrets. */
      readonly sensitive: readonly JsonPath[];
    }
  /** Something is not there yet; the caller comes back when `awaited` changes. */
  | {
      readonly type: "missing";
      readonly key: string;
      readonly message: string;
      readonly awaited: readonly AwaitedObjects[];
      /** `resourceId` of an object that does not exist. */
      readonly absent?: string | undefined;
    };

/** One pass over the exports in their order (deployers.md §3.7). Values are taken as they are: Secret data stays base64. */
export async function collectExports(options: ExportOptions): Promise<ExportResult> {
  const values = new ExportedValues();
  const sensitive: JsonPath[] = [];
  const budget = startPathBudget();
  const breathe = createBreather();
  for (const entry of options.exports) {
    await breathe();
    if (entry.fromResource === undefined) continue;
    if (readsSecret(entry)) sensitive.push(entry.key.split(".").reduce(joinPath, ""));
    const cluster = entry.targetName === undefined ? options.cluster : await options.clusterOf(entry.targetName);
    // What this pass has received came from the item's own target.
    const fresh = entry.targetName === undefined ? options.fresh : undefined;
    const found = await new ExportEntry(entry, cluster, { budget, signal: options.signal }).evaluate(
      entry.fromResource,
      fresh,
    );
    if ("missing" in found) {
      const { missing: message } = found;
      // An object of another target is none of the item's.
      const absent = entry.targetName === undefined ? found.absent : undefined;
      const awaited = found.in.map((reference) => awaitObject(cluster, reference));
      return { type: "missing", key: entry.key, message, awaited, absent };
    }
    values.add(entry.key, found.value, budget);
  }
  return { type: "complete", values: values.values, sensitive };
}

function readsSecret({ fromResource, fromObjectRef }: Export): boolean {
  return isSecret(fromObjectRef ?? fromResource ?? {});
}

function isSecret({ apiVersion, kind }: { readonly apiVersion?: string; readonly kind?: string }): boolean {
  return apiVersion === "v1" && kind === "Secret";
}

/**
 * Exports out of data that is at hand, such as the values of a chart. Throws LandscaperError (ExportMissing) that names the key when there is
 * nothing at a path: nobody will put it there.
 */
export function collectValues(entries: readonly Pick<Export, "key" | "jsonPath">[], data: unknown): JsonObject {
  const values = new ExportedValues();
  const budget = startPathBudget();
  for (const { key, jsonPath } of entries) {
    const found = compileFieldPath(jsonPath, `export of key ${key}: jsonPath`).find(data, budget);
    if (found.values.length === 0) throw missingValue(key, found.problem ?? "there is nothing at its jsonPath");
    values.add(key, found.values[0], budget);
  }
  return values.values;
}

function missingValue(key: string, problem: string): LandscaperError {
  return new LandscaperError({
    message: `export of key ${key}: ${problem}`,
    reason: "ExportMissing",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}

/** `in`: where to look again. */
type Found =
  | { readonly value: unknown }
  | { readonly missing: string; readonly in: readonly ResourceReference[]; readonly absent?: string };

class ExportEntry {
  readonly #entry: Export;
  readonly #cluster: TargetCluster;
  readonly #signal: AbortSignal;
  /** Of all exports of a pass. */
  readonly #budget: ContentBudget;

  constructor(
    entry: Export,
    cluster: TargetCluster,
    { budget, signal }: { readonly budget: ContentBudget; readonly signal: AbortSignal },
  ) {
    this.#entry = entry;
    this.#cluster = cluster;
    this.#signal = signal;
    this.#budget = budget;
  }

  async evaluate(from: ResourceReference, fresh: ExportOptions["fresh"]): Promise<Found> {
    const { jsonPath, fromObjectRef } = this.#entry;
    const received = fresh?.get(resourceId(from));
    const atHand = received === undefined ? undefined : this.#select(received, jsonPath, from);
    const first = atHand !== undefined && "value" in atHand ? atHand : await this.#read(from, jsonPath);
    if ("missing" in first || fromObjectRef === undefined) return first;
    const { apiVersion, kind } = fromObjectRef;
    const name = isJsonObject(first.value) ? first.value["name"] : undefined;
    const namespace = isJsonObject(first.value) ? (first.value["namespace"] ?? from.namespace) : undefined;
    if (typeof name !== "string" || (namespace !== undefined && typeof namespace !== "string")) {
      return { missing: `${formatResource(from)}: ${jsonPath} is no reference with a name`, in: [from] };
    }
    const second = await this.#read({ apiVersion, kind, name, namespace }, fromObjectRef.jsonPath);
    // The first object may come to name another one.
    return "missing" in second ? { ...second, in: [from, ...second.in] } : second;
  }

  async #read(reference: ResourceReference, jsonPath: string): Promise<Found> {
    const live = await findLive(this.#cluster, reference, this.#signal);
    if (live === undefined) {
      const missing = `${formatResource(reference)} does not exist`;
      return { missing, in: [reference], absent: resourceId(reference) };
    }
    return this.#select(live, jsonPath, reference);
  }

  /** The first match; none means "not there yet", also for a filter without matches. */
  #select(object: UnstructuredObject, jsonPath: string, reference: ResourceReference): Found {
    const where = `export of key ${this.#entry.key}: jsonPath`;
    const { values, problem, suggestion } = compileFieldPath(jsonPath, where).find(object, this.#budget);
    const missing = (text: string): Found => ({ missing: `${formatResource(reference)}${text}`, in: [reference] });
    if (problem !== undefined) return missing(`: ${jsonPath} does not fit: ${problem}`);
    // Names of the keys of a Secret may be secret.
    const meant = isSecret(reference) ? "" : suggestion;
    return values.length === 0 ? missing(` has no ${jsonPath}${meant}`) : { value: values[0] };
  }
}
