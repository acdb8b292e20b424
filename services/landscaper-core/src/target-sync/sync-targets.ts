import { LandscaperError } from "@landscaper/api";
import { namespaceOf } from "../object-reading.ts";
import { deleteMade, listMade, writeTarget } from "./made-objects.ts";
import type { NameFilter } from "./name-filter.ts";
import { openSource, type OpenSource } from "./open-source.ts";
import { planCleanup, planSync, type SourceEntry } from "./plan-sync.ts";
import { readSource } from "./read-source.ts";
import { rotateToken, type Rotation } from "./rotate-token.ts";
import type { SyncRun } from "./target-sync-context.ts";

/** How a try has ended. */
export interface SyncOutcome {
  readonly errors: readonly unknown[];
  readonly rotation?: Rotation | undefined;
  /** resourceVersion of the Secret with the kubeconfig, as this try has read or left it. */
  readonly secretVersion?: string | undefined;
}

/** Notes what a step throws and goes on without its result; only the end of the signal passes. */
type Attempt = <T>(step: () => Promise<T>) => Promise<T | undefined>;

function collectInto(errors: unknown[], signal: AbortSignal): Attempt {
  return async (step) => {
    try {
      return await step();
    } catch (error) {
      signal.throwIfAborted();
      errors.push(error);
      return undefined;
    }
  };
}

/**
 * One try (core.md §3.9): token, source, Secrets and Targets, and, when nothing has failed, the end of what is not wanted any
 * more. What fails for one cluster does not keep the others waiting.
 */
export async function syncTargets(run: SyncRun, filter: NameFilter): Promise<SyncOutcome> {
  const { context, targetSync, signal } = run;
  const namespace = namespaceOf(targetSync);
  const errors: unknown[] = [];
  const attempt = collectInto(errors, signal);
  const open = await attempt(() => openSource(context, targetSync, signal));
  const rotation = open && (await attempt(() => rotateToken(run, open)));
  const reading = open && (await attempt(() => readEntries(run, { open, filter, errors })));
  await open?.source.close();
  const plan = planSync(targetSync, reading ?? []);
  errors.push(...plan.problems.map((message) => new LandscaperError({ message, reason: "TargetSyncConflict" })));
  await Promise.all(plan.writes.map((planned) => attempt(() => writeTarget(run, planned))));
  if (errors.length === 0) {
    await attempt(() => deleteMade(run, planCleanup(targetSync, plan.wanted, listMade(context, namespace))));
  }
  return { errors, rotation, secretVersion: rotation?.secretVersion ?? open?.secret.metadata.resourceVersion };
}

interface ReadOptions {
  readonly open: OpenSource;
  readonly filter: NameFilter;
  readonly errors: unknown[];
}

async function readEntries(
  { context, targetSync }: SyncRun,
  { open, filter, errors }: ReadOptions,
): Promise<readonly SourceEntry[]> {
  const made = listMade(context, namespaceOf(targetSync));
  const reading = await readSource({ source: open.source, filter, made, nowMs: context.clock.now() });
  errors.push(...reading.errors);
  return reading.entries;
}
