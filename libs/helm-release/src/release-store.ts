import type { KubeObject, ResourceType } from "@landscaper/api";
import {
  isAlreadyExists,
  isConflict,
  isInvalid,
  isNotFound,
  isTooLarge,
  type Client,
} from "@landscaper/controller-runtime";
import { resourceFailure } from "@landscaper/resources";
import { releaseError } from "./release-error.ts";
import { decodeRelease, encodeRelease, type ReleaseRecord } from "./release-record.ts";

/** Where records are kept: one object for each revision, in the namespace of the release. */
export type ReleaseDriver = "secret" | "configmap";

export interface ReleaseStoreOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly driver?: ReleaseDriver | undefined;
  /** In ms since the epoch. */
  readonly now: () => number;
}

interface Attempt {
  readonly verb: "list" | "create" | "update" | "delete";
  readonly name: string;
  /** What is written. */
  readonly record?: ReleaseRecord;
}

interface CallOptions {
  readonly signal: AbortSignal;
}

interface StoredObject extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const secretType = "helm.sh/release.v1";

/** The records of one release, in Secrets (or ConfigMaps) named and labelled as Helm 3 does. */
export class ReleaseStore {
  readonly #options: ReleaseStoreOptions;
  readonly #type: ResourceType<StoredObject>;

  constructor(options: ReleaseStoreOptions) {
    this.#options = options;
    const [kind, plural] = options.driver === "configmap" ? ["ConfigMap", "configmaps"] : ["Secret", "secrets"];
    this.#type = { group: "", version: "v1", kind, plural, namespaced: true };
  }

  /** All revisions, the oldest first. Throws LandscaperError when one cannot be read. */
  async history({ signal }: CallOptions): Promise<ReleaseRecord[]> {
    const { client, namespace, name } = this.#options;
    const labelSelector = `owner=helm,name=${name}`;
    const found = await this.#try({ verb: "list", name }, async () =>
      client.list(this.#type, { namespace, labelSelector, signal }),
    );
    return found.items.map((object) => this.#decode(object)).toSorted((a, b) => a.version - b.version);
  }

  /** Throws LandscaperError (ReleaseBusy) when somebody else has made this revision meanwhile. */
  async create(record: ReleaseRecord, { signal }: CallOptions): Promise<void> {
    const { client, now } = this.#options;
    const object = this.#encode(record, { createdAt: secondsOf(now()) });
    const attempt: Attempt = { verb: "create", name: object.metadata.name ?? "", record };
    await this.#try(attempt, async () => client.create(this.#type, object, { signal }));
  }

  /** Writes a revision again, which must exist. */
  async update(record: ReleaseRecord, { signal }: CallOptions): Promise<void> {
    const { client, namespace, now } = this.#options;
    const key = { namespace, name: this.#nameOf(record) };
    await this.#try({ verb: "update", name: key.name, record }, async () => {
      const live = await client.get(this.#type, key, { signal });
      const changed = this.#encode(record, { modifiedAt: secondsOf(now()) });
      const labels = { ...live.metadata.labels, ...changed.metadata.labels };
      await client.update(this.#type, { ...live, ...changed, metadata: { ...live.metadata, labels } }, { signal });
    });
  }

  /** A revision that is gone already is fine. */
  async remove(record: Pick<ReleaseRecord, "version">, { signal }: CallOptions): Promise<void> {
    const { client, namespace } = this.#options;
    const key = { namespace, name: this.#nameOf(record) };
    await this.#try({ verb: "delete", name: key.name }, async () => {
      await client.delete(this.#type, key, { signal }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    });
  }

  #nameOf({ version }: Pick<ReleaseRecord, "version">): string {
    return `sh.helm.release.v1.${this.#options.name}.v${version}`;
  }

  #decode({ metadata, data }: StoredObject): ReleaseRecord {
    const where = `${this.#type.kind} ${metadata.namespace}/${metadata.name}`;
    const text = data?.["release"] ?? "";
    return decodeRelease(this.#type.kind === "Secret" ? Buffer.from(text, "base64").toString("utf8") : text, where);
  }

  #encode(record: ReleaseRecord, times: Readonly<Record<string, string>>): StoredObject {
    const isSecret = this.#type.kind === "Secret";
    const text = encodeRelease(record);
    const { name, version, info } = record;
    return {
      apiVersion: "v1",
      kind: this.#type.kind,
      metadata: {
        name: this.#nameOf(record),
        namespace: this.#options.namespace,
        labels: { ...times, name, owner: "helm", status: info.status, version: String(version) },
      },
      ...(isSecret ? { type: secretType } : {}),
      data: { release: isSecret ? Buffer.from(text).toString("base64") : text },
    };
  }

  async #try<T>({ verb, name, record }: Attempt, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { kind } = this.#type;
      const { namespace } = this.#options;
      const place = `${kind} ${namespace}/${name}`;
      if (isAlreadyExists(error) || isConflict(error)) {
        throw releaseError(
          "ReleaseBusy",
          `${place}: somebody else is at work on this release: ${verb} came too late`,
          error,
        );
      }
      if (record !== undefined && (isTooLarge(error) || (isInvalid(error) && /Too long/i.test(error.message)))) {
        const size = Math.ceil(encodeRelease(record).length / 1024);
        const message = `${place}: the record of the release has ${size} KiB; a ${kind} holds 1024: make the chart smaller`;
        throw releaseError("ReleaseTooLarge", message, error);
      }
      throw resourceFailure(error, { verb, reference: { apiVersion: "v1", kind, namespace, name } });
    }
  }
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / 1000));
}
