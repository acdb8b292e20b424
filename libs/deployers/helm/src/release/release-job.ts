import { findSensitiveInTurns, type JsonPath } from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import type { DeployContext, Outcome, Waiting } from "@landscaper/deployer";
import { locateObjects, parseManifest } from "@landscaper/helm-release";
import {
  conditionsAfterJob,
  listBriefly,
  ownerOf,
  settleDeletion,
  warnOfEmptyStatuses,
  troubleOf,
} from "@landscaper/manifest-deployer-lib";
import {
  checkReadiness,
  collectExports,
  collectValues,
  deleteResources,
  mergeExports,
  referenceTo,
  formatResource,
  lostAgain,
  resourceId,
  type ManagedResource,
  type TargetCluster,
  type ResourceReference,
} from "@landscaper/resources";
import type { ChartStore } from "../rendering/chart-store.ts";
import { DeployStep } from "./deploy-step.ts";
import type { HelmConfig } from "../helm-config.ts";
import { exportDataOf } from "../rendering/helm-rendering.ts";
import {
  isSameRelease,
  noteReadyWithoutStatus,
  persistHelmStatus,
  readHelmStatus,
  writeHelmStatus,
  type HelmStatus,
} from "../helm-status.ts";
import { versionOfItem } from "./choose-version.ts";
import { enterProgress, type DeployedResource, type Progress } from "./release-progress.ts";
import { storedExportData } from "./stored-export-data.ts";
import { uninstallRelease } from "./uninstall-release.ts";
import { isWorkload } from "./workloads.ts";
import { secretsOfItem } from "../values/secrets-of-item.ts";

export interface ReleaseJobOptions {
  readonly context: DeployContext<HelmConfig>;
  readonly charts: ChartStore;
  /** The revision that is wanted in place of the configured chart, as an annotation names it. */
  readonly rollbackRequest: string | undefined;
  /** Whether the job restores objects that were changed or removed since the last job. */
  readonly restores: boolean;
  /** See DeploymentOptions. */
  readonly abandonedAfterMs: number | undefined;
}

/** One pass over a job that makes a Helm release. Each step returns what it waits for, or undefined when it is done; failures are thrown. */
export class ReleaseJob {
  readonly #context: DeployContext<HelmConfig>;
  readonly #config: HelmConfig;
  readonly #charts: ChartStore;
  readonly #abandonedAfterMs: number | undefined;
  readonly #cluster: TargetCluster;
  readonly #progress: Progress;
  /** Undefined: there is nothing to export, and what was exported before is taken back. */
  #exports: Readonly<Record<string, unknown>> | undefined;
  #sensitiveExports: readonly JsonPath[] = [];

  private constructor({
    context,
    charts,
    cluster,
    rollbackRequest,
    restores,
    abandonedAfterMs,
  }: ReleaseJobOptions & { cluster: TargetCluster }) {
    this.#context = context;
    this.#abandonedAfterMs = abandonedAfterMs;
    this.#config = context.config;
    this.#charts = charts;
    this.#cluster = cluster;
    this.#progress = enterProgress(context, rollbackRequest);
    this.#progress.needsRestoring ??= restores;
  }

  static async enter(options: ReleaseJobOptions): Promise<ReleaseJob> {
    return new ReleaseJob({ ...options, cluster: await options.context.target.cluster() });
  }

  async deploy(): Promise<Waiting | undefined> {
    const work = {
      context: this.#context,
      charts: this.#charts,
      cluster: this.#cluster,
      progress: this.#progress,
      abandonedAfterMs: this.#abandonedAfterMs,
    };
    return await new DeployStep(work).run();
  }

