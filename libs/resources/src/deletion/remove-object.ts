import { annotations, type KubeObject, type ObjectKey, type UnstructuredObject } from "@landscaper/api";
import { ApiError, isConflict, isNotFound } from "@landscaper/controller-runtime";
import { decideRemoval, decideRemovalUnseen, type RemovalDecision } from "./decide-removal.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { maxRaces } from "../cluster/lost-race.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { ownerAnnotationKeys, ownerAnnotations, type OwnerLabel } from "../cluster/owner-label.ts";
import { resourceFailure, type FailedAction } from "../cluster/resource-failure.ts";
import { formatResource, groupOf, isAddressable, keyOfReference } from "../cluster/resource-reference.ts";
import { workWhereServed, type TargetCluster } from "../cluster/target-cluster.ts";

export interface RemovalOptions {
  readonly cluster: TargetCluster;
  readonly entry: ManagedResource;
  readonly owner: OwnerLabel;
  /** Uids of objects that surely bear our mark. */
  readonly owned?: ReadonlySet<string> | undefined;
  /** Takes the finalizers off what would stay. */
  readonly forceDelete: boolean;
  /** Called for what could not be done, although the object is dealt with. */
  readonly onProblem: (problem: RemovalProblem) => void;
  readonly signal: AbortSignal;
}

/** Reason and message of a warning. The message names the object, no values. */
export interface RemovalProblem {
  readonly reason: "NotDisowned" | "InventoryEntrySkipped";
  readonly message: string;
}

/** "left": stays on purpose. "foreign": stays because it does not bear our mark. "terminating": something keeps it for now. */
export type Removal = "gone" | "left" | "foreign" | "terminating";

/** Removes one object of the inventory, if it is (still) ours. Throws LandscaperError naming object and verb. */
export async function removeObject(options: RemovalOptions): Promise<Removal> {
  const { cluster, entry, owned, signal } = options;
  const unseen = decideRemovalUnseen(entry, owned);
  if (unseen.type === "leave") return "left";
  if (unseen.type === "disown") return await disown(options);
  // An object goes with its kind: somebody deleted the CRD.
  return await workWhereServed<Removal>({ cluster, reference: entry.resource, absent: "gone", signal }, async (type) =>
    isSkipped(options, type) ? "gone" : await new ObjectRemoval(options, type).run(unseen),
  );
}

/** Earlier releases recorded manifests before they knew whether an object can have the name and the namespace. */
function isSkipped({ entry, onProblem }: RemovalOptions, { namespaced, kind }: UnstructuredType): boolean {
  const { resource } = entry;
  if (isAddressable(resource, namespaced)) return false;
  const lack =
    namespaced && (resource.namespace ?? "") === "" ? `kind ${kind} needs a namespace` : "no object can have this name";
  const message = `the inventory has ${formatResource(resource)}, but ${lack}: the entry is removed, and no object is deleted for it`;
  onProblem({ reason: "InventoryEntrySkipped", message });
  return true;
}

/** A JSON patch whose test fails: the mark is another's, or was taken off. */
function isTestFailure(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422;
}

