import type { DeployContext, Outcome, Waiting } from "@landscaper/deployer";
import {
  Deployment,
  locateObjects,
  parseManifest,
  type ReleaseObject,
  type ReleaseRecord,
} from "@landscaper/helm-release";
import { listBriefly, ownerOf, settleDeletion } from "@landscaper/manifest-deployer-lib";
import {
  checkReadiness,
  collectExports,
  collectValues,
  deleteResources,
  mergeExports,
  referenceTo,
  resourceId,
  type ManagedResource,
  type TargetCluster,
} from "@landscaper/resources";
import { handToRelease } from "./adopt-objects.ts";
import type { ChartStore, LoadedChart } from "./chart-store.ts";
import type { HelmConfig } from "./helm-config.ts";
import { contentOf, exportDataOf, renderItem, type RenderingOptions } from "./helm-rendering.ts";
import {
  isSameRelease,
  persistHelmStatus,
  readHelmStatus,
  writeHelmStatus,
  type HelmStatus,
  type ReleaseName,
} from "./helm-status.ts";
import { digestOfText, inputsDigest, planRelease, type ReleasePlan } from "./plan-release.ts";
import { releaseContext } from "./release-access.ts";
import { releaseOptions } from "./release-options.ts";
import { uninstallRelease, type Uninstalls } from "./uninstall-release.ts";
import { workloadsOf } from "./workloads.ts";

/** What is done of a job, so that the passes that only wait need not repeat it. A new process starts with nothing done. */
interface Progress {
  readonly generation: number | undefined;
  loaded: LoadedChart | undefined;
  deployment: Deployment | undefined;
  /** The revision that is wanted, deployed. */
  record: ReleaseRecord | undefined;
  objects: readonly ReleaseObject[] | undefined;
  /** Something of the revision was gone, and it was deployed anew. */
  isRepaired: boolean;
  readonly uninstalls: Uninstalls;
  readonly ready: Set<string>;
  readonly suspects: Map<string, number>;
}

const abandonLimitMs = 5000;

/** One pass over a job that makes a Helm release. Each step returns what it waits for, or undefined when it is done; failures are thrown. */
export class ReleaseJob {
  readonly #context: DeployContext<HelmConfig>;
  readonly #config: HelmConfig;
  readonly #charts: ChartStore;
  readonly #cluster: TargetCluster;
  readonly #progress: Progress;
  #exports: Readonly<Record<string, unknown>> = {};

  private constructor(context: DeployContext<HelmConfig>, charts: ChartStore, cluster: TargetCluster) {
    this.#context = context;
    this.#config = context.config;
    this.#charts = charts;
    this.#cluster = cluster;
    this.#progress = enterProgress(context);
  }

  static async enter(context: DeployContext<HelmConfig>, charts: ChartStore): Promise<ReleaseJob> {
    return new ReleaseJob(context, charts, await context.target.cluster());
  }

