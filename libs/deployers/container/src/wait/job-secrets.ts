import { kubeResources, type Secret } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { JobFile } from "../contract/job-file.ts";
import { containerLabels } from "../contract/labels.ts";
import { writeUntilAnswered, type RetryOptions } from "./write-object.ts";

export interface SecretContent {
  readonly name: string;
  /** Value of the label `type`. */
  readonly type: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly key: string;
  readonly content: Uint8Array;
}

export interface ApplyOptions {
  /** The write is refused when the Secret has another version by then. */
  readonly resourceVersion?: string | undefined;
  /** The write is refused when the Secret has the key already, from somebody else. Default: false. */
  readonly mustBeFirst?: boolean;
}

const fieldManager = "container-deployer-wait";

/** The Secrets of a job in the namespace of its Pod. All writes may be repeated. */
export class JobSecrets {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #job: JobFile;
  readonly #retry: RetryOptions;

  constructor(client: Client, options: RetryOptions & { readonly namespace: string; readonly job: JobFile }) {
    this.#client = client;
    this.#namespace = options.namespace;
    this.#job = options.job;
    this.#retry = options;
  }

  /** Writes one by server-side apply, which may create it. Throws ApiError and ConnectionError. */
  async apply(secret: SecretContent, { resourceVersion, mustBeFirst = false }: ApplyOptions = {}): Promise<void> {
    const { name, type, annotations, key, content } = secret;
    const labels = { ...this.#job.labels, [containerLabels.type]: type };
    const metadata = {
      name,
      namespace: this.#namespace,
      labels,
      ...(annotations && { annotations }),
      ...(resourceVersion && { resourceVersion }),
    };
    const data = { [key]: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64") };
    const body: Secret = { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
    // Without force, the API server refuses to change a field that somebody else has written: each run has a name of its own then.
    const how = mustBeFirst ? { fieldManager: `${fieldManager}-${this.#job.suffix}` } : { fieldManager, force: true };
    const place = { namespace: this.#namespace, name };
    await writeUntilAnswered(
      async () => this.#client.patch(kubeResources.secret, place, { type: "apply", body, ...how }),
      this.#retry,
    );
  }

  /** The value of a key; undefined when there is no such Secret or key. */
  async read(name: string, key: string): Promise<Buffer | undefined> {
    const found = await this.#client.find(kubeResources.secret, { namespace: this.#namespace, name });
    const value = found?.data?.[key];
    return value === undefined ? undefined : Buffer.from(value, "base64");
  }
}
