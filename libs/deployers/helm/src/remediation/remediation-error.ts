import { boundText, errorCodes, LandscaperError, type ErrorCode } from "@landscaper/api";
import type { Remedied } from "./decide-remediation.ts";
import type { Attempts, Remedy } from "../helm-status.ts";

type Cause = NonNullable<Attempts["cause"]>;

type Mask = (text: string) => Promise<string>;

/** An error in the form that the status keeps. Masked before it is cut: half a secret would not be recognised. */
export async function causeOf(error: LandscaperError, mask: Mask): Promise<Cause> {
  const { message, reason, codes } = error;
  return { message: boundText(await mask(message)), reason, ...(codes.length === 0 ? {} : { codes }) };
}

/** A cause that was taken from the record of a revision has the words of the target. */
export async function maskAttempts(attempts: Attempts, mask: Mask): Promise<Attempts> {
  const { cause } = attempts;
  if (cause === undefined) return attempts;
  return { ...attempts, cause: { ...cause, message: boundText(await mask(cause.message)) } };
}

/** An attempt has failed, and another one follows. */
export function attemptError({ cause, failed }: Attempts, retries: number): LandscaperError {
  const count = Number.isFinite(retries) ? `attempt ${failed} of ${retries + 1}` : `attempt ${failed}`;
  return new LandscaperError({ message: `${messageOf(cause)} (${count})`, reason: reasonOf(cause) });
}

/** The end of the job: what has failed, and what was done about it. */
export function remediatedError(attempts: Attempts, done: Remedied): LandscaperError {
  const { cause, failed, remedy } = attempts;
  const count = failed === 1 ? "1 failed attempt" : `${failed} failed attempts`;
  const known: readonly string[] = errorCodes;
  return new LandscaperError({
    message: `${messageOf(cause)}; after ${count} ${wordsOf(done, remedy)}`,
    reason: reasonOf(cause),
    codes: (cause?.codes ?? []).filter((code): code is ErrorCode => known.includes(code)),
    retry: "never",
  });
}

function wordsOf(done: Remedied, remedy: Remedy | undefined): string {
  switch (done) {
    case "rolled back":
      return `the release was rolled back to revision ${remedy?.type === "rollback" ? remedy.to : "before"}`;
    case "uninstalled":
      return "the release was uninstalled";
    case "nothing to roll back to":
      return "the release is left as it is: the revision to roll back to is gone";
    case "left":
      return "the release is left as it is";
  }
}

/** What was to undo the failure has failed; it is tried again. */
export function remedyError(attempts: Attempts | undefined, remedy: Remedy, error: LandscaperError): LandscaperError {
  const what = remedy.type === "uninstall" ? "uninstalling it" : `rolling back to revision ${remedy.to}`;
  return new LandscaperError({
    message: `${messageOf(attempts?.cause)}; ${what} failed as well: ${error.message}`,
    reason: error.reason,
    hint: error.hint,
  });
}

function messageOf(cause: Cause | undefined): string {
  return cause?.message ?? "the release has failed";
}

function reasonOf(cause: Cause | undefined): string {
  return cause?.reason ?? "ReleaseFailed";
}
