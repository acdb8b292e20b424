import { LandscaperError } from "@landscaper/api";

const maxProblems = 20;

/** Collects errors of a file, so that users see all of them at once. */
export interface ErrorCollector {
  /** Returns the result in a list, which is empty if the work throws a LandscaperError. Does not catch other errors. */
  read<T>(work: () => T): readonly T[];
  /** Throws an only error unchanged, several ones as one LandscaperError with their messages, at most 20. */
  throwAll(): void;
}

/** Keeps all messages, so that a collector of collected errors counts them. */
class SeveralErrors extends LandscaperError {
  readonly messages: readonly string[];

  constructor(messages: readonly string[]) {
    const rest = messages.length - maxProblems;
    const last = rest > 0 ? [`and ${rest} more errors`] : [];
    super({
      message: [...messages.slice(0, maxProblems), ...last].join("\n"),
      reason: "InvalidInput",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
    this.messages = messages;
  }
}

export function createErrorCollector(): ErrorCollector {
  const errors: LandscaperError[] = [];
  return {
    read: (work) => {
      try {
        return [work()];
      } catch (error) {
        if (!(error instanceof LandscaperError)) throw error;
        errors.push(error);
        return [];
      }
    },
    throwAll: () => {
      const [only, second] = errors;
      if (only === undefined) return;
      if (second === undefined) throw only;
      throw new SeveralErrors(
        errors.flatMap((error) => (error instanceof SeveralErrors ? error.messages : [error.message])),
      );
    },
  };
}
