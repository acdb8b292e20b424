import type { KubeObject } from "@landscaper/api";
import { ApiError, isForbidden, type Client } from "@landscaper/controller-runtime";

/** A write that may be refused. */
export type Attempt = (client: Client) => Promise<unknown>;
/** With what it comes to, for people. */
export type NamedAttempt = readonly [what: string, attempt: Attempt];
/** Any other text is an error that is no refusal. */
type Outcome = "done" | "refused";

/** The object with further annotations. */
export function annotate(marks: Readonly<Record<string, string>>): <T extends KubeObject>(object: T) => T {
  return (object) => ({
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...marks } },
  });
}

/** Whether the API server refuses the write because of missing rights (403) or an admission policy (403 or 422). */
export function isRefusal(error: unknown): boolean {
  return (
    isForbidden(error) || (error instanceof ApiError && error.status === 422 && /denied request: /.test(error.message))
  );
}

async function outcomeOf(attempt: Attempt, client: Client): Promise<string> {
  try {
    await attempt(client);
    return "done" satisfies Outcome;
  } catch (error) {
    return isRefusal(error) ? ("refused" satisfies Outcome) : String(error);
  }
}

/** What becomes of the attempts, one after the other, as "WHAT: OUTCOME". */
export async function tryAll(attempts: readonly NamedAttempt[], client: Client): Promise<string[]> {
  const told: string[] = [];
  for (const [what, attempt] of attempts) told.push(`${what}: ${await outcomeOf(attempt, client)}`);
  return told;
}

/** What `tryAll` tells when all end in the same way. */
export function everyOutcome(attempts: readonly NamedAttempt[], outcome: Outcome): string[] {
  return attempts.map(([what]) => `${what}: ${outcome}`);
}
