import { annotations, LandscaperError, type ResourceType } from "@landscaper/api";
import {
  isAlreadyExists,
  isConflict,
  isDoubtful,
  isInvalid,
  isNotFound,
  isTooLarge,
  type Client,
} from "@landscaper/controller-runtime";
import {
  judgeOwnership,
  judgeTakeOver,
  ownedByOther,
  ownerAnnotations,
  resourceFailure,
  withoutOwnerMark,
  type Ownership,
  type OwnerLabel,
  type ResourceReference,
  type TakeOver,
} from "@landscaper/resources";
import { releaseError } from "../release-error.ts";
import { encodeRelease, largestSize, maxRecordBytes, maxStoredBytes, type ReleaseRecord } from "./release-record.ts";
import { mergeLabels, type ReleaseLabels } from "./release-labels.ts";
import {
  findForeignMarks,
  readStored,
  recordSelector,
  revisionOf,
  secretType,
  storedName,
  type StoredRelease,
} from "./stored-release.ts";
import { versionAnnotations } from "./helm-version-of.ts";

/** Where records are kept: one object for each revision, in the namespace of the release. */
export type ReleaseDriver = "secret" | "configmap";

export interface ReleaseStoreOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  /** Default: where the records of the release are; Secrets for a new release. */
  readonly driver?: ReleaseDriver | undefined;
  /** Who the release belongs to: its records get the owner's annotation, and a release with that of another item is refused. */
  readonly owner?: OwnerLabel | undefined;
  /** How a release is taken over that another item has marked. Default: it is refused. */
  readonly takeOver?: TakeOver | undefined;
  /** In ms since the epoch. */
  readonly now: () => number;
}

