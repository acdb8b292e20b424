import { formatDuration, LandscaperError, redactMessageInTurns, redactTextsInTurns } from "@landscaper/api";
import { createBreather, ownTurn } from "@landscaper/controller-runtime";
import type { Waiting } from "@landscaper/deployer";
import {
  definitionIds,
  Deployment,
  isSameContent,
  Patience,
  type ReleaseRecord,
  type ReleaseWait,
} from "@landscaper/helm-release";
import { listBriefly, takenOver, takeOverOf } from "@landscaper/manifest-deployer-lib";
import { attemptsOf, decideRemediation, remediationFor } from "../remediation/decide-remediation.ts";
import { contentOf, renderItem, textsOf } from "../rendering/helm-rendering.ts";
import { persistHelmStatus, readHelmStatus, writeHelmStatus, type Attempts } from "../helm-status.ts";
import { checkReleaseRemovals } from "./check-release-removals.ts";
import { chooseVersion, isMadeAsWanted, warnOfOtherVersion, type ReleaseState } from "./choose-version.ts";
import { inputsDigest, knownRevision, planRelease, type ReleasePlan } from "./plan-release.ts";
import { awaitApprovalOfRevision, beginRestoring, mustWaitForApproval } from "./release-approval.ts";
import { plannedStatus } from "./planned-status.ts";
import { releaseContext } from "./release-access.ts";
import { announceInherited, methodOf, releaseOptions } from "./release-options.ts";
import {
  noteDeployed,
  type NextOperation,
  type ReleaseAccess,
  type ReleaseOperation,
  type ReleaseWork,
} from "./release-progress.ts";
import { attemptError, causeOf, maskAttempts, remedyError } from "../remediation/remediation-error.ts";
import { rollBackAsAsked } from "../remediation/roll-back-as-asked.ts";
import { undoFailures } from "../remediation/undo-failures.ts";
import { redactFailure } from "../values/redact-failure.ts";
import { isLargeValues } from "../values/limit-values.ts";
import { waitingOf } from "./waiting-of.ts";

type Attempt = Extract<ReleaseOperation, { type: "deploy" }>;
/** The operations on revisions that are stored. */
type StoredOperation = Exclude<ReleaseOperation, Attempt>;

interface NextAttempt {
  readonly ownRevision: number | undefined;
  readonly history: readonly ReleaseRecord[];
}

/** The step of a job that brings the release to the revision that is wanted: by its chart, by a rollback, or back from what has failed. */
export class DeployStep {
  readonly #work: ReleaseWork;
  readonly #access: ReleaseAccess;

  constructor(work: ReleaseWork) {
    this.#work = work;
    this.#access = work.progress.access ??= accessOf(work);
  }

