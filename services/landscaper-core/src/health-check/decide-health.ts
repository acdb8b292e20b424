import { toTimestamp, type LsHealthCheck } from "@landscaper/api";

/** The fields of an LsHealthCheck. */
export type Health = Pick<LsHealthCheck, "status" | "lastUpdateTime" | "description">;

/** Before the first check (core.md §4.54). */
export const initialHealth: Health = { status: "Init", lastUpdateTime: "1970-01-01T00:00:00Z", description: "ok" };

export interface HealthObservation {
  /** What is wrong now. */
  readonly problems: readonly string[];
  /** Whether something was wrong at the last check, too. */
  readonly hadProblems: boolean;
  readonly now: Date;
}

/** What to tell after a check: good news at once, bad news when a second check confirms them; undefined: nothing yet. */
export function decideHealth({ problems, hadProblems, now }: HealthObservation): Health | undefined {
  const lastUpdateTime = toTimestamp(now);
  if (problems.length === 0) return { status: "Ok", lastUpdateTime, description: "ok" };
  return hadProblems ? { status: "Failed", lastUpdateTime, description: problems.join("; ") } : undefined;
}
