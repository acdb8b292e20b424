import { checkConfig } from "../jobs/check-config.ts";
import { createHash } from "node:crypto";
import {
  deployItemPhases,
  LandscaperError,
  parseCronSpec,
  parseDuration,
  type ContinuousReconcile,
  type CronSchedule,
  type DeployItem,
} from "@landscaper/api";
import type { Deployer } from "../deployer-interface.ts";

/** When something is repeated. */
export interface ContinuousSchedule extends CronSchedule {
  /** When a run that is due at `time` may start: then, or when the next window opens; undefined = never. */
  admit(time: Date): Date | undefined;
}

/** The schedules of a deployer's items. */
export interface ContinuousSchedules {
  /** Undefined = the item is not repeated, also where its configuration cannot be read, which is told. */
  of(item: DeployItem): ContinuousSchedule | undefined;
  forget(item: DeployItem): void;
}

export interface ContinuousSchedulesOptions {
  /** Hears why an item is not repeated whose last job has succeeded: it was another version, or the original, that took its schedule. */
  readonly onUnreadable: (item: DeployItem, error: unknown) => void;
}

/** Items are looked at with every event: their configuration is read once per generation. */
export function createContinuousSchedules(
  deployer: Deployer,
  { onUnreadable }: ContinuousSchedulesOptions,
): ContinuousSchedules {
  const known = new Map<string, { readonly generation: number; readonly schedule: ContinuousSchedule | undefined }>();
  return {
    of(item) {
      if (deployer.continuousReconcile === undefined) return undefined;
      const { uid = "", generation = 0 } = item.metadata;
      const cached = known.get(uid);
      if (cached?.generation === generation) return cached.schedule;
      const schedule = readSchedule(deployer, item, (error) => {
        if (item.status?.phase === deployItemPhases.succeeded) onUnreadable(item, error);
      });
      known.set(uid, { generation, schedule });
      return schedule;
    },
    forget({ metadata }) {
      known.delete(metadata.uid ?? "");
    },
  };
}

function readSchedule(
  deployer: Deployer,
  item: DeployItem,
  onUnreadable: (error: unknown) => void,
): ContinuousSchedule | undefined {
  try {
    checkConfig(item.spec.config, "spec.config");
    return parseContinuousReconcile(
      deployer.continuousReconcile?.(deployer.parseConfig(item.spec.config, "spec.config")),
    );
  } catch (error) {
    onUnreadable(error);
    return undefined;
  }
}

/**
 * The times of `{cron}` or `{every}` (deployers.md §2); neither of them is the same as no schedule. Throws LandscaperError naming the
 * field.
 */
export function parseContinuousReconcile(continuous: ContinuousReconcile | undefined): ContinuousSchedule | undefined {
  const admit = parseWindows(continuous?.windows ?? []);
  const times = parseTimes(continuous);
  if (times === undefined) return undefined;
  return {
    admit,
    next(after) {
      const next = times.next(after);
      return next === undefined ? undefined : admit(next);
    },
  };
}

function parseTimes(continuous: ContinuousReconcile | undefined): CronSchedule | undefined {
  const { cron = "", every = "" } = continuous ?? {};
  if (cron !== "" && every !== "") throw invalid("", "expected either cron or every, found both", undefined);
  if (cron !== "") return at(".cron", () => parseCronSpec(cron));
  if (every === "") return undefined;
  positiveMs(".every", every);
  return parseCronSpec(`@every ${every}`);
}

function positiveMs(field: string, text: string): number {
  const ms = at(field, () => parseDuration(text));
  if (ms <= 0) throw invalid(field, `expected a duration above 0, found "${text}"`, undefined);
  return ms;
}

function parseWindows(windows: NonNullable<ContinuousReconcile["windows"]>): ContinuousSchedule["admit"] {
  const opened = windows.map(({ start, duration }, index) => {
    const field = `.windows[${index}]`;
    const durationMs = positiveMs(`${field}.duration`, duration);
    const openings = at(`${field}.start`, () => parseCronSpec(start));
    /** The first opening whose window is not over at `time`. */
    return (time: Date): Date | undefined => openings.next(new Date(time.getTime() - durationMs));
  });
  if (opened.length === 0) return (time) => time;
  return (time) => {
    const openings = opened.flatMap((openingOf) => openingOf(time)?.getTime() ?? []);
    return openings.length === 0 ? undefined : new Date(Math.max(time.getTime(), Math.min(...openings)));
  };
}

function at<T>(field: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw invalid(field, cause instanceof Error ? cause.message : "not readable", cause);
  }
}

function invalid(field: string, problem: string, cause: unknown): LandscaperError {
  return new LandscaperError({
    message: `spec.config.continuousReconcile${field}: ${problem}`,
    reason: cause instanceof LandscaperError ? cause.reason : "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: cause instanceof LandscaperError ? cause.hint : undefined,
    retry: "never",
    cause,
  });
}

/** Runs are put off by at most so much, and by at most a tenth of the time between them. */
const maxSpreadMs = 60_000;

/** When the run after `lastMs` is due, in ms. Items of one schedule do not all come at once: each has a delay of its own. */
export function nextRunMs(schedule: CronSchedule, lastMs: number, uid: string): number | undefined {
  const next = schedule.next(new Date(lastMs))?.getTime();
  return next === undefined ? undefined : spread(next, next - lastMs, uid);
}

/** When a run that is due `now` may start: then, or after the opening of the next window. */
export function admittedMs(schedule: ContinuousSchedule, now: number, uid: string): number | undefined {
  const opening = schedule.admit(new Date(now))?.getTime();
  return opening === undefined ? undefined : spread(opening, opening - now, uid);
}

function spread(time: number, pauseMs: number, uid: string): number {
  const share = createHash("sha256").update(uid).digest().readUInt32BE(0) / 2 ** 32;
  return time + Math.floor(share * Math.min(maxSpreadMs, pauseMs / 10));
}
