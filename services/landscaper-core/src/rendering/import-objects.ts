import {
  LandscaperError,
  type ConfigMap,
  type DataObject,
  type Installation,
  type KubeObject,
  type Secret,
  type Target,
} from "@landscaper/api";
import { listImportSources, type ImportLookup, type ImportSource, type LoadOptions } from "@landscaper/blueprint";
import { pack, unpack, type Packed } from "@landscaper/threads";
import { createBreather } from "@landscaper/controller-runtime";

/** Everything that the imports of an Installation are read from, for a thread; each object is packed by itself. */
export interface ImportObjects {
  /** By kind and name, "DataObject/x"; objects that do not exist are absent. */
  readonly objects: Readonly<Record<string, Packed>>;
  /** Targets that the parent imports as list or map, by scope and key. */
  readonly parents: Readonly<Record<string, readonly Packed[]>>;
  /** Equal for equal versions of the same objects. */
  readonly stamp: string;
}

/** More is more than any job needs, and the main thread would have to copy it. */
const maxBytes = 16 * 1024 * 1024;

/** Reads all objects that `loadImports` is going to ask for. Throws LandscaperError for a spec that names no source. */
export async function readImportObjects(
  installation: Installation,
  reader: ImportLookup,
  options: LoadOptions,
): Promise<ImportObjects> {
  const found = new FoundObjects();
  const sources = listImportSources(installation);
  await Promise.all(sources.map((source) => readSource(source, { installation, reader, options, found })));
  return found.pack();
}

interface Reading {
  readonly installation: Installation;
  readonly reader: ImportLookup;
  readonly options: LoadOptions;
  readonly found: FoundObjects;
}

async function readSource(source: ImportSource, reading: Reading): Promise<void> {
  const { reader, found } = reading;
  switch (source.kind) {
    case "dataObject":
      found.add("DataObject", source.objectName, await reader.dataObject(source.objectName));
      return;
    case "secret":
      found.add("Secret", source.ref.name, await reader.secret(source.ref.name));
      return;
    case "configMap":
      found.add("ConfigMap", source.ref.name, await reader.configMap(source.ref.name));
      return;
    case "target":
      return readTargets([source.objectName], reading);
    case "targetList":
      return readTargets(source.objectNames, reading);
    case "targetMap":
      return readTargets(Object.values(source.objectNames), reading);
    case "parentList":
    case "parentMap": {
      const { jobID = "" } = reading.installation.status ?? {};
      const targets = reader.parentTargets({ ...source, jobID });
      found.addParent(parentKey(source), targets);
      await Promise.all(targets.map((target) => readTargetSecret(target, reading)));
    }
  }
}

async function readTargets(names: readonly string[], reading: Reading): Promise<void> {
  await Promise.all(
    names.map(async (name) => {
      const target = await reading.reader.target(name);
      reading.found.add("Target", name, target);
      if (target !== undefined) await readTargetSecret(target, reading);
    }),
  );
}

async function readTargetSecret({ spec }: Target, { reader, options, found }: Reading): Promise<void> {
  const { secretRef } = spec;
  if (options.readsTargetSecrets !== true || secretRef === undefined) return;
  found.add("Secret", secretRef.name, await reader.secret(secretRef.name));
}

function parentKey({ scope, key }: { readonly scope: string; readonly key: string }): string {
  return `${scope}/${key}`;
}

class FoundObjects {
  readonly #objects = new Map<string, KubeObject>();
  readonly #parents = new Map<string, readonly KubeObject[]>();

  add(kind: string, name: string, object: KubeObject | undefined): void {
    if (object !== undefined) this.#objects.set(`${kind}/${name}`, object);
  }

  addParent(key: string, targets: readonly KubeObject[]): void {
    this.#parents.set(key, targets);
  }

  async pack(): Promise<ImportObjects> {
    const packer = new Packer();
    const objects: Record<string, Packed> = {};
    const parents: Record<string, readonly Packed[]> = {};
    const versions: string[] = [];
    for (const [name, object] of [...this.#objects].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      objects[name] = await packer.pack(object);
      versions.push(`${name}=${versionOf(object)}`);
    }
    for (const [key, targets] of [...this.#parents].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      parents[key] = await packer.packAll(targets);
      versions.push(`${key}=${targets.map(versionOf).join(",")}`);
    }
    return { objects, parents, stamp: versions.join("\n") };
  }
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid ?? ""}/${metadata.resourceVersion ?? ""}`;
}

/** Packs objects for a thread one by one, so that many large ones do not keep the main thread. Throws LandscaperError for too many. */
export class Packer {
  readonly #breathe = createBreather();
  #bytes = 0;

  async pack(object: unknown): Promise<Packed> {
    await this.#breathe();
    const packed = pack(object);
    this.#bytes += packed.byteLength;
    if (this.#bytes <= maxBytes) return packed;
    throw new LandscaperError({
      message: `imports and exports together are larger than ${maxBytes / 1024 / 1024} MiB`,
      reason: "ObjectTooLarge",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      hint: "import and export less, or split the installation",
      retry: "never",
    });
  }

  async packAll(objects: readonly unknown[]): Promise<readonly Packed[]> {
    const packed: Packed[] = [];
    for (const object of objects) packed.push(await this.pack(object));
    return packed;
  }
}

/** In the thread: what was read, for `loadImports`. */
export function lookupOf({ objects, parents }: ImportObjects): ImportLookup {
  // The name says the kind of what was packed under it.
  const find = (name: string): unknown => {
    const packed = objects[name];
    return packed === undefined ? undefined : unpack(packed);
  };
  return {
    dataObject: async (name) => find(`DataObject/${name}`) as DataObject | undefined,
    target: async (name) => find(`Target/${name}`) as Target | undefined,
    secret: async (name) => find(`Secret/${name}`) as Secret | undefined,
    configMap: async (name) => find(`ConfigMap/${name}`) as ConfigMap | undefined,
    parentTargets: (parent) => (parents[parentKey(parent)] ?? []).map((packed) => unpack(packed) as Target),
  };
}
