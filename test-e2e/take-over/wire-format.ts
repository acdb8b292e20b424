// Compares what our core and deployers leave with what the original would: the recordings of ./recorded-object.ts.
import { gunzipSync } from "node:zlib";
import * as contract from "../src/kits/contract-names.ts";
import { scopedName } from "../src/kits/contract-names.ts";
import type { Api, Item, Kind } from "../src/kits/plain-api.ts";
import type { RecordedObject } from "./recorded-object.ts";

type Fields = Readonly<Record<string, unknown>>;

const kinds: readonly Kind[] = ["Installation", "Execution", "DeployItem", "DataObject", "Target", "Secret"];
/** Of ours alone: the original drops what its definitions do not know, and reads none of it. */
const ownStatus: ReadonlySet<string> = new Set(["conditions", "imports", "installationRefs"]);
/** Caches that only the original writes. Without them, it lists by label. */
const caches: ReadonlySet<string> = new Set(["subInstCache"]);
/** Marks of ours: for masking, to know an Execution that is as it was rendered, and to tell landscaper clusters apart. */
const ownAnnotations: ReadonlySet<string> = new Set(
  ["sensitive-config", "sensitive-exports", "rendered-by", "hub-id"].map((name) => `landscaper.gardener.cloud/${name}`),
);
/** The original never writes that of an Execution; ours does. */
const isLeftOut = (kind: string, field: string): boolean =>
  ownStatus.has(field) || caches.has(field) || (kind === "Execution" && field === "observedGeneration");

interface Comparable {
  readonly kind: string;
  readonly name: string;
  readonly metadata: Fields;
  readonly content: unknown;
  readonly status: unknown;
}

/** What is another one each time: times, uids, hashes that are compared within one job only. */
function leveled(value: unknown, key = ""): unknown {
  if (typeof value === "string") {
    if (key === "uid" || key === "importsHash" || key === "identity" || key === "version") return key;
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? "time" : value;
  }
  if (Array.isArray(value)) return value.map((each) => leveled(each));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => [name, leveled(field, name)] as const);
  const isSaid = (field: unknown): boolean => field !== undefined && JSON.stringify(field) !== "{}";
  return Object.fromEntries(fields.filter(([, field]) => isSaid(field)));
}

function unpacked(spec: Fields | undefined): unknown {
  const { deployItemsCompressed: packed, ...fields } = spec ?? {};
  if (typeof packed !== "string") return fields;
  return { ...fields, deployItems: JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString("utf8")) as unknown };
}

/** The old version of the manifest deployer's inventory as the new one: ours writes that one, and the original reads both. */
function withNewInventory(providerStatus: unknown): unknown {
  const { apiVersion, managedResources, ...fields } = (providerStatus ?? {}) as Fields; // as specified, or nothing
  if (typeof apiVersion !== "string" || !apiVersion.endsWith("/v1alpha1") || !Array.isArray(managedResources)) {
    return providerStatus;
  }
  const resources = managedResources.map((each: object) => ({ policy: "manage", resource: { ...each, uid: "uid" } }));
  return { ...fields, apiVersion: apiVersion.replace("v1alpha1", "v1alpha2"), managedResources: resources };
}

function comparableStatus(kind: string, status: Fields): unknown {
  const kept = Object.fromEntries(Object.entries(status).filter(([field]) => !isLeftOut(kind, field)));
  if (kind !== "DeployItem") return leveled(kept);
  // Of items it may be missing: no deployer has to write it (core.md §2.7).
  const { waitTime: _, ...transitionTimes } = (status["transitionTimes"] ?? {}) as Fields; // as in the CRD
  return leveled({ ...kept, transitionTimes, providerStatus: withNewInventory(status["providerStatus"]) });
}

