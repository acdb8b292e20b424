import { LandscaperError, type UnstructuredObject } from "@landscaper/api";
import { decideRelease, lastGood } from "./records/decide-release.ts";
import { newRevision, type RevisionContent } from "./records/new-revision.ts";
import type { ReleaseContext, ReleaseWait } from "./release-context.ts";
import { createRollback } from "./create-rollback.ts";
import { createUninstall } from "./create-uninstall.ts";
import { Patience } from "./records/patience.ts";
import { recordInterrupted } from "./records/record-interrupted.ts";
import { releaseError } from "./release-error.ts";
import type { ReleaseRecord } from "./records/release-record.ts";
import { methodOf, RollOut, type RollOutOptions } from "./roll-out.ts";
import type { Uninstall } from "./uninstall.ts";

export interface DeploymentOptions extends RollOutOptions {
  /** A failed install is uninstalled, a failed upgrade rolled back. */
  readonly atomic?: boolean | undefined;
  /** A failed revision of the very same content: when it is the newest, it is tried again under its number. */
  readonly retryOf?: number | undefined;
  /** What the content was rendered for: when the next revision is another one by then, it has to be rendered anew (ReleaseBusy). */
  readonly revision?: number | undefined;
  /** The last revision that the caller itself has begun: when it was left half-way, nobody else is at work on it. Default: `retryOf`. */
  readonly ownRevision?: number | undefined;
  /** How long somebody else's half-done operation may take before it counts as left behind, in ms. Default 5 minutes. */
  readonly abandonedAfterMs?: number | undefined;
}

export interface DeploymentContent extends RevisionContent {
  /** Manifests of crds/, see `crdPolicy`. */
  readonly crds: readonly UnstructuredObject[];
}

/** One deployment of a release; what is begun is gone on with by the next `advance`. */
interface Stage {
  readonly operation: RollOut | Uninstall;
  /** Thrown when the operation has ended: it was to undo what failed. */
  readonly failure?: LandscaperError;
}

/** What a deployment finds. */
interface Start {
  readonly history: readonly ReleaseRecord[];
  /** The newest, when it is tried again. */
  readonly retried: ReleaseRecord | undefined;
  readonly former?: ReleaseRecord | undefined;
}

/**
 * Brings a release to a new revision, whatever state it is in: installs, upgrades, ends what was left half-way before, and undoes what
 * fails where that is wanted. `advance` does what can be done now; a new process begins anew and finds what was left.
 */
export class Deployment {
  readonly #context: ReleaseContext;
  readonly #content: DeploymentContent;
  readonly #options: DeploymentOptions;
  readonly #patience: Patience;
  #stage: Stage | undefined;
  #record: ReleaseRecord | undefined;

  constructor(context: ReleaseContext, content: DeploymentContent, options: DeploymentOptions) {
    this.#patience = new Patience(context, options.abandonedAfterMs);
    this.#context = context;
    this.#content = content;
    this.#options = options;
  }

  /** The revision, once `advance` has ended. */
  get record(): ReleaseRecord | undefined {
    return this.#record;
  }

  /** The revision that is at work: recorded, and not deployed yet. */
  get revisionAtWork(): number | undefined {
    const operation = this.#stage?.operation;
    return operation instanceof RollOut && operation.isRecorded ? operation.record.version : undefined;
  }

  /** Records that what is at work has failed, for a caller that gives up. */
  async abandon(problem: string, signal: AbortSignal): Promise<void> {
    const operation = this.#stage?.operation;
    if (operation instanceof RollOut && operation.isRecorded) await operation.fail(problem, signal);
  }

  async advance(signal: AbortSignal): Promise<ReleaseWait | undefined> {
    while (this.#record === undefined) {
      const next = this.#stage ?? (await this.#next(signal));
      if ("waitingFor" in next) return next;
      this.#stage = next;
      const waiting = await this.#advanceStage(next, signal);
      if (waiting !== undefined) return waiting;
    }
    return undefined;
  }

