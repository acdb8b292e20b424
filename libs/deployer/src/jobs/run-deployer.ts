import {
  allowedRemovals,
  describeFault,
  fieldValidationOf,
  judgeWarnings,
  formatKey,
  internalError,
  isFault,
  keyOf,
  redactTextsInTurns,
  resources,
  type ConditionUpdate,
  type DeployItem,
  type EmptyProtection,
  type FieldValidation,
  type LandscaperError,
  type Warning,
} from "@landscaper/api";
import {
  createBreather,
  ownTurn,
  withFieldValidation,
  type Client,
  type Clock,
  type Logger,
} from "@landscaper/controller-runtime";
import { maskErrorTexts } from "@landscaper/egress";
import { createDryRunCluster, type TargetCluster } from "@landscaper/resources";
import type {
  AbandonContext,
  DeployContext,
  Deployer,
  DeployerWork,
  ItemNamespace,
  Outcome,
  Preview,
  PreviewContext,
  ProviderStatus,
  Succeeded,
  TargetAccess,
  Waiting,
} from "../deployer-interface.ts";
import { checkConfig, isLargeConfig } from "./check-config.ts";
import { maskSettings, secretConfigValues } from "./reporting/secret-config.ts";
import { removeExports, writeExports, type ExportRef } from "./reporting/export-secret.ts";
import { beginPass } from "./job-pause.ts";
import type { JobMemory } from "./job-registry.ts";
import type { JobNotifier } from "./reporting/job-notifier.ts";
import { maskedPaths } from "./reporting/masked-paths.ts";
import { framesOf } from "./reporting/reportable-error.ts";
import { maskLog } from "./reporting/mask-log.ts";
import { maskPreview } from "../preview/mask-preview.ts";
import { maskInTurns } from "../preview/mask-in-turns.ts";
import { createPreviewAccess } from "../preview/preview-access.ts";
import type { PassAccess } from "../target/target-access.ts";

/** What became of one pass of the deployer; `reported` and `conditions` are still to be written. */
export type RunResult = {
  readonly reported: ProviderStatus | undefined;
  readonly conditions?: readonly ConditionUpdate[] | undefined;
} & (
  | {
      readonly type: "done";
      readonly exportRef?: ExportRef | null | undefined;
      readonly preview?: Preview | undefined;
    }
  | ({ readonly type: "waiting"; readonly waitingFor: string } & Pick<Waiting, "trouble" | "requeueAfterMs" | "wakeOn">)
  /** `isCancelled`: the deadline ended the work. A timer may fire a moment before the clock reads the deadline. */
  | { readonly type: "failed"; readonly error: unknown; readonly isCancelled: boolean }
);

export interface RunOptions {
  readonly deployer: Deployer;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Logger;
  /** The item as of the last status write. */
  readonly item: () => DeployItem;
  readonly persist: (status: ProviderStatus, conditions: readonly ConditionUpdate[]) => Promise<void>;
  readonly host: TargetCluster;
  /** What its connections know is masked in all that the deployer says. */
  readonly target: Omit<PassAccess, "release">;
  readonly memory: JobMemory;
  readonly notifier: Pick<JobNotifier, "noted">;
  /** In ms of `elapsed`. */
  readonly deadline: number | undefined;
  readonly work: DeployerWork | "maintain" | "preview";
  /** How the target judges what is written there, where no annotation says so. */
  readonly fieldValidation: FieldValidation;
  /** Whether the deployer is to hold back what would take away a lot. */
  readonly emptyProtection: EmptyProtection;
  /** Of the process. */
  readonly signal: AbortSignal;
}

/** The deadline has passed while the deployer was at work. */
class DeadlineError extends Error {
  override readonly name = "DeadlineError";

  constructor() {
    super("the deadline of the job has passed");
  }
}

