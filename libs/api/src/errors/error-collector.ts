import { collectErrorCodes, LandscaperError, type RetryRule } from "./error.ts";

const maxShown = 20;

/** Collects errors of a file, so that users see all of them at once. */
export interface ErrorCollector {
  /** Returns the result in a list, which is empty if the work throws a LandscaperError. Does not catch other errors. */
  read<T>(work: () => T): readonly T[];
  add(error: LandscaperError): void;
  /** Throws an only error unchanged, several ones as one LandscaperError with the first 20 messages and the number of the others. */
  throwAll(): void;
}

/** Keeps its members, so that another collector counts each of them. Reason, hint and retry rule are those of the members if these agree. */
class SeveralErrors extends LandscaperError {
  /** At most 20. */
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
    const members = error instanceof SeveralErrors ? error.members : [error];
    errors.push(...members.slice(0, maxShown - errors.length));
    count += error instanceof SeveralErrors ? error.count : 1;
  };
  return {
    read: (work) => {
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
      throw count === 1 ? only : new SeveralErrors(errors, count);
    },
  };
}