  /** Somebody else may be at work: that has to be waited for. */
  async #next(signal: AbortSignal): Promise<Stage | ReleaseWait> {
    const { store, log } = this.#context;
    const { retryOf, ownRevision = retryOf } = this.#options;
    for (;;) {
      const history = await store.history({ signal });
      const retried = this.#retried(history);
      const decision = decideRelease(retried === undefined ? history : history.slice(0, -1));
      if (decision.type === "install") return { operation: this.#rollOut("install", { history, retried }) };
      if (decision.type === "upgrade") {
        return { operation: this.#rollOut("upgrade", { history, retried, former: decision.former }) };
      }
      const { record } = decision;
      const waiting = record.version === ownRevision ? undefined : this.#patience.waitFor(record);
      if (waiting !== undefined) return waiting;
      if (decision.type === "finish-uninstall") return { operation: this.#uninstall(history) };
      await recordInterrupted([record], { store, log }, signal);
    }
  }

  #retried(history: readonly ReleaseRecord[]): ReleaseRecord | undefined {
    const newest = history.at(-1);
    return newest?.info.status === "failed" && newest.version === this.#options.retryOf ? newest : undefined;
  }

  async #advanceStage(stage: Stage, signal: AbortSignal): Promise<ReleaseWait | undefined> {
    const { operation, failure } = stage;
    try {
      const waiting = await operation.advance(signal);
      if (waiting !== undefined) return waiting;
    } catch (error) {
      signal.throwIfAborted();
      this.#stage = undefined;
      if (failure !== undefined) throw alsoFailed(failure, error);
      this.#stage = await this.#recovery(operation, error, signal);
      if (this.#stage === undefined) throw error;
      return undefined;
    }
    this.#stage = undefined;
    if (failure !== undefined) throw failure;
    if (operation instanceof RollOut) this.#record = operation.record;
    return undefined;
  }

  /** What `atomic` does about a failure; nothing when the revision is somebody else's by now. */
  async #recovery(operation: RollOut | Uninstall, error: unknown, signal: AbortSignal): Promise<Stage | undefined> {
    const isUndone = this.#options.atomic === true && operation instanceof RollOut && operation.isRecorded;
    if (!isUndone || !(error instanceof LandscaperError) || error.reason === "ReleaseBusy") return undefined;
    const history = await this.#historyAfter(error, signal);
    const good = lastGood(history);
    if (good !== undefined) {
      const failure = withNote(error, `was rolled back to revision ${good.version}`);
      return { operation: this.#rollback(good, history), failure };
    }
    // As Helm: an upgrade of what has never been deployed has nothing to go back to.
    if (operation.kind !== "install") return undefined;
    return { operation: this.#uninstall(history), failure: withNote(error, "was uninstalled") };
  }

  async #historyAfter(failure: LandscaperError, signal: AbortSignal): Promise<readonly ReleaseRecord[]> {
    try {
      return await this.#context.store.history({ signal });
    } catch (error) {
      signal.throwIfAborted();
      throw alsoFailed(withNote(failure, "is as it was left"), error);
    }
  }

  #rollOut(kind: "install" | "upgrade", { history, retried, former }: Start): RollOut {
    const { name, namespace, now } = this.#context;
    const { crds, ...content } = this.#content;
    const before = retried === undefined ? history : history.slice(0, -1);
    const { labels, helmVersion } = this.#options;
    const made = { applyMethod: methodOf(this.#options), labels, helmVersion, now: now() };
    const record = newRevision(content, { name, namespace, history: before, ...made });
    const { revision = record.version } = this.#options;
    if (record.version !== revision) {
      const found = `the next revision is ${record.version} by now, not ${revision}`;
      throw releaseError("ReleaseBusy", `release ${namespace}/${name}: somebody else is at work on it: ${found}`);
    }
    const isInstall = kind === "install";
    const { crdPolicy = isInstall ? "Create" : "Skip", createNamespace } = this.#options;
    return new RollOut(this.#context, {
      kind,
      record,
      history,
      retried,
      former,
      crds,
      options: { ...this.#options, crdPolicy, createNamespace: isInstall && createNamespace === true },
      description: isInstall ? "Install complete" : "Upgrade complete",
    });
  }

  #rollback(target: ReleaseRecord, history: readonly ReleaseRecord[]): RollOut {
    return createRollback(this.#context, { target, history, options: { ...this.#options, wait: true } });
  }

  #uninstall(history: readonly ReleaseRecord[]): Uninstall {
    return createUninstall(this.#context, history, { wait: true });
  }
}

function withNote(error: LandscaperError, note: string): LandscaperError {
  const { message, reason, codes, hint } = error;
  return new LandscaperError({
    message: `${message}; the release ${note}`,
    reason,
    codes,
    hint,
    // Whoever undoes a failure does not want it tried again and again.
    retry: "never",
    cause: error,
  });
}

function alsoFailed(failure: LandscaperError, error: unknown): LandscaperError {
  const second = error instanceof Error ? error.message : String(error);
  const { reason, codes, hint, cause } = failure;
  const first = cause instanceof Error ? cause.message : failure.message;
  return new LandscaperError({
    message: `${first}; undoing it failed as well: ${second}`,
    reason,
    codes,
    hint,
    cause: failure,
  });
}