/** Calls the deployer once, with a signal that ends at the deadline, at an interrupt and with the process. Never rejects. */
export async function runDeployer(options: RunOptions): Promise<RunResult> {
  const { clock, deadline, memory, signal } = options;
  const timeout = new AbortController();
  const remainingMs = deadline === undefined ? undefined : Math.max(0, deadline - clock.elapsed());
  const cancel =
    remainingMs === undefined ? (): void => {} : clock.schedule(remainingMs, () => timeout.abort(new DeadlineError()));
  beginPass(memory);
  const run = new DeployerRun(options, AbortSignal.any([signal, memory.interrupted, timeout.signal]));
  try {
    if (isLargeConfig(options.item().spec.config)) await ownTurn();
    const { fieldValidation } = fieldValidationOf(options.item().metadata, options.fieldValidation);
    const onWarning = (message: string): void => noteWarning(options, { reason: "APIWarning", message });
    return await withFieldValidation({ fieldValidation, onWarning }, async () => await run[options.work]());
  } catch (error) {
    const told = isFault(error) ? await toldFault(error, options) : options.target.nameTargetOf(error);
    const masked = maskErrorTexts(maskErrorTexts(told, options.target.mask), maskSettings(options.item()));
    const isCancelled = timeout.signal.aborted;
    return { type: "failed", error: masked, isCancelled, reported: run.reported, conditions: run.conditions };
  } finally {
    cancel();
  }
}

/** A fault of the deployer: its stack goes to the log, class and message to the user. */
async function toldFault(fault: Error, { item, log }: RunOptions): Promise<LandscaperError> {
  const deployItem = formatKey(keyOf(item()));
  log.error({ deployItem, error: fault.name, stack: framesOf(fault) }, "internal error of the deployer");
  const [words = ""] = await redactTextsInTurns([describeFault(fault)], secretConfigValues(item()), createBreather());
  return internalError("deployer", words);
}

/** More that differ are not read. */
const maxWarnings = 20;

/** Servers warn of each object again. */
function noteWarning({ memory: { warnings }, target }: Pick<RunOptions, "memory" | "target">, warning: Warning): void {
  if (warnings.has(warning.message) || warnings.size >= maxWarnings) return;
  warnings.set(warning.message, { ...warning, message: target.mask(warning.message) });
}

/** The deployer has exceeded the limit for `abandon` or `leave`. */
class EndLimitError extends Error {
  override readonly name = "EndLimitError";

  constructor(limitMs: number) {
    super(`the deployer did not end within ${limitMs / 1000} s`);
  }
}

/** How long the end of a job waits for the deployer, in ms. */
const abandonLimitMs = 5000;
/** Limit for `leave`, in ms. It stays below the 30 s of the core. */
const leaveLimitMs = 15_000;

export interface AbandonOptions extends Omit<RunOptions, "work" | "deadline" | "persist" | "fieldValidation"> {
  /** What the job was at. */
  readonly work: DeployerWork;
  /** Why the job has ended. */
  readonly problem: string;
}

export interface AbandonResult {
  /** To be written, also after a failure. */
  readonly conditions: readonly ConditionUpdate[];
  /** What the deployer has thrown, or that it took too long. */
  readonly failure: { readonly error: unknown } | undefined;
}

/** Tells the deployer that a job has ended without it. Never rejects. */
export async function runAbandon(options: AbandonOptions): Promise<AbandonResult> {
  return await runToEnd(options, abandonLimitMs, async (run) => await run.abandon(options));
}

/** Calls `leave` of the deployer. Never rejects. */
export async function runLeave(options: Omit<AbandonOptions, "work" | "problem">): Promise<AbandonResult["failure"]> {
  return (await runToEnd(options, leaveLimitMs, async (run) => await run.leave())).failure;
}

