import { collectErrorCodes, LandscaperError, type RetryRule } from "./error.ts";

const maxShown = 20;

/** Collects the errors of a file: users see all of them at once. */
export interface ErrorCollector {
  /** Returns the result in a list. Collects a LandscaperError and returns an empty list instead. Does not catch other errors. */
  collect<T>(work: () => T): readonly T[];
  add(error: LandscaperError): void;
  /** Throws the collected errors, if any: a single error unchanged, others as one LandscaperError with the first 20 messages and the number of the rest. */
  throwAll(): void;
}

/**
 * Error of several errors. Has the reason, operation, hint, host and retry rule of its members if all of them agree, and the codes of all members.
 * Keeps its members: another collector counts each of them.
 */
class AggregatedError extends LandscaperError {
  /** The first 20. */
  readonly members: readonly LandscaperError[];
  readonly count: number;

  constructor(members: readonly LandscaperError[], count: number) {
    const rest = count - members.length;
    const last = rest > 0 ? [`and ${rest} more ${rest === 1 ? "error" : "errors"}`] : [];
    const hint = commonOf(members, (member) => member.hint);
    const lines = members.map((member) =>
      member.hint === undefined || hint !== undefined ? member.message : `${member.message}; ${member.hint}`,
    );
    super({
      message: [...lines, ...last].join("\n"),
      reason: commonOf(members, ({ reason }) => reason) ?? "InvalidInput",
      operation: commonOf(members, ({ operation }) => operation),
      codes: [...new Set(members.flatMap(collectErrorCodes))],
      hint,
      at: members.flatMap(({ at }) => at),
      host: commonOf(members, ({ host }) => host),
      retry: commonOf<RetryRule>(members, ({ retry }) => retry) ?? "never",
      isMasked: members.every(({ isMasked }) => isMasked),
    });
    this.members = members;
    this.count = count;
  }
}

function commonOf<T>(
  members: readonly LandscaperError[],
  read: (member: LandscaperError) => T | undefined,
): T | undefined {
  const [first, ...others] = members.map(read);
  return others.every((other) => other === first) ? first : undefined;
}

export function createErrorCollector(): ErrorCollector {
  const errors: LandscaperError[] = [];
  let count = 0;
  const add = (error: LandscaperError): void => {
    const members = error instanceof AggregatedError ? error.members : [error];
    errors.push(...members.slice(0, maxShown - errors.length));
    count += error instanceof AggregatedError ? error.count : 1;
  };
  return {
    collect: (work) => {
      try {
        return [work()];
      } catch (error) {
        if (!(error instanceof LandscaperError)) throw error;
        add(error);
        return [];
      }
    },
    add,
    throwAll: () => {
      const [only] = errors;
      if (only === undefined) return;
      throw count === 1 ? only : new AggregatedError(errors, count);
    },
  };
}