  /** What it waits for, or undefined when it is done; failures are thrown. */
  async run(): Promise<Waiting | undefined> {
    const { progress } = this.#work;
    while (progress.deployed === undefined) {
      const next = progress.operation ?? (await this.#next());
      if (next === undefined) return undefined;
      if ("waitingFor" in next) return waitingOf(next);
      progress.operation = next;
      const waiting = await this.#advance(next);
      if (waiting !== undefined) return waiting;
    }
    return undefined;
  }

  async #next(): Promise<NextOperation> {
    const { context, progress } = this.#work;
    const { store } = this.#access.release;
    const history = await store.history(context);
    const { rollbackRequest: request } = progress;
    if (request !== undefined) return await rollBackAsAsked(this.#work, this.#access, { request, history });
    return await this.#nextAttempt(history);
  }

  async #nextAttempt(history: readonly ReleaseRecord[]): Promise<NextOperation> {
    const { context, charts, progress } = this.#work;
    const { config, item, providerStatus } = context;
    progress.loaded ??= await charts.load(config.chart, context);
    // Everything that follows has values, manifest, and record as a whole.
    if (isLargeValues(config.values)) await ownTurn();
    const inputs = inputsDigest(progress.loaded.origin.digest, config);
    if (isLargeValues(config.values)) await ownTurn();
    const status = readHelmStatus(providerStatus);
    const known = knownRevision(status, config);
    const warning = warnOfOtherVersion(config, { history, status });
    if (warning !== undefined) context.warn(warning);
    const method = methodOf(config);
    const isOfVersion = isMadeAsWanted(config, { history, status });
    const plan = planRelease({ history, status: known, inputs, method, isOfVersion });
    if (plan.type === "unchanged") return await this.#keep(plan.record, history);
    const same = await this.#unchangedBySwitch(plan, { history, status });
    if (same !== undefined) return await this.#keep(same, history);
    const approval = await this.#awaitApproval(plan, { history, status });
    if (approval !== undefined) return approval;
    const ownRevision = known?.revision;
    const jobID = item.status?.jobID ?? "";
    const counted = attemptsOf(status.attempts, { jobID, inputs }, { history, ownRevision });
    const attempts = await maskAttempts(counted, async (text) => await this.#mask(text));
    const { remediations } = config;
    const decision = decideRemediation({ history, ownRevision, attempts, remediations });
    if (decision.type !== "attempt")
      return await undoFailures(this.#work, this.#access, { decision, history, attempts });
    const remediation = remediationFor(history, remediations);
    return await this.#begin(plan, { attempts, ownRevision, remediation, history });
  }

  /** Makes no revision. Restores the objects of the deployed one if they have drifted. */
  async #keep(record: ReleaseRecord, history: readonly ReleaseRecord[]): Promise<NextOperation> {
    const { release } = this.#access;
    const restoring = await beginRestoring(this.#work, { release, record, history });
    if (restoring !== undefined) return restoring;
    await release.store.claim(history, this.#work.context);
    this.#finish(record);
    return undefined;
  }

  /** Returns the deployed revision if the new version of Helm renders the same objects. White space does not count. */
  async #unchangedBySwitch(
    plan: Extract<ReleasePlan, { type: "deploy" }>,
    state: ReleaseState,
  ): Promise<ReleaseRecord | undefined> {
    const { unlessSameAs: record } = plan;
    if (record === undefined) return undefined;
    return (await isSameContent(record, textsOf(await this.#render(plan, state)))) ? record : undefined;
  }

  async #render({ revision, isUpgrade }: Extract<ReleasePlan, { type: "deploy" }>, state: ReleaseState) {
    const { context, charts, cluster, progress } = this.#work;
    const { loaded } = progress;
    if (loaded === undefined) throw new TypeError("the chart is loaded before it is rendered");
    const helmVersion = chooseVersion(context.config, state);
    return await renderItem({ context, cluster, charts, loaded, revision, isUpgrade, helmVersion });
  }

  async #awaitApproval(
    plan: Extract<ReleasePlan, { type: "deploy" }>,
    state: ReleaseState,
  ): Promise<ReleaseWait | undefined> {
    const { context } = this.#work;
    if (!mustWaitForApproval(context)) return undefined;
    const { history } = state;
    const content = await contentOf(await this.#render(plan, state), context.config.values);
    // The approved change must not be refused afterwards.
    await checkReleaseRemovals(this.#work, { ...content, history });
    return await awaitApprovalOfRevision(this.#work, `revision ${plan.revision}`, { ...content, history });
  }

  /** What is about to be done is in the status before. */
  async #begin(
    plan: Extract<ReleasePlan, { type: "deploy" }>,
    { ownRevision, history, ...attempt }: Pick<Attempt, "attempts" | "remediation"> & NextAttempt,
  ): Promise<Attempt> {
    const { context, progress, abandonedAfterMs } = this.#work;
    const { config, clock } = context;
    const { revision, isUpgrade, retryOf } = plan;
    const { attempts, remediation } = attempt;
    const status = readHelmStatus(context.providerStatus);
    const content = await contentOf(await this.#render(plan, { history, status }), config.values);
    const { manifest, crds } = content;
    await checkReleaseRemovals(this.#work, { history, manifest, crds });
    const method = releaseOptions(context, { isUpgrade, history, status });
    announceInherited(context, { history, status });
    const planned = {
      history,
      revision,
      manifest,
      definitions: definitionIds(crds),
      inputs: attempts.inputs,
      chart: progress.loaded?.origin,
      helmVersion: method.helmVersion,
      rolledBack: undefined,
      attempts: remediation === undefined ? undefined : attempts,
    };
    const isFirst = status.release === undefined;
    await persistHelmStatus(context, await plannedStatus(this.#work, planned));
    // Not before the status names the release: the deletion finds it by that.
    await this.#access.release.store.claim(history, context);
    if (isFirst) this.#announceUnmarkedRelease(history);
    const options = { ...method, revision, retryOf, ownRevision, abandonedAfterMs };
    const run = new Deployment(this.#access.release, content, options);
    return { type: "deploy", run, revision, startMs: clock.elapsed(), ...attempt };
  }

  #announceUnmarkedRelease(history: readonly ReleaseRecord[]): void {
    const { store, namespace, name } = this.#access.release;
    const newest = history.at(-1);
    if (newest === undefined || store.ownershipOf(newest)?.type !== "unmarked") return;
    this.#work.context.announce(takenOver(`release ${namespace}/${name}`, undefined));
  }

  async #advance(operation: ReleaseOperation): Promise<Waiting | undefined> {
    const { context, progress } = this.#work;
    const { signal } = context;
    try {
      const waiting = await operation.run.advance(signal);
      if (waiting !== undefined) {
        // Another client may make a revision meanwhile: the next pass plans again.
        if (operation.type === "restore") {
          progress.operation = undefined;
          this.#noteRestored(operation);
        }
        return await this.#wait(operation, waiting);
      }
    } catch (error) {
      signal.throwIfAborted();
      progress.operation = undefined;
      await this.#fail(operation, error);
      return undefined;
    }
    progress.operation = undefined;
    if (operation.type === "undo") return undefined;
    progress.needsRestoring = false;
    if (operation.type === "restore") this.#noteRestored(operation);
    else progress.emptyStatuses.noteAllChanged();
    // A rollback that needs no new revision must still be recorded.
    if (operation.type !== "restore" || progress.rollbackRequest === undefined) this.#finish(operation.run.record);
    return undefined;
  }

  #noteRestored({ run }: Extract<ReleaseOperation, { type: "restore" }>): void {
    if (!run.hasChanged) return;
    this.#work.context.noteChange();
    this.#work.progress.emptyStatuses.noteAllChanged();
  }

  /** An attempt that takes too long has failed. */
  async #wait(operation: ReleaseOperation, waiting: ReleaseWait): Promise<Waiting> {
    const timeoutMs = operation.type === "deploy" ? operation.remediation?.timeoutMs : undefined;
    if (operation.type !== "deploy") return waitingOf(await this.#withoutStored(operation, waiting));
    if (timeoutMs === undefined) return waitingOf(waiting);
    const { clock, signal } = this.#work.context;
    const leftMs = operation.startMs + timeoutMs - clock.elapsed();
    if (leftMs > 0) return waitingOf(waiting, leftMs);
    const problem = `timed out after ${formatDuration(timeoutMs)} waiting for ${listBriefly(waiting.waitingFor)}`;
    await operation.run.abandon(problem, signal);
    throw new LandscaperError({ message: problem, reason: "ReleaseTimeout", hint: waiting.hint });
  }

  /** Throws the failure, unless it is to be undone now. */
  async #fail(operation: ReleaseOperation, error: unknown): Promise<void> {
    if (!(error instanceof LandscaperError)) throw error;
    if (operation.type === "deploy") {
      await this.#count(operation, error);
      return;
    }
    const masked = await redactFailure(error, this.#stored(operation));
    if (operation.type !== "undo") throw masked;
    const { attempts } = readHelmStatus(this.#work.context.providerStatus);
    throw remedyError(attempts, operation.remedy, masked);
  }

  /** For what the status keeps of a failure. */
  async #mask(text: string): Promise<string> {
    const { cluster, context } = this.#work;
    return await redactMessageInTurns(cluster.client.mask(text), context.config.secrets, createBreather());
  }

  async #withoutStored(operation: StoredOperation, waiting: ReleaseWait): Promise<ReleaseWait> {
    const stored = this.#stored(operation);
    return { ...waiting, waitingFor: await redactTextsInTurns(waiting.waitingFor, stored, createBreather()) };
  }

  /** What the revision that is gone back to was given; there may be values of Secrets that nobody has read for this job. */
  #stored({ run }: StoredOperation): readonly unknown[] {
    return "record" in run && this.#work.context.config.valuesFrom.length > 0 ? [run.record.config] : [];
  }

  /** Counts an attempt that has failed. Throws unless none is left and there is something to undo. */
  async #count({ revision, attempts: before, remediation }: Attempt, error: LandscaperError): Promise<void> {
    const { context } = this.#work;
    const { config, providerStatus } = context;
    // Who has taken the release over is to be left alone.
    if (remediation === undefined || error.reason === "ReleaseBusy") throw error;
    const history = await this.#historyAfter(error);
    const newest = history.at(-1);
    const isBegun = newest?.version === revision && newest.info.status !== "deployed";
    if (!isBegun) throw error;
    const attempts: Attempts = {
      ...before,
      failed: before.failed + 1,
      lastFailure: newest.info.last_deployed,
      cause: await causeOf(error, async (text) => await this.#mask(text)),
    };
    context.report(writeHelmStatus({ ...readHelmStatus(providerStatus), attempts }));
    const { remediations } = config;
    const decision = decideRemediation({ history, ownRevision: revision, attempts, remediations });
    const isTriedAgain = decision.type === "attempt" || (decision.type === "uninstall" && decision.next === "attempt");
    if (isTriedAgain) throw attemptError(attempts, remediation.retries);
  }

  async #historyAfter(error: LandscaperError): Promise<readonly ReleaseRecord[]> {
    const { signal } = this.#work.context;
    try {
      return await this.#access.release.store.history({ signal });
    } catch {
      signal.throwIfAborted();
      // The next pass finds the record, and counts it: the job must not end by what is final without remediation.
      const { message, reason, hint } = error;
      throw new LandscaperError({ message, reason, hint });
    }
  }

  #finish(record: ReleaseRecord | undefined): void {
    const { context, progress } = this.#work;
    noteDeployed(progress, record);
    const status = readHelmStatus(context.providerStatus);
    const isOver = status.attempts !== undefined;
    const isBack = status.rolledBack !== undefined && progress.rollbackRequest === undefined;
    if (!isOver && !isBack) return;
    context.report(writeHelmStatus({ ...status, attempts: undefined, ...(isBack ? { rolledBack: undefined } : {}) }));
  }
}

function accessOf({ context, cluster, abandonedAfterMs }: ReleaseWork): ReleaseAccess {
  const takeOver = takeOverOf(context, (object, owner) => context.announce(takenOver(object, owner)));
  const { config, item, clock, log, warn } = context;
  const release = releaseContext(config, cluster, { item, clock, log, warn, takeOver });
  return { release, patience: new Patience(release, abandonedAfterMs) };
}