async function runToEnd(
  options: Omit<AbandonOptions, "work" | "problem">,
  limitMs: number,
  work: (run: DeployerRun) => Promise<void>,
): Promise<AbandonResult> {
  const { clock, signal } = options;
  const limit = new AbortController();
  const cancel = clock.schedule(limitMs, () => limit.abort(new EndLimitError(limitMs)));
  const persist = (): Promise<never> => Promise.reject(new Error("the job has ended"));
  const ended = AbortSignal.any([signal, limit.signal]);
  let giveUp = (): void => {};
  const isOver = new Promise<never>((_resolve, reject) => {
    giveUp = () => reject(ended.reason as Error);
    ended.addEventListener("abort", giveUp);
  });
  const run = new DeployerRun({ ...options, persist, deadline: undefined }, ended);
  try {
    await Promise.race([work(run), isOver]);
    return { conditions: run.conditions, failure: undefined };
  } catch (error) {
    return { conditions: run.conditions, failure: { error } };
  } finally {
    ended.removeEventListener("abort", giveUp);
    cancel();
  }
}

type DeployerRunOptions = Omit<RunOptions, "work" | "fieldValidation"> & Partial<Pick<RunOptions, "fieldValidation">>;

class DeployerRun {
  readonly #options: DeployerRunOptions;
  readonly #signal: AbortSignal;
  #reported: ProviderStatus | undefined;
  #conditions: readonly ConditionUpdate[] = [];
  #config: { readonly generation: number | undefined; readonly parsed: unknown } | undefined;

