import type { Installation } from "@landscaper/api";
import { selectRoot } from "@landscaper/blueprint";
import type { IndexEntry, IndexQuery } from "@landscaper/chart-source";
import {
  gatherSupplies,
  type ComponentFetcher,
  type ComponentRequest,
  type ComponentRights,
  type ComponentSource,
  type SeenManifests,
  type Supply,
} from "@landscaper/components";
import type { Client } from "@landscaper/controller-runtime";
import type { Context } from "@landscaper/api";
import { namespaceOf, uidOf } from "../object-reading.ts";
import type { ComponentInput } from "../rendering/render-task.ts";
import {
  readComponentRights,
  readComponentSettings,
  type ComponentSettings,
  type SignatureRules,
} from "./component-settings.ts";

export interface JobComponentsOptions {
  readonly client: Client;
  readonly source: ComponentSource;
  /** Finds charts in index files of Helm repositories, for a namespace. Default: in this thread. */
  readonly findInIndex?: FindForNamespace | undefined;
  /** Docker configuration files of the service. */
  readonly configFiles?: readonly string[] | undefined;
  /** Told once what is passed over of them. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Default: what demands verification is verified, with keys of its own namespace. */
  readonly signatures?: Partial<SignatureRules> | undefined;
  readonly limits?: Partial<JobComponentsLimits> | undefined;
}

/** Finds a chart in an index file for an Installation of a namespace. */
export type FindForNamespace = (
  asked: { readonly index: Uint8Array; readonly query: IndexQuery; readonly namespace: string },
  signal: AbortSignal,
) => Promise<IndexEntry>;

interface JobComponentsLimits {
  /** Jobs that are remembered, and the bytes of all that they have fetched. */
  readonly jobs: number;
  readonly bytes: number;
}

/** An Installation with the status of the pass, and its Context. */
export interface ComponentJob {
  readonly installation: Installation;
  readonly loadContext: () => Promise<Context>;
  /** Whether an earlier rendering of the job has verified the component: its keys are not read again. Default: false. */
  readonly isVerified?: boolean;
}

/** What the jobs of this process have fetched of components. A job that is forgotten fetches again, from the cache on disk as far as it has it. */
export interface JobComponents {
  /** What a rendering gets. Throws LandscaperError. */
  input(job: ComponentJob, signal: AbortSignal): Promise<ComponentInput>;
  /** Fetches what a rendering has lacked. Throws LandscaperError. */
  fetch(job: ComponentJob, requests: readonly ComponentRequest[], signal: AbortSignal): Promise<void>;
  /** From now on the job sees what it has been rendered with, whatever becomes of the Context. */
  settle(installation: Installation): void;
  /** The job is over. */
  forget(installation: Installation): void;
  /** What was passed over of the credentials of the job; without values. */
  warningsOf(installation: Installation): readonly string[];
}

const defaults: JobComponentsLimits = { jobs: 1000, bytes: 256 * 1024 * 1024 };

interface JobRecord {
  readonly jobID: string;
  /** What the settings were read from; a change counts until the job has been rendered. */
  readonly version: string;
  isSettled: boolean;
  /** Whether the keys were left out of the settings. */
  readonly isVerified: boolean;
  readonly settings: ComponentSettings;
  readonly supplies: Map<string, Supply>;
  readonly seen: SeenManifests;
  fetcher: ComponentFetcher | undefined;
  warnings: readonly string[];
}

export function createJobComponents(options: JobComponentsOptions): JobComponents {
  return new Records(options);
}

class Records implements JobComponents {
  readonly #options: JobComponentsOptions;
  readonly #limits: JobComponentsLimits;
  /** By the uid of the Installation; the last one is the one used last. */
  readonly #records = new Map<string, JobRecord>();
  readonly #told = new Set<string>();

  constructor(options: JobComponentsOptions) {
    this.#options = options;
    this.#limits = { ...defaults, ...options.limits };
  }

  async input(job: ComponentJob, signal: AbortSignal): Promise<ComponentInput> {
    if (selectRoot(job.installation) === undefined) return { selection: undefined, supplies: [] };
    const record = await this.#recordOf(job, signal);
    const { selection, verification } = record?.settings ?? {};
    return { selection, verification, supplies: [...(record?.supplies ?? [])] };
  }