/** Takes our marks off, if they are there. The object stays in any case: what hinders us here must not hinder the deletion. */
async function disown(options: RemovalOptions): Promise<Removal> {
  const { cluster, entry, onProblem, signal } = options;
  try {
    await workWhereServed<void>({ cluster, reference: entry.resource, absent: undefined, signal }, async (type) => {
      if (!isSkipped(options, type)) await withdrawMarks(options, type);
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!isTestFailure(error)) {
      const failure = await resourceFailure(error, { verb: "patch", reference: entry.resource });
      const words = failure instanceof Error ? failure.message : "unknown failure";
      onProblem({ reason: "NotDisowned", message: `the mark of the deploy item stays on what is kept: ${words}` });
    }
  }
  return "left";
}

async function withdrawMarks({ cluster, entry, owner, signal }: RemovalOptions, type: UnstructuredType): Promise<void> {
  const { client } = cluster;
  const key = keyOfReference(entry.resource, type.namespaced);
  const withdraw = async (marks: readonly Mark[]): Promise<void> => {
    const body = marks.flatMap(({ path, value }) => [
      { op: "test", path, value },
      { op: "remove", path },
    ]);
    await client.patch(type, key, { type: "json", body, signal });
  };
  try {
    await withdraw(marksOf(ownerAnnotations(owner) ?? {}, { [owner.key]: owner.value }));
  } catch (error) {
    if (!isTestFailure(error) || owner.item === undefined) throw error;
    const live = await client.find(type, key, { signal });
    const left = live === undefined ? [] : marksOnObject(live, owner);
    if (left.length > 0) await withdraw(left);
  }
}

/** Those that an object of the owner has: earlier versions wrote fewer. */
function marksOnObject({ metadata: { annotations: all = {}, labels = {} } }: KubeObject, owner: OwnerLabel): Mark[] {
  const { [annotations.ownedBy]: mark } = all;
  if (mark !== undefined && mark !== ownerAnnotations(owner)?.[annotations.ownedBy]) return [];
  if (mark === undefined && labels[owner.key] !== owner.value) return [];
  const marks = ownerAnnotationKeys.flatMap((key) => (all[key] === undefined ? [] : [[key, all[key]] as const]));
  const label = labels[owner.key] === owner.value ? { [owner.key]: owner.value } : {};
  return marksOf(Object.fromEntries(marks), label);
}

function marksOf(ofAnnotations: Readonly<Record<string, string>>, ofLabels: Readonly<Record<string, string>>): Mark[] {
  return [
    ...Object.entries(ofAnnotations).map(([key, value]) => ({ path: pathOf("annotations", key), value })),
    ...Object.entries(ofLabels).map(([key, value]) => ({ path: pathOf("labels", key), value })),
  ];
}

interface Mark {
  readonly path: string;
  readonly value: string;
}

function pathOf(field: "labels" | "annotations", key: string): string {
  return `/metadata/${field}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

class ObjectRemoval {
  readonly #options: RemovalOptions;
  readonly #type: UnstructuredType;
  readonly #key: ObjectKey;
  #verb: FailedAction["verb"] = "get";

  constructor(options: RemovalOptions, type: UnstructuredType) {
    this.#options = options;
    this.#type = type;
    this.#key = keyOfReference(options.entry.resource, type.namespaced);
  }

  /** Rethrows each 404. A DELETE has none for a missing object. */
  async run(first: RemovalDecision): Promise<Removal> {
    let decision = first;
    for (let races = 0; ;) {
      try {
        const removal = await this.#perform(decision);
        if (removal !== undefined) return removal;
        const live = await this.#read();
        if (this.#isAnother(live)) return "gone";
        decision = decideRemoval(this.#options.entry, live, this.#options.owner);
      } catch (error) {
        if (isNotFound(error)) throw error;
        // The object has changed, or another one has taken its name: look at it.
        if (!isConflict(error) || races++ >= maxRaces) throw await this.#failureOf(error);
        decision = { type: "inspect" };
      }
    }
  }

  /** Undefined: the live object must be looked at first. */
  async #perform(decision: RemovalDecision): Promise<Removal | undefined> {
    switch (decision.type) {
      case "inspect":
        return undefined;
      case "leave":
      case "disown":
        return "left";
      case "foreign":
        return "foreign";
      case "gone":
        return "gone";
      case "terminating":
        return await this.#terminate();
      case "delete":
        return await this.#delete(decision.uid);
      case "prepare": {
        this.#verb = "update";
        const { client, signal } = this.#context;
        const prepared = await client.update(this.#type, decision.object, { signal });
        return await this.#delete(prepared.metadata.uid ?? "");
      }
    }
  }

  async #delete(uid: string): Promise<Removal> {
    this.#verb = "delete";
    const { client, signal } = this.#context;
    const kept = await client.delete(this.#type, this.#key, { uid, propagationPolicy: "Background", signal });
    return kept?.metadata.deletionTimestamp === undefined ? "gone" : await this.#terminate();
  }

  async #terminate(): Promise<Removal> {
    if (!this.#options.forceDelete) return "terminating";
    this.#verb = "patch";
    const { client, signal } = this.#context;
    await client.patch(this.#type, this.#key, { type: "merge", body: { metadata: { finalizers: null } }, signal });
    await this.#read();
    return "terminating";
  }

  async #read(): Promise<UnstructuredObject> {
    this.#verb = "get";
    const { client, signal } = this.#context;
    return await client.get(this.#type, this.#key, { signal });
  }

  /** Kubernetes moves objects between groups with their uid: one with another uid has taken the name in the new group. */
  #isAnother({ metadata }: UnstructuredObject): boolean {
    const { uid, apiVersion } = this.#options.entry.resource;
    return this.#type.group !== groupOf(apiVersion) && uid !== undefined && uid !== metadata.uid;
  }

  async #failureOf(error: unknown): Promise<unknown> {
    const { resource, patchBeforeDelete } = this.#options.entry;
    return await resourceFailure(error, { verb: this.#verb, reference: resource, sent: patchBeforeDelete });
  }

  get #context(): { readonly client: TargetCluster["client"]; readonly signal: AbortSignal } {
    return { client: this.#options.cluster.client, signal: this.#options.signal };
  }
}
