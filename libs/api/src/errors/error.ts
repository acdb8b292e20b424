import { replaceLoneSurrogates } from "../values/go-json.ts";
import type { ErrorStatus } from "../schema/schema-fields.ts";

/** Codes of lastError; they say how the job goes on (core.md §2.9). */
export const errorCodes = [
  "ERR_UNAUTHORIZED",
  "ERR_CLEANUP",
  "ERR_CONFIGURATION_PROBLEM",
  "ERR_INTERNAL_PROBLEM",
  "ERR_TIMEOUT",
  "ERR_CYCLIC_DEPENDENCIES",
  "ERR_WEBHOOK",
  "ERR_UNFINISHED",
  "ERR_FOR_INFO_ONLY",
  "ERR_NO_RETRY",
] as const;
export type ErrorCode = (typeof errorCodes)[number];

/** Where something stands: a file of a blueprint, a template, an import path. Line and column count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** "never": only a change or a new trigger helps. "briefly": hardly anything else helps, but whoever refused may change their mind within seconds. */
export type RetryRule = "backoff" | "briefly" | "never";

/** Reasons of errors with the RetryRule "briefly". Some errors with such a reason are retried until the deadline: a status does not tell them apart. */
export const brieflyRetriedReasons: ReadonlySet<string> = new Set([
  "TargetRefused",
  "TargetSecretMissing",
  "PodRefused",
]);

export interface LandscaperErrorOptions {
  /** What happened, where, and expected against found. No values of imports or credentials. */
  readonly message: string;
  /** One word for machines: a key of the catalogue. */
  readonly reason: string;
  /** What was being done; the boundary that writes the status may say it instead. */
  readonly operation?: string | undefined;
  readonly codes?: readonly ErrorCode[] | undefined;
  /** What the user can do. */
  readonly hint?: string | undefined;
  readonly at?: readonly SourceLocation[] | undefined;
  /** Host of the failed request. Has the port if the host cannot be reached and the port is not the scheme's default. */
  readonly host?: string | undefined;
  /** See `RetryRule`. Default "backoff". */
  readonly retry?: RetryRule | undefined;
  readonly cause?: unknown;
  /** What is secret in message and hint has been masked by where it came from: no search for values is needed. */
  readonly isMasked?: boolean | undefined;
}

/** The one base of our errors (style.md §3.6). Progress is never an error. */
export class LandscaperError extends Error {
  readonly reason: string;
  readonly operation: string | undefined;
  readonly codes: readonly ErrorCode[];
  readonly hint: string | undefined;
  readonly at: readonly SourceLocation[];
  readonly host: string | undefined;
  readonly retry: RetryRule;
  readonly isMasked: boolean;

  constructor(options: LandscaperErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "LandscaperError";
    this.reason = options.reason;
    this.operation = options.operation;
    this.codes = options.codes ?? [];
    this.hint = options.hint;
    this.at = options.at ?? [];
    this.host = options.host;
    this.retry = options.retry ?? "backoff";
    this.isMasked = options.isMasked ?? false;
  }

  /** Returns a copy in which `changes` replace fields. */
  with(changes: Partial<LandscaperErrorOptions>): LandscaperError {
    const { message, reason, operation, codes, hint, at, host, retry, isMasked, cause } = this;
    return new LandscaperError({
      message,
      reason,
      operation,
      codes,
      hint,
      at,
      host,
      retry,
      isMasked,
      cause,
      ...changes,
    });
  }

  /** The first code. */
  get code(): ErrorCode | undefined {
    return this.codes[0];
  }
}

/** Codes of an error and its causes, innermost first, each once (core.md §2.9). */
export function collectErrorCodes(error: unknown): ErrorCode[] {
  const codes: ErrorCode[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof LandscaperError) codes.unshift(...current.codes);
  }
  return [...new Set(codes)];
}

export function hasErrorCode(error: unknown, code: ErrorCode): boolean {
  return collectErrorCodes(error).includes(code);
}

/** Longest text that we put into a status. A longer text loses its middle: the start names the place, the end has cause and remedy. */
export const maxStatusTextLength = 4096;

function markCut(characters: number): string {
  return ` [... ${characters} characters cut] `;
}

/** Share of the kept characters that is taken from the start. */
const startShare = 0.25;

/** Bounds a text for status and events to at most `maxLength` characters: start and end are kept, the cut between them is marked. */
export function boundText(text: string, maxLength: number = maxStatusTextLength): string {
  if (text.length <= maxLength) return text;
  const kept = Math.max(0, maxLength - markCut(text.length).length);
  const startLength = Math.floor(kept * startShare);
  const start = replaceLoneSurrogates(text.slice(0, startLength));
  const end = replaceLoneSurrogates(text.slice(text.length - (kept - startLength)));
  return `${start}${markCut(text.length - kept)}${end}`;
}

export interface ErrorStatusOptions {
  /** Used when the error itself names none. */
  readonly operation: string;
  readonly reason: string;
  readonly now: Date;
  /** The lastError that is being replaced. */
  readonly previous?: ErrorStatus | undefined;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const hint = error instanceof LandscaperError ? error.hint : undefined;
  return hint === undefined ? error.message : `${error.message}; ${hint}`;
}

/**
 * The lastError of an error: lastUpdateTime changes with anything, lastTransitionTime with the operation only (core.md §2.9).
 * Returns `previous` itself when nothing has changed.
 */
export function toErrorStatus(error: unknown, options: ErrorStatusOptions): ErrorStatus {
  const { previous } = options;
  const own = error instanceof LandscaperError ? error : undefined;
  const operation = own?.operation ?? options.operation;
  const reason = own?.reason ?? options.reason;
  const message = boundText(textOf(error));
  const codes = collectErrorCodes(error);
  if (
    previous !== undefined &&
    previous.operation === operation &&
    previous.reason === reason &&
    previous.message === message &&
    (previous.codes ?? []).join() === codes.join()
  ) {
    return previous;
  }
  const now = toTimestamp(options.now);
  return {
    operation,
    reason,
    message,
    ...(codes.length > 0 ? { codes } : {}),
    lastTransitionTime: previous?.operation === operation ? previous.lastTransitionTime : now,
    lastUpdateTime: now,
  };
}

/** Kubernetes time stamps have whole seconds. */
export function toTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