  async fetch(job: ComponentJob, requests: readonly ComponentRequest[], signal: AbortSignal): Promise<void> {
    const record = await this.#recordOf(job, signal);
    if (record === undefined) return;
    const namespace = namespaceOf(job.installation);
    const fetcher = record.fetcher ?? (await this.#createFetcher(record, namespace, signal));
    record.fetcher = fetcher;
    try {
      await gatherSupplies(requests, { fetcher, supplies: record.supplies, signal });
    } catch (error) {
      // The next attempt may have other credentials.
      record.fetcher = undefined;
      throw error;
    }
    this.#makeRoom();
  }

  settle(installation: Installation): void {
    const record = this.#records.get(uidOf(installation));
    if (record?.jobID === jobIdOf(installation)) record.isSettled = true;
  }

  forget(installation: Installation): void {
    this.#records.delete(uidOf(installation));
  }

  warningsOf(installation: Installation): readonly string[] {
    const record = this.#records.get(uidOf(installation));
    return record?.jobID === jobIdOf(installation) ? record.warnings : [];
  }

  async #recordOf(job: ComponentJob, signal: AbortSignal): Promise<JobRecord | undefined> {
    const { installation, isVerified = false } = job;
    const uid = uidOf(installation);
    const jobID = jobIdOf(installation);
    const found = this.#records.get(uid);
    // One without keys is of no use once the job has lost what says that it was verified.
    const known = found?.jobID === jobID && (isVerified || !found.isVerified) ? found : undefined;
    if (known?.isSettled === true) return this.#keep(uid, known);
    const context = await job.loadContext();
    const version = `${installation.metadata.generation ?? 0}/${context.metadata.resourceVersion ?? ""}`;
    if (known?.version === version) return this.#keep(uid, known);
    this.#records.delete(uid);
    const { client, signatures } = this.#options;
    const settings = await readComponentSettings(installation, context, { ...signatures, client, signal, isVerified });
    if (settings === undefined) return undefined;
    const { warnings } = settings.ocm;
    const supplies = new Map<string, Supply>();
    const seen: SeenManifests = new Map();
    const fresh = { isSettled: false, supplies, seen, fetcher: undefined };
    return this.#keep(uid, { ...fresh, jobID, version, isVerified, settings, warnings });
  }

  async #createFetcher(record: JobRecord, namespace: string, signal: AbortSignal): Promise<ComponentFetcher> {
    const { client, source, configFiles = [], findInIndex } = this.#options;
    const reading = { client, signal, configFiles };
    const { rights, warnings, serviceWarnings } = await readComponentRights(record.settings, reading);
    record.warnings = warnings;
    this.#warn(serviceWarnings);
    if (findInIndex === undefined) return source.forJob(rights, record.seen);
    const find: ComponentRights["findInIndex"] = (index, query, at) => findInIndex({ index, query, namespace }, at);
    return source.forJob({ ...rights, findInIndex: find }, record.seen);
  }

  #warn(messages: readonly string[]): void {
    for (const message of messages) {
      if (this.#told.has(message)) continue;
      this.#told.add(message);
      this.#options.onWarning?.(message);
    }
  }

  #keep(uid: string, record: JobRecord): JobRecord {
    this.#records.delete(uid);
    this.#records.set(uid, record);
    this.#makeRoom();
    return record;
  }

  /** The job that was used last stays. */
  #makeRoom(): void {
    const sizeOf = ({ supplies }: JobRecord): number =>
      [...supplies.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
    let bytes = [...this.#records.values()].reduce((sum, record) => sum + sizeOf(record), 0);
    for (const [uid, record] of this.#records) {
      const isEnough = this.#records.size <= this.#limits.jobs && bytes <= this.#limits.bytes;
      if (isEnough || this.#records.size === 1) return;
      bytes -= sizeOf(record);
      this.#records.delete(uid);
    }
  }
}

function jobIdOf({ status }: Installation): string {
  return status?.jobID ?? "";
}