interface Attempt {
  readonly verb: "list" | "get" | "create" | "update" | "delete";
  readonly name: string;
  /** What is written. */
  readonly record?: ReleaseRecord;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

/** A record as we have seen it last. */
interface Seen {
  readonly live: StoredRelease;
  /** A write whose answer was lost: what it would have made of it. */
  readonly attempted?: string | undefined;
}

/** Of the JSON of all records of a release, in memory at a time. */
const maxHistoryBytes = 128 * 1024 * 1024;

type StoredType = ResourceType<StoredRelease>;

const types: Readonly<Record<ReleaseDriver, StoredType>> = {
  secret: { group: "", version: "v1", kind: "Secret", plural: "secrets", namespaced: true },
  configmap: { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
};

/**
 * The records of one release, in Secrets (or ConfigMaps) named and labelled as Helm 3 does. They are the lock of the release: who creates a
 * revision has it, and a revision that somebody else has written since it was read is not written over (ReleaseBusy).
 */
export class ReleaseStore {
  readonly #options: ReleaseStoreOptions;
  #type: StoredType;
  readonly #seen = new Map<number, Seen>();

  constructor(options: ReleaseStoreOptions) {
    this.#options = options;
    this.#type = types[options.driver ?? "secret"];
  }

  /**
   * All revisions, the oldest first; what cannot be read, or is too much together, is among them as `unreadable`. Throws LandscaperError when a newer Helm keeps the
   * release in another form, and when the newest revision is another item's that may not be taken over (TargetOwnedByOther).
   */
  async history(call: CallOptions): Promise<ReleaseRecord[]> {
    const found = await this.#list(call);
    this.#seen.clear();
    const records: ReleaseRecord[] = [];
    let left = maxHistoryBytes;
    for (const live of found.toSorted((one, other) => revisionOf(other) - revisionOf(one))) {
      const read = await readStored(live, this.#options.name, Math.max(1, Math.min(left, maxRecordBytes)));
      if (read === undefined) continue;
      const { record, bytes } = read;
      left -= bytes;
      this.#seen.set(record.version, { live });
      records.push(record);
    }
    const history = records.toSorted((a, b) => a.version - b.version);
    await this.#checkOwner(history);
    return history;
  }

  /** Whose a revision of the last history is; undefined without an owner to compare with. */
  ownershipOf({ version }: Pick<ReleaseRecord, "version">): Ownership | undefined {
    const { owner } = this.#options;
    const seen = this.#seen.get(version);
    return owner === undefined || seen === undefined ? undefined : judgeOwnership(seen.live, owner);
  }

  /** Names of releases are used by several items: the newest revision determines the owner. A revision that Helm has written has none. */
  async #checkOwner(history: readonly ReleaseRecord[]): Promise<void> {
    const newest = history.at(-1);
    const ownership = newest && this.ownershipOf(newest);
    const { name, namespace, owner, takeOver } = this.#options;
    if (owner === undefined || ownership?.type !== "other") return;
    const decision = await judgeTakeOver(ownership, owner, takeOver);
    if (decision.type === "take") return;
    throw ownedByOther({
      message: `release ${namespace}/${name} belongs to deploy item ${ownership.owner}, by the annotation ${annotations.ownedBy} of its newest revision`,
      decision,
      hint: "uninstall it there, or deploy it under another name",
    });
  }

  /** Marks the release as the owner's if the newest revision of the last history has another owner. The history has found that this is allowed. */
  async claim(history: readonly ReleaseRecord[], call: CallOptions): Promise<void> {
    const { name, namespace, owner, takeOver } = this.#options;
    const newest = history.at(-1);
    const ownership = newest && this.ownershipOf(newest);
    if (newest === undefined || owner === undefined || ownership?.type !== "other") return;
    await this.#annotate(newest, ownerAnnotations(owner) ?? {}, call);
    takeOver?.onTaken(`release ${namespace}/${name}`, ownership.owner);
  }

  /** Guarded by the version that was read. Throws LandscaperError (ReleaseBusy) if the revision has changed since. */
  async #annotate(
    record: ReleaseRecord,
    marks: Readonly<Record<string, string>>,
    { signal }: CallOptions,
  ): Promise<void> {
    const live = this.#seen.get(record.version)?.live;
    if (live === undefined) return;
    const { metadata } = withoutOwnerMark(live);
    const marked = { ...live, metadata: { ...metadata, annotations: { ...metadata.annotations, ...marks } } };
    const name = storedName(record.name, record.version);
    await this.#try({ verb: "update", name, record }, async () => {
      this.#seen.set(record.version, { live: await this.#options.client.update(this.#type, marked, { signal }) });
    });
  }

  /** Removes the owner's marks from the records of the last history. Guarded by the versions that were read. */
  async unmark(history: readonly ReleaseRecord[], call: CallOptions): Promise<void> {
    const { owner } = this.#options;
    if (owner === undefined) return;
    // The newest determines the owner, and time is short.
    for (const record of history.toReversed()) {
      const live = this.#seen.get(record.version)?.live;
      if (live?.metadata.annotations?.[annotations.ownedBy] !== ownerAnnotations(owner)?.[annotations.ownedBy])
        continue;
      await this.#annotate(record, {}, call);
    }
  }

  /** Something that changes with every write of the revision by anybody; undefined for one that was not in the last history. */
  stateOf({ version }: Pick<ReleaseRecord, "version">): string | undefined {
    return this.#seen.get(version)?.live.metadata.resourceVersion;
  }

  /** The object that the revision is kept in. */
  referenceTo({ version }: Pick<ReleaseRecord, "version">): ResourceReference {
    const { namespace, name } = this.#options;
    return { apiVersion: "v1", kind: this.#type.kind, namespace, name: storedName(name, version) };
  }

  /** Whether the label of a revision says something else than the record. */
  isMislabelled({ version, info }: ReleaseRecord): boolean {
    const seen = this.#seen.get(version);
    return seen !== undefined && seen.live.metadata.labels?.["status"] !== info.status;
  }

  /** Throws LandscaperError (ReleaseTooLarge) when the record, with all that may be written into it, cannot be kept. */
  async checkSize(record: ReleaseRecord): Promise<void> {
    const size = await largestSize(record);
    if (size > maxStoredBytes) throw this.#tooLarge(record, size);
  }

  /** Throws LandscaperError (ReleaseBusy) when somebody else has made this revision meanwhile. */
  async create(record: ReleaseRecord, { signal }: CallOptions): Promise<void> {
    const { client, now } = this.#options;
    const object = await this.#encode(record, { ...record.labels, createdAt: secondsOf(now()) });
    const attempt: Attempt = { verb: "create", name: storedName(record.name, record.version), record };
    await this.#try(attempt, async () => {
      try {
        this.#seen.set(record.version, { live: await client.create(this.#type, object, { signal }) });
      } catch (error) {
        if (isAlreadyExists(error)) await this.#checkInTheWay(record, { signal });
        const live = await this.#findDone(error, object, { signal });
        if (live === undefined) throw error;
        this.#seen.set(record.version, { live });
      }
    });
  }

  /** Writes a revision again, which must exist. Throws LandscaperError (ReleaseBusy) when somebody else has written it since it was read. */
  async update(record: ReleaseRecord, { signal }: CallOptions): Promise<void> {
    const attempt: Attempt = { verb: "update", name: storedName(record.name, record.version), record };
    await this.#try(attempt, async () => {
      const seen = this.#seen.get(record.version);
      const isSure = seen !== undefined && seen.attempted === undefined;
      const live = isSure ? seen.live : await this.#look(record, seen, { signal });
      try {
        await this.#write(record, live, { signal });
      } catch (error) {
        if (!isConflict(error) || seen === undefined) throw error;
        // Somebody may only have labelled it.
        await this.#write(record, await this.#look(record, seen, { signal }), { signal });
      }
    });
  }

  /** A revision that is gone already is fine. */
  async remove({ version }: Pick<ReleaseRecord, "version">, { signal }: CallOptions): Promise<void> {
    const { client, namespace, name } = this.#options;
    const key = { namespace, name: storedName(name, version) };
    await this.#try({ verb: "delete", name: key.name }, async () => {
      await client.delete(this.#type, key, { signal });
    });
    this.#seen.delete(version);
  }

  async #list({ signal }: CallOptions): Promise<StoredRelease[]> {
    const { client, namespace, name, driver } = this.#options;
    const list = async (type: StoredType): Promise<StoredRelease[]> =>
      this.#try({ verb: "list", name }, async () => {
        const { items } = await client.list(type, { namespace, labelSelector: recordSelector(name), signal });
        // Items of lists do not name their kind.
        return items.map((item) => ({ ...item, apiVersion: "v1", kind: type.kind }));
      });
    const found = await list(this.#type);
    if (found.length > 0 || driver !== undefined || this.#type === types.configmap) return found;
    try {
      const inConfigMaps = await list(types.configmap);
      if (inConfigMaps.length > 0) this.#type = types.configmap;
      return inConfigMaps;
    } catch (error) {
      // Who may not read them has not written them.
      if (error instanceof LandscaperError && error.reason === "TargetForbidden") return found;
      throw error;
    }
  }

  /** The revision as it is now, when it still is what we have seen or tried to write. */
  async #look(record: ReleaseRecord, seen: Seen | undefined, { signal }: CallOptions): Promise<StoredRelease> {
    const { client, namespace, name } = this.#options;
    const live = await client.get(this.#type, { namespace, name: storedName(name, record.version) }, { signal });
    const text = live.data?.["release"];
    const isOurs = seen === undefined || text === seen.live.data?.["release"] || text === seen.attempted;
    if (!isOurs) throw this.#busy({ verb: "update", name: live.metadata.name ?? "" });
    return live;
  }

  async #write(record: ReleaseRecord, live: StoredRelease, { signal }: CallOptions): Promise<void> {
    const { client, now } = this.#options;
    const changed = await this.#encode(record, { modifiedAt: secondsOf(now()) });
    const seen = this.#seen.get(record.version)?.live.metadata.labels ?? live.metadata.labels;
    const ownLabels = mergeLabels({ wanted: record.labels, seen, live: live.metadata.labels });
    const labels = { ...ownLabels, ...changed.metadata.labels };
    const marks = changed.metadata.annotations;
    const notes =
      marks === undefined ? {} : { annotations: { ...withoutOwnerMark(live).metadata.annotations, ...marks } };
    // What cannot be read may be of use to somebody who can.
    const data = record.unreadable === undefined ? changed.data : live.data;
    const object = {
      ...live,
      apiVersion: "v1",
      kind: this.#type.kind,
      metadata: { ...live.metadata, labels, ...notes },
      ...(data === undefined ? {} : { data }),
    };
    try {
      this.#seen.set(record.version, { live: await client.update(this.#type, object, { signal }) });
    } catch (error) {
      const done = await this.#findDone(error, object, { signal });
      if (done === undefined && isDoubtful(error)) {
        this.#seen.set(record.version, { live, attempted: object.data?.["release"] ?? "" });
      }
      if (done === undefined) throw error;
      this.#seen.set(record.version, { live: done });
    }
  }

  /** The object, when a write without (good) answer has been done all the same. */
  async #findDone(
    error: unknown,
    { metadata, data }: StoredRelease,
    { signal }: CallOptions,
  ): Promise<StoredRelease | undefined> {
    if (!isDoubtful(error)) return undefined;
    try {
      const key = { namespace: metadata.namespace, name: metadata.name ?? "" };
      const live = await this.#options.client.find(this.#type, key, { signal });
      const isDone =
        live?.data?.["release"] === data?.["release"] &&
        live?.metadata.labels?.["status"] === metadata.labels?.["status"];
      return isDone ? live : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  }

  async #encode(record: ReleaseRecord, further: ReleaseLabels): Promise<StoredRelease> {
    const isSecret = this.#type.kind === "Secret";
    const text = await encodeRelease(record);
    const { name, version, info } = record;
    const { namespace, owner } = this.#options;
    const marks = { ...(owner && ownerAnnotations(owner)), ...versionAnnotations(record) };
    return {
      apiVersion: "v1",
      kind: this.#type.kind,
      metadata: {
        name: storedName(name, version),
        namespace,
        ...(Object.keys(marks).length === 0 ? {} : { annotations: marks }),
        labels: { ...further, name, owner: "helm", status: info.status, version: String(version) },
      },
      ...(isSecret ? { type: secretType } : {}),
      data: { release: isSecret ? Buffer.from(text).toString("base64") : text },
    };
  }

  /** Something has the name of the new revision: a record that somebody else has made meanwhile, or what is none at all. */
  async #checkInTheWay({ version }: ReleaseRecord, { signal }: CallOptions): Promise<void> {
    const { client, namespace, name } = this.#options;
    const live = await client.find(this.#type, { namespace, name: storedName(name, version) }, { signal });
    const problem = live === undefined ? undefined : findForeignMarks(live, name);
    if (problem === undefined) return;
    const { kind } = this.#type;
    const message = `${kind} ${namespace}/${storedName(name, version)} is in the way of revision ${version} and is no record of release ${name}: ${problem}`;
    throw releaseError("InvalidRelease", message, { hint: "delete it" });
  }

  async #try<T>(attempt: Attempt, call: () => Promise<T>): Promise<T> {
    const { verb, name, record } = attempt;
    try {
      return await call();
    } catch (error) {
      const { kind } = this.#type;
      const { namespace } = this.#options;
      if (isAlreadyExists(error) || isConflict(error)) throw this.#busy(attempt, error);
      if (verb === "update" && isNotFound(error)) {
        throw releaseError(
          "ReleaseBusy",
          `${kind} ${namespace}/${name}: somebody has deleted this revision of the release`,
          { cause: error },
        );
      }
      const isTooLong = isTooLarge(error) || (isInvalid(error) && /Too long/i.test(error.message));
      if (record !== undefined && isTooLong) throw this.#tooLarge(record, (await encodeRelease(record)).length, error);
      throw await resourceFailure(error, { verb, reference: { apiVersion: "v1", kind, namespace, name } });
    }
  }

  #busy({ verb, name }: Attempt, cause?: unknown): Error {
    const place = `${this.#type.kind} ${this.#options.namespace}/${name}`;
    return releaseError("ReleaseBusy", `${place}: somebody else is at work on this release: ${verb} came too late`, {
      cause,
    });
  }

  #tooLarge({ name, version }: ReleaseRecord, bytes: number, cause?: unknown): Error {
    const { kind } = this.#type;
    const place = `${kind} ${this.#options.namespace}/${storedName(name, version)}`;
    const size = Math.ceil(bytes / 1024);
    const message = `${place}: the record of the release has ${size} KiB; a ${kind} holds ${maxStoredBytes / 1024}: make the chart smaller`;
    return releaseError("ReleaseTooLarge", message, { cause });
  }
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / 1000));
}