  /** What earlier configurations have deployed goes when the new is there: another release, or manifests that it does not have. */
  async cleanUp(): Promise<Waiting | undefined> {
    for (const release of this.#status().formerReleases) {
      const { uninstalls } = this.#progress;
      const spared = new Set(this.#status().definitions);
      const waiting = await uninstallRelease(release, this.#context, { uninstalls, wait: true, spared });
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
    const had = new Set((await this.#resources()).map(({ resource }) => resourceId(resource)));
    const result = await deleteResources({
      cluster: this.#cluster,
      entries: status.formerResources.filter(({ resource }) => !had.has(resourceId(resource))),
      groups: this.#config.deletionGroupsDuringUpdate,
      owner: ownerOf(item),
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    this.#context.report(writeHelmStatus({ ...status, formerResources: result.remaining }));
    return settleDeletion(result, this.#context);
  }

  async awaitReadiness(): Promise<Waiting | undefined> {
    const { readinessChecks } = this.#config;
    const { ready, suspects, troubles, emptyStatuses } = this.#progress;
    const { target, clock, signal } = this.#context;
    const absent = new Set<string>();
    const { unready, hint, awaited, lookAgainAfterMs } = await checkReadiness({
      cluster: this.#cluster,
      entries: await this.#checked(),
      checks: readinessChecks,
      ready,
      suspects,
      troubles,
      emptyStatuses,
      elapsedMs: clock.elapsed(),
      absent,
      onHeld: (text) => this.#warnOfHold(text),
      tenant: this.#context.item.metadata.namespace,
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    this.#noteEmptyStatuses();
    if (unready.length === 0) return undefined;
    const waitingFor = `readiness of ${listBriefly(unready)}`;
    const [lost] = (await this.#resources()).filter(({ resource }) => absent.has(resourceId(resource)));
    if (lost !== undefined) {
      this.#restore(lost.resource);
      return { type: "waiting", for: waitingFor, trouble: troubleOf(hint), requeueAfterMs: 0 };
    }
    return {
      type: "waiting",
      for: waitingFor,
      trouble: troubleOf(hint),
      wakeOn: awaited,
      requeueAfterMs: lookAgainAfterMs,
    };
  }

  /** Helm does not wait for such workloads, so users expect the job to succeed. */
  #warnOfHold(text: string): void {
    this.#context.warn({ reason: "RolloutHeldBack", message: `${text}; the job has not waited for its Pods` });
  }

  #noteEmptyStatuses(): void {
    const { emptyStatuses } = this.#progress;
    warnOfEmptyStatuses(emptyStatuses, this.#context);
    const status = noteReadyWithoutStatus(this.#status(), emptyStatuses.ready);
    if (status !== undefined) this.#context.report(writeHelmStatus(status));
  }

  /** As the original the workloads; by the rules of kstatus everything. */
  async #checked(): Promise<ManagedResource[]> {
    const resources = await this.#resources();
    if (this.#config.readinessChecks?.level === "kstatus") return resources.map(({ resource }) => ({ resource }));
    return resources.filter(({ isWorkload }) => isWorkload).map(({ resource }) => ({ policy: "manage", resource }));
  }

  /** An object of the revision was removed: it is created again, once for each object. Throws LandscaperError (TargetObjectLost) after that. */
  #restore(lost: ResourceReference): void {
    const { recreated, ready, suspects } = this.#progress;
    const id = resourceId(lost);
    if (recreated.has(id)) throw lostAgain(formatResource(lost));
    recreated.add(id);
    ready.clear();
    suspects.clear();
    Object.assign(this.#progress, {
      needsRestoring: true,
      deployed: undefined,
      operation: undefined,
      resources: undefined,
    });
  }

  async #resources(): Promise<readonly DeployedResource[]> {
    const { deployed, resources } = this.#progress;
    if (resources !== undefined) return resources;
    if (deployed === undefined) return [];
    const { namespace } = this.#config;
    const { signal } = this.#context;
    const options = { namespace, anyVersion: true, signal };
    const objects = await locateObjects(this.#cluster, await parseManifest(deployed.manifest), options);
    return (this.#progress.resources = objects.map((each) => ({
      resource: referenceTo(each.object),
      isWorkload: isWorkload(each),
    })));
  }

  async awaitExports(): Promise<Waiting | undefined> {
    const { exports } = this.#config;
    const { target, signal } = this.#context;
    const result = await collectExports({
      cluster: this.#cluster,
      exports,
      clusterOf: (name) => target.clusterOf(name),
      signal,
    });
    if (result.type === "missing") {
      const waitingFor = `export of key ${result.key}: ${result.message}`;
      const lost = (await this.#resources()).find(({ resource }) => resourceId(resource) === result.absent);
      if (lost !== undefined) {
        this.#restore(lost.resource);
        return { type: "waiting", for: waitingFor, requeueAfterMs: 0 };
      }
      return { type: "waiting", for: waitingFor, wakeOn: result.awaited };
    }
    const values = mergeExports(await this.#valueExports(), result.values);
    this.#exports = Object.keys(values).length === 0 ? undefined : values;
    const secrets = secretsOfItem(this.#context);
    const found = await findSensitiveInTurns(values, secrets, createBreather());
    this.#sensitiveExports = [...result.sensitive, ...found];
    return undefined;
  }

  /** Of a revision that an annotation keeps they are those of the revision. */
  async #valueExports(): Promise<Readonly<Record<string, unknown>>> {
    const { valueExports } = this.#config;
    const { loaded, deployed, rollbackRequest } = this.#progress;
    if (valueExports.length === 0 || deployed === undefined) return {};
    const at = { context: this.#context, cluster: this.#cluster };
    if (rollbackRequest !== undefined) return collectValues(valueExports, await storedExportData(deployed, at));
    if (loaded === undefined) return {};
    // A switch that changes white space alone leaves the revision, and so the values that it was rendered with.
    const { version, helmVersion = versionOfItem(this.#config, this.#status()) } = deployed;
    const rendering = { ...at, charts: this.#charts, loaded, revision: version, isUpgrade: version > 1, helmVersion };
    return collectValues(valueExports, await exportDataOf(rendering));
  }

  finish(): Outcome {
    const conditions = conditionsAfterJob(this.#context.item, this.#config.driftDetection);
    return { type: "succeeded", exports: this.#exports, sensitiveExports: this.#sensitiveExports, conditions };
  }

  #status(): HelmStatus {
    return readHelmStatus(this.#context.providerStatus);
  }
}
