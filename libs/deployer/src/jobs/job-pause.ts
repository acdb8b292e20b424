import { annotations, type DeployItem } from "@landscaper/api";
import type { Result } from "@landscaper/controller-runtime";
import type { ObservedTarget } from "../target/target-observer.ts";
import type { JobMemory, ToldNews } from "./job-registry.ts";
import type { News } from "../watches/kind-watches.ts";

/** While a job only waits, its status is not written more often than this (ms). */
export const progressIntervalMs = 10_000;

/** What a job waits for stands in its status so long (ms) after it has changed. */
export const reasonIntervalMs = 2000;

/** Shortest pause (ms) between two passes of a job, however often something changes. */
export const minPauseMs = 200;

/** What a pass looks at. */
export interface PassSubject {
  readonly item: DeployItem;
  readonly target: ObservedTarget;
}

/** What makes a pass worth while before the time: a new spec, approval or target, not a new status. */
function causeOf({ item, target }: PassSubject): string {
  const version = target.state === "found" ? target.target.metadata.resourceVersion : target.state;
  const approval = item.metadata.annotations?.[annotations.approvedJob] ?? "";
  return `${item.metadata.generation} ${version} ${approval}`;
}

/** How long the job pauses still, in ms; 0 when there is a reason to go on. */
export function remainingPauseMs({ pause }: JobMemory, subject: PassSubject, elapsedMs: number): number {
  return pause === undefined || pause.cause !== causeOf(subject) ? 0 : Math.max(0, pause.until - elapsedMs);
}

export interface PauseTimes {
  readonly elapsedMs: number;
  readonly delayMs: number;
  /** Default true. */
  readonly isAfterFailure?: boolean | undefined;
}

/** No pass before that, unless item or target change, or watches tell something, or have told since the pass began. */
export function pauseFor(memory: JobMemory, subject: PassSubject, times: PauseTimes): Result {
  const { elapsedMs, isAfterFailure = true } = times;
  const isNews = memory.news !== undefined && endsPause(memory.news, isAfterFailure);
  const dueMs = isAfterFailure || memory.newsDueAt === undefined ? Infinity : memory.newsDueAt - elapsedMs;
  const delayMs = Math.min(times.delayMs, Math.max(minPauseMs, isNews ? 0 : dueMs));
  memory.pause = { since: elapsedMs, until: elapsedMs + delayMs, cause: causeOf(subject), isAfterFailure };
  return { requeueAfterMs: delayMs };
}

/** The pass begins: what watches tell from now on may be unseen by it. */
export function beginPass(memory: JobMemory): void {
  memory.news = undefined;
  memory.newsDueAt = undefined;
  memory.workInProgress = undefined;
  memory.wakeUps.beginPass();
}

/** Watches have told something, which a pass has to look at within `afterMs`. True: the pause is shorter now, the item has to be looked at. */
export function takeNews(memory: JobMemory, { news, afterMs }: ToldNews, elapsedMs: number): boolean {
  const { pause } = memory;
  if (afterMs > 0) return takeLaterNews(memory, elapsedMs + afterMs);
  // Whatever else changes before the next pass has been told by the first change.
  if (memory.news === news || memory.news === "watch") return false;
  memory.news = news;
  if (pause === undefined || !endsPause(news, pause.isAfterFailure)) return false;
  const until = Math.min(pause.until, Math.max(elapsedMs, pause.since + minPauseMs));
  memory.pause = { ...pause, until };
  return true;
}

/** A change that may wait, and hides no other one. */
function takeLaterNews(memory: JobMemory, dueAt: number): boolean {
  const { pause, newsDueAt = Infinity } = memory;
  memory.newsDueAt = Math.min(dueAt, newsDueAt);
  if (pause === undefined || pause.isAfterFailure || pause.until <= dueAt) return false;
  memory.pause = { ...pause, until: Math.max(dueAt, pause.since + minPauseMs) };
  return true;
}

/** After a failure changes may go on while the failure does; that the target can be watched again is a reason to try. */
function endsPause(news: News, isAfterFailure: boolean): boolean {
  return news === "watch" || !isAfterFailure;
}

/** The delay, cut where the job is over. */
export function notAfter(
  deadline: number | undefined,
  { elapsedMs, delayMs }: { elapsedMs: number; delayMs: number },
): number {
  return deadline === undefined ? delayMs : Math.max(0, Math.min(delayMs, deadline - elapsedMs));
}