  constructor(options: DeployerRunOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  get reported(): ProviderStatus | undefined {
    return this.#reported;
  }

  /** Those that were reported, and are not written yet. */
  get conditions(): readonly ConditionUpdate[] {
    return this.#options.target.mask(this.#conditions);
  }

  async reconcile(): Promise<RunResult> {
    return await this.#done(await this.#options.deployer.reconcile(this.#context()));
  }

  /** Between jobs. */
  async maintain(): Promise<RunResult> {
    const { deployer } = this.#options;
    if (deployer.maintain === undefined) return await this.reconcile();
    return await this.#done(await deployer.maintain(this.#context()));
  }

  /** After the end of a job. */
  async abandon({ work, problem }: Pick<AbandonOptions, "work" | "problem">): Promise<void> {
    const context: AbandonContext<unknown> = Object.assign(this.#context(), { work, problem });
    await this.#options.deployer.abandon?.(context);
  }

  /** Before an item is deleted without uninstalling it. */
  async leave(): Promise<void> {
    await this.#options.deployer.leave?.(this.#context());
  }

  /** Between jobs. */
  async preview(): Promise<RunResult> {
    const { deployer, target, host } = this.#options;
    const preview = await deployer.preview?.(this.#reading(createPreviewAccess(target), createDryRunCluster(host)));
    const masked = preview && (await maskPreview(preview, async (texts) => await maskInTurns(texts, target.mask)));
    return { type: "done", reported: undefined, preview: masked };
  }

  async #done(outcome: Outcome): Promise<RunResult> {
    if (outcome.type === "waiting") return this.#waiting(outcome);
    const [exported, settled] = await Promise.allSettled([this.#export(outcome), outcome.settle?.()]);
    // Neither goes on beside the next pass.
    for (const each of [exported, settled]) if (each.status === "rejected") throw each.reason;
    const exportRef = exported.status === "fulfilled" ? exported.value : undefined;
    const conditions = [...this.conditions, ...this.#options.target.mask(outcome.conditions ?? [])];
    return { type: "done", reported: this.#reported, exportRef, conditions };
  }

  async delete(): Promise<RunResult> {
    const outcome = await this.#options.deployer.delete(this.#context());
    if (outcome === "done") return { type: "done", reported: this.#reported };
    return this.#waiting(outcome === "pending" ? { type: "waiting", for: "the deletion to end" } : outcome);
  }

  #mask(text: string): string {
    return maskSettings(this.#options.item())(this.#options.target.mask(text));
  }

  #waiting({ type, for: waitingFor, ...rest }: Waiting): RunResult {
    const masked = this.#mask(waitingFor);
    const { conditions } = this;
    return { type, reported: this.#reported, conditions, waitingFor: masked, ...rest };
  }

  /** Null: there was an export, and there is none any more. */
  async #export({ exports: values, sensitiveExports }: Succeeded): Promise<ExportRef | null | undefined> {
    if (values === "unchanged") return undefined;
    const { client, target, memory } = this.#options;
    const item = this.#options.item();
    const onChange = (): void => {
      memory.hasChanged = true;
    };
    const secret = { client, item, signal: this.#signal, onChange };
    if (values !== undefined) {
      const sensitive = sensitiveExports && [...sensitiveExports, ...maskedPaths(values, target.mask(values))];
      return await writeExports({ values, sensitive }, secret);
    }
    if (item.status?.exportRef === undefined) return undefined;
    await removeExports(secret);
    return null;
  }

  #context(): DeployContext<unknown> {
    const { target, memory, notifier, persist, item, clock, deadline } = this.#options;
    const { fieldValidation } = fieldValidationOf(item().metadata, this.#options.fieldValidation ?? "Warn");
    return Object.assign(this.#reading(target, this.#options.host), {
      remainingMs: () => (deadline === undefined ? undefined : Math.max(0, deadline - clock.elapsed())),
      warn: (warning: Warning) => {
        for (const told of judgeWarnings([warning], fieldValidation)) noteWarning(this.#options, told);
      },
      announce: ({ reason, message }: { readonly reason: string; readonly message: string }) =>
        notifier.noted(item(), { reason, message: target.mask(message) }),
      noteWork: (what: string | undefined) => {
        memory.workInProgress = what === undefined ? undefined : this.#mask(what);
      },
      noteChange: () => {
        memory.hasChanged = true;
        memory.isTouched = true;
      },
      report: (status: ProviderStatus) => {
        memory.isTouched = true;
        this.#reported = status;
      },
      reportConditions: (conditions: readonly ConditionUpdate[]) => {
        const types = new Set(conditions.map(({ type }) => type));
        this.#conditions = [...this.#conditions.filter(({ type }) => !types.has(type)), ...conditions];
      },
      persist: async () => {
        const status = this.#reported;
        const { conditions } = this;
        this.#reported = undefined;
        this.#conditions = [];
        if (status !== undefined) await persist(status, conditions);
      },
      memory: <State>(create: () => State): State => {
        memory.state ??= { value: create() };
        // One deployer keeps one state per job: what it reads is what it made.
        return memory.state.value as State;
      },
    });
  }

  #reading(target: TargetAccess, host: TargetCluster): PreviewContext<unknown> {
    const { clock, log, item, emptyProtection } = this.#options;
    const config = (): unknown => this.#parseConfig();
    const latest = (): ProviderStatus | undefined => this.#reported ?? item().status?.providerStatus;
    return {
      get item() {
        return item();
      },
      get config() {
        return config();
      },
      get removals() {
        return allowedRemovals(item().metadata, emptyProtection);
      },
      get providerStatus() {
        return latest();
      },
      target,
      landscaper: this.#namespace(),
      findItem: async (key) => await this.#options.client.find(resources.deployItem, key, { signal: this.#signal }),
      host,
      clock,
      log: maskLog(log, this.#options.target.mask),
      signal: this.#signal,
    };
  }

  /** Once in a pass, unless it changes. */
  #parseConfig(): unknown {
    const { deployer, item } = this.#options;
    const { metadata, spec } = item();
    const { generation } = metadata;
    if (this.#config === undefined || generation === undefined || this.#config.generation !== generation) {
      checkConfig(spec.config, "spec.config");
      this.#config = { generation, parsed: deployer.parseConfig(spec.config, "spec.config") };
    }
    return this.#config.parsed;
  }

  /** A type without namespaces would reach beyond that of the item. */
  #namespace(): ItemNamespace {
    const { client, item } = this.#options;
    return {
      find: async (type, name) => {
        if (!type.namespaced) throw new TypeError(`${type.kind}: only kinds with namespaces can be read`);
        return await client.find(type, { namespace: item().metadata.namespace, name }, { signal: this.#signal });
      },
    };
  }
}