  async deploy(): Promise<Waiting | undefined> {
    const progress = this.#progress;
    if (progress.record !== undefined) return undefined;
    const loaded = (progress.loaded ??= await this.#charts.load(this.#config.chart, this.#context));
    progress.deployment ??= await this.#begin(loaded);
    if (progress.deployment === undefined) return undefined;
    const { deployment } = progress;
    try {
      const waiting = await deployment.advance(this.#context.signal);
      if (waiting !== undefined)
        return {
          type: "waiting",
          for: listBriefly(waiting.waitingFor),
          wakeOn: waiting.awaited,
          requeueAfterMs: waiting.lookAgainAfterMs,
        };
    } catch (error) {
      progress.deployment = undefined;
      if (this.#context.signal.aborted) await this.#abandon(deployment);
      throw error;
    }
    progress.record = deployment.record;
    return undefined;
  }

  /** Undefined: there is nothing to deploy. What is about to be done is in the status before. */
  async #begin(loaded: LoadedChart): Promise<Deployment | undefined> {
    const { signal } = this.#context;
    const access = releaseContext(this.#config, this.#cluster, this.#context);
    const status = this.#status();
    const inputs = inputsDigest(loaded.origin.digest, this.#config);
    const history = await access.store.history({ signal });
    const known =
      status.release !== undefined && isSameRelease(status.release, this.#config) ? status.release : undefined;
    const isLeft = status.mode === "release" && !this.#progress.isRepaired;
    const plan = planRelease({ history, status: isLeft ? known : withoutManifest(known), inputs });
    if (plan.type === "unchanged") {
      this.#progress.record = plan.record;
      return undefined;
    }
    const rendered = await renderItem(this.#rendering(loaded, plan));
    const content = contentOf(rendered, this.#config.values);
    await persistHelmStatus(
      this.#context,
      await this.#planned(status, { loaded, inputs, plan, manifest: content.manifest }),
    );
    return new Deployment(access, content, {
      ...releaseOptions(this.#config, plan),
      retryOf: plan.retryOf,
      ownRevision: known?.revision,
    });
  }

  #rendering(
    loaded: LoadedChart,
    { revision, isUpgrade }: Pick<RenderingOptions, "revision" | "isUpgrade">,
  ): RenderingOptions {
    return { context: this.#context, cluster: this.#cluster, charts: this.#charts, loaded, revision, isUpgrade };
  }

  async #planned(
    status: HelmStatus,
    plan: { loaded: LoadedChart; inputs: string; manifest: string; plan: Extract<ReleasePlan, { type: "deploy" }> },
  ): Promise<HelmStatus> {
    const { name, namespace } = this.#config;
    const release = { name, namespace };
    const { signal } = this.#context;
    const cluster = this.#cluster;
    const objects = await locateObjects(cluster, parseManifest(plan.manifest), {
      namespace,
      skipUnknown: true,
      signal,
    });
    const former = status.mode === "release" ? [] : status.managedResources;
    const handed = [...status.formerResources, ...former];
    const { item } = this.#context;
    return {
      ...status,
      mode: "release",
      managedResources: workloadsOf(objects),
      release: { ...release, revision: plan.plan.revision, inputs: plan.inputs, manifest: digestOfText(plan.manifest) },
      chart: plan.loaded.origin,
      formerReleases: formerReleases(status, release),
      formerResources: await handToRelease(handed, { cluster, release, objects, item, signal }),
    };
  }

  async #abandon(deployment: Deployment): Promise<void> {
    try {
      await deployment.abandon("the job was ended while it ran", AbortSignal.timeout(abandonLimitMs));
    } catch (error) {
      // The next job repairs what is left pending.
      this.#context.log.warn({ error: String(error) }, "could not record that the revision has failed");
    }
  }

  /** What earlier configurations have deployed goes when the new is there: another release, or manifests that it does not have. */
  async cleanUp(): Promise<Waiting | undefined> {
    for (const release of this.#status().formerReleases) {
      const { uninstalls } = this.#progress;
      const waiting = await uninstallRelease(release, this.#context, { uninstalls, wait: true });
      if (waiting !== undefined) return waiting;
      const status = this.#status();
      const left = status.formerReleases.filter((other) => !isSameRelease(other, release));
      await persistHelmStatus(this.#context, { ...status, formerReleases: left });
    }
    return await this.#cleanUpResources();
  }

  async #cleanUpResources(): Promise<Waiting | undefined> {
    const status = this.#status();
    if (status.formerResources.length === 0) return undefined;
    const { item, target, signal } = this.#context;
    const had = new Set((await this.#objects()).map(({ object }) => resourceId(referenceTo(object))));
    const result = await deleteResources({
      cluster: this.#cluster,
      entries: status.formerResources.filter(({ resource }) => !had.has(resourceId(resource))),
      groups: this.#config.deletionGroupsDuringUpdate,
      owner: ownerOf(item),
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    this.#context.report(writeHelmStatus({ ...status, formerResources: result.remaining }));
    return settleDeletion(result);
  }

  async awaitReadiness(): Promise<Waiting | undefined> {
    const { readinessChecks } = this.#config;
    const { ready, suspects } = this.#progress;
    const { target, clock, signal } = this.#context;
    const absent = new Set<string>();
    const { unready, awaited, lookAgainAfterMs } = await checkReadiness({
      cluster: this.#cluster,
      entries: await this.#checked(),
      checks: readinessChecks,
      ready,
      suspects,
      now: clock.now(),
      absent,
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    if (unready.length === 0) return undefined;
    const waitingFor = `readiness of ${listBriefly(unready)}`;
    if (absent.size > 0 && this.#deployAgain()) return { type: "waiting", for: waitingFor, requeueAfterMs: 0 };
    return { type: "waiting", for: waitingFor, wakeOn: awaited, requeueAfterMs: lookAgainAfterMs };
  }

  /** As the original the workloads; by the rules of kstatus everything. */
  async #checked(): Promise<ManagedResource[]> {
    const objects = await this.#objects();
    if (this.#config.readinessChecks?.level !== "kstatus") return workloadsOf(objects);
    return objects.map(({ object }) => ({ resource: referenceTo(object) }));
  }

  /** Somebody has removed what the revision has: it is deployed anew, once. */
  #deployAgain(): boolean {
    if (this.#progress.isRepaired) return false;
    Object.assign(this.#progress, { isRepaired: true, record: undefined, deployment: undefined, objects: undefined });
    return true;
  }

  async #objects(): Promise<readonly ReleaseObject[]> {
    const { record } = this.#progress;
    if (record === undefined) return [];
    const { namespace } = this.#config;
    const { signal } = this.#context;
    const options = { namespace, skipUnknown: true, signal };
    return (this.#progress.objects ??= await locateObjects(this.#cluster, parseManifest(record.manifest), options));
  }

  async awaitExports(): Promise<Waiting | undefined> {
    const { exports, valueExports } = this.#config;
    const { target, signal } = this.#context;
    const result = await collectExports({
      cluster: this.#cluster,
      exports,
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    if (result.type === "missing") {
      const waitingFor = `export of key ${result.key}: ${result.message}`;
      const isOurs = (await this.#objects()).some(({ object }) => resourceId(referenceTo(object)) === result.absent);
      if (isOurs && this.#deployAgain()) return { type: "waiting", for: waitingFor, requeueAfterMs: 0 };
      return { type: "waiting", for: waitingFor, wakeOn: result.awaited };
    }
    const { loaded, record } = this.#progress;
    if (valueExports.length > 0 && loaded !== undefined && record !== undefined) {
      const data = await exportDataOf(
        this.#rendering(loaded, { revision: record.version, isUpgrade: record.version > 1 }),
      );
      this.#exports = mergeExports(collectValues(valueExports, data), result.values);
    } else this.#exports = result.values;
    return undefined;
  }

  finish(): Outcome {
    return { type: "succeeded", exports: this.#exports };
  }

  #status(): HelmStatus {
    return readHelmStatus(this.#context.providerStatus);
  }
}

/** What is not the same by its manifest is deployed again. */
function withoutManifest(release: HelmStatus["release"]): HelmStatus["release"] {
  return release === undefined ? undefined : { ...release, manifest: undefined };
}

/** Those that are to go when `current` is there. */
function formerReleases({ release, formerReleases: before }: HelmStatus, current: ReleaseName): ReleaseName[] {
  const all = release === undefined ? before : [...before, { name: release.name, namespace: release.namespace }];
  const names = new Map(all.map(({ name, namespace }) => [`${namespace}/${name}`, { name, namespace }]));
  return [...names.values()].filter((former) => !isSameRelease(former, current));
}

/** Whoever changes the configuration during the job has it deployed anew. */
function enterProgress(context: DeployContext<HelmConfig>): Progress {
  const { generation } = context.item.metadata;
  const memory = context.memory<{ release?: Progress }>(() => ({}));
  if (memory.release !== undefined && memory.release.generation === generation) return memory.release;
  const fresh: Progress = {
    generation,
    loaded: undefined,
    deployment: undefined,
    record: undefined,
    objects: undefined,
    isRepaired: false,
    uninstalls: new Map(),
    ready: new Set(),
    suspects: new Map(),
  };
  memory.release = fresh;
  return fresh;
}
