import * as contract from "../src/kits/contract-names.ts";
import { scopedName, sha1 } from "../src/kits/contract-names.ts";
import type { Api, Item } from "../src/kits/plain-api.ts";
import { apiVersion } from "../src/kits/plain-api.ts";
import { ownerReference } from "./original-objects.ts";

export interface DataPlace {
  readonly name: string;
  readonly key: string;
  /** "" for what a root exports. */
  readonly context: string;
  readonly source: string;
  readonly sourceType: "import" | "export";
  /** Installation or Execution; the object has its job. */
  readonly owner: Item;
}

/** A DataObject by its `data`, a Target by its `spec`; what is left of an earlier job is overwritten (core.md §3.3). */
export async function putData(
  api: Api,
  place: DataPlace,
  content: { readonly data: unknown } | { readonly spec: Readonly<Record<string, unknown>> },
): Promise<void> {
  const kind = "data" in content ? "DataObject" : "Target";
  const { name, owner, key, context, source, sourceType } = place;
  const { data } = contract;
  const labels = {
    ...(context === "" ? {} : { [data.context]: context }),
    ...(key === "" ? {} : { [data.key]: key }),
    [data.source]: source,
    [data.sourceType]: sourceType,
    [data.jobID]: owner.status?.jobID ?? "",
  };
  const value = "data" in content ? JSON.stringify(content.data, undefined, 2) : JSON.stringify(content.spec["config"]);
  const metadata = { name, labels, annotations: { [data.hash]: sha1(value) } };
  const live = await api.find(kind, name);
  const ownerReferences = [ownerReference(owner, false)];
  if (live === undefined) {
    await api.create({ apiVersion, kind, metadata: { ...metadata, ownerReferences }, ...content });
    return;
  }
  const foreign = live.metadata.ownerReferences?.find(({ uid }) => uid !== owner.metadata.uid);
  if (foreign !== undefined) throw new Error(`${kind} ${name} belongs to ${foreign.kind} ${foreign.name}`);
  await api.patch(kind, name, { metadata, ...content });
}

/** Parent of a nested Installation. */
export function parentOf({ metadata }: Item): string | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === "Installation")?.name;
}

/** Name of an object that an Installation calls `name`. */
export function outerName(installation: Item, name: string): string {
  const parent = parentOf(installation);
  return parent === undefined ? name : scopedName(`Inst.${parent}`, name);
}

interface Named {
  readonly name: string;
  readonly dataRef?: string;
  readonly target?: string;
}

interface Flow {
  readonly data?: readonly Named[];
  readonly targets?: readonly Named[];
}

/** `spec.imports` or `spec.exports`. */
export function flowOf({ spec }: Item, field: "imports" | "exports"): Required<Flow> {
  const { data = [], targets = [] } = (spec?.[field] ?? {}) as Flow; // as the CRD has it
  return { data, targets };
}

/** Names that connect an Installation with its siblings. */
export const referencesOf = (installation: Item, field: "imports" | "exports"): readonly string[] => {
  const { data, targets } = flowOf(installation, field);
  return [
    ...data.map(({ dataRef = "" }) => `data ${dataRef}`),
    ...targets.map(({ target = "" }) => `target ${target}`),
  ];
};

export interface Imports {
  readonly data: Readonly<Record<string, unknown>>;
  readonly targets: Readonly<Record<string, Item>>;
  /** SHA-1 (core.md §3.2). */
  readonly hash: string;
}

/** Rejects when one is not there. */
export async function loadImports(api: Api, installation: Item): Promise<Imports> {
  const { data, targets } = flowOf(installation, "imports");
  const objects = await Promise.all(
    data.map(
      async ({ name, dataRef = "" }) => [name, await api.get("DataObject", outerName(installation, dataRef))] as const,
    ),
  );
  const found = await Promise.all(
    targets.map(
      async ({ name, target = "" }) => [name, await api.get("Target", outerName(installation, target))] as const,
    ),
  );
  const generationOf = ({ metadata, data: value }: Item): string =>
    metadata.annotations?.[contract.data.hash] ?? sha1(JSON.stringify(value));
  const versions = {
    DataObjects: Object.fromEntries(objects.map(([name, object]) => [name, generationOf(object)])),
    Targets: Object.fromEntries(found.map(([name, { metadata }]) => [name, `${metadata.generation}`])),
    TargetLists: {},
    TargetMaps: {},
  };
  return {
    data: Object.fromEntries(objects.map(([name, object]) => [name, object.data])),
    targets: Object.fromEntries(found),
    hash: sha1(JSON.stringify(versions)),
  };
}
