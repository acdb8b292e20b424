import type { Logger } from "../controller-interface.ts";

/** Problems that make a process not ready, and notes for its operator that do not. The board logs changes of problems. */
export interface ProblemBoard {
  /** Undefined: it is over. */
  set(name: string, problem: string | undefined): void;
  /** All that there are, in one text; undefined when there are none. */
  read(): string | undefined;
  /** Sets or removes a line of `/readyz?verbose`. A note does not affect readiness; the caller logs it. */
  setNote(name: string, note: string | undefined): void;
  /** Notes in the order in which they were first set. */
  readNotes(): readonly string[];
}

export function createProblemBoard(log: Pick<Logger, "error" | "info">): ProblemBoard {
  const problems = new Map<string, string>();
  const notes = new Map<string, string>();
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
    setNote: (name, note) => void (note === undefined ? notes.delete(name) : notes.set(name, note)),
    readNotes: () => [...notes.values()],
  };
}