function comparable({ kind, metadata, spec, data, status }: Item | RecordedObject): Comparable {
  const { name, labels, annotations, finalizers = [], ownerReferences = [] } = metadata as Fields;
  const isOfExecution =
    kind === "DataObject" && String(Reflect.get(Object(labels), contract.data.source)).startsWith("Exec.");
  const without = (fields: unknown, isDropped: (key: string) => boolean): Fields =>
    Object.fromEntries(Object.entries(Object(fields)).filter(([key]) => !isDropped(key)));
  return {
    kind,
    name: String(name),
    metadata: {
      // Exports of an Execution are found by its exportRef: the job on them is read by nobody.
      labels: without(labels, (key) => isOfExecution && key === contract.data.jobID),
      annotations: leveled(without(annotations, (key) => ownAnnotations.has(key))),
      finalizers,
      ownerReferences: leveled(ownerReferences),
    },
    content: leveled(data ?? unpacked(spec)),
    status: comparableStatus(kind, status ?? {}),
  };
}

/** Names that the API server completes with chance, or that follow from one: of the recording -> of the live objects. */
function findRenames(
  recorded: readonly RecordedObject[],
  live: ReadonlyMap<Kind, readonly Item[]>,
): Map<string, string> {
  const renames = new Map<string, string>();
  const renamed = (text: unknown): string =>
    [...renames].reduce((done, [from, to]) => done.replaceAll(from, to), String(text));
  const labelsOf = ({ metadata }: RecordedObject): Fields => (metadata["labels"] ?? {}) as Fields; // as recorded
  const annotationsOf = ({ metadata }: RecordedObject): Fields => (metadata["annotations"] ?? {}) as Fields; // as recorded
  for (const object of recorded.filter(({ kind }) => kind === "Installation")) {
    const template = annotationsOf(object)[contract.subinstallationName];
    if (template === undefined) continue;
    const found = live
      .get("Installation")
      ?.find(({ metadata }) => metadata.annotations?.[contract.subinstallationName] === template);
    renames.set(object.metadata.name, found?.metadata.name ?? `no live sub-installation of ${object.metadata.name}`);
  }
  for (const object of recorded.filter(({ kind }) => kind === "DeployItem")) {
    const [execution, item] = [renamed(labelsOf(object)[contract.managedBy]), labelsOf(object)[contract.managedName]];
    const found = live
      .get("DeployItem")
      ?.find(
        ({ metadata: { labels = {} } }) =>
          labels[contract.managedBy] === execution && labels[contract.managedName] === item,
      );
    // Before the name of the Execution, which it begins with.
    renames.delete(object.metadata.name);
    renames.set(object.metadata.name, found?.metadata.name ?? `no live item ${String(item)} of ${execution}`);
  }
  for (const object of recorded.filter(({ kind }) => kind === "DataObject" || kind === "Target")) {
    const { [contract.data.context]: context, [contract.data.key]: key = "" } = labelsOf(object);
    if (context === undefined) continue;
    renames.set(object.metadata.name, scopedName(renamed(context), String(key)));
  }
  const jobOf = (objects: readonly (Item | RecordedObject)[]): string =>
    String(objects.find(({ kind, status }) => kind === "Installation" && status !== undefined)?.status?.["jobID"]);
  renames.set(jobOf(recorded), jobOf(live.get("Installation") ?? []));
  // Longer names first: one may begin with another.
  return new Map([...renames].toSorted(([a], [b]) => b.length - a.length));
}

export interface Comparison {
  readonly live: readonly Comparable[];
  readonly original: readonly Comparable[];
}

/** Everything in the namespace that the recording has not as made by the user, beside what the recording says of it. */
export async function compareWireFormat(api: Api, recording: readonly RecordedObject[]): Promise<Comparison> {
  const live = new Map<Kind, readonly Item[]>();
  for (const kind of kinds) {
    const apiVersion = kind === "Secret" ? "v1" : "landscaper.gardener.cloud/v1alpha1";
    live.set(
      kind,
      (await api.list(kind)).map((item) => ({ ...item, apiVersion, kind })),
    );
  }
  const recorded = recording.filter(({ cluster }) => cluster === "hub");
  const renames = findRenames(recorded, live);
  const text = [...renames].reduce((done, [from, to]) => done.replaceAll(from, to), JSON.stringify(recorded));
  const inOrder = (objects: readonly (Item | RecordedObject)[]): Comparable[] =>
    objects.map(comparable).toSorted((a, b) => `${a.kind} ${a.name}`.localeCompare(`${b.kind} ${b.name}`));
  return { live: inOrder([...live.values()].flat()), original: inOrder(JSON.parse(text) as RecordedObject[]) };
}
