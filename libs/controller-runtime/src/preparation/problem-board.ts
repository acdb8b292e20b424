import type { Logger } from "../controller-interface.ts";

/** Why a process is not ready, by what says so. Changes go to the log. */
export interface ProblemBoard {
  /** Undefined: it is over. */
  set(name: string, problem: string | undefined): void;
  /** All that there are, in one text; undefined when there are none. */
  read(): string | undefined;
}

export function createProblemBoard(log: Pick<Logger, "error" | "info">): ProblemBoard {
  const problems = new Map<string, string>();
  return {
    set: (name, problem) => {
      const before = problems.get(name);
      if (problem === before) return;
      if (problem === undefined) {
        problems.delete(name);
        log.info({ check: name }, "a problem is over");
      } else {
        problems.set(name, problem);
        log.error({ check: name, problem }, "the service is not ready");
      }
    },
    read: () => (problems.size === 0 ? undefined : [...problems.values()].join("; ")),
  };
}
