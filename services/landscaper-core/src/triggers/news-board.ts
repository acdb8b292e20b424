import { formatKey, type ObjectKey } from "@landscaper/api";

/** That something has happened which may be a change for an Installation; all times in ms of a clock that nobody sets. */
export interface News {
  readonly firstMs: number;
  /** When it is looked at, unless more comes. */
  readonly dueMs: number;
}

/** After so long without more news they are looked at, so that a burst of changes is one job. */
export const quietMs = 1_000;
/** News do not wait longer than this, however many come. */
export const maxWaitMs = 10_000;

/** The news after more has come; what is due already does not hurry those that come after it. */
export function addNews(previous: News | undefined, elapsedMs: number): News {
  const firstMs = previous !== undefined && elapsedMs < previous.dueMs ? previous.firstMs : elapsedMs;
  return { firstMs, dueMs: Math.min(elapsedMs + quietMs, firstMs + maxWaitMs) };
}

/** News of the Installations whose changes start jobs. In memory alone: a new process looks at each of them once. */
export interface NewsBoard {
  get(key: ObjectKey): News | undefined;
  note(key: ObjectKey, elapsedMs: number): void;
  /** Notes that the Installation has come into sight, once for each process. */
  noteFirst(key: ObjectKey, elapsedMs: number): void;
  /** They are not looked at before; never brings them forward. */
  postpone(key: ObjectKey, dueMs: number): void;
  /** The news that were there have been looked at; what has come since stays. */
  clear(key: ObjectKey, seen: News | undefined): void;
  /** The Installation is gone. */
  forget(key: ObjectKey): void;
}

export function createNewsBoard(): NewsBoard {
  const board = new Map<string, News>();
  const known = new Set<string>();
  const note = (key: string, elapsedMs: number): void => void board.set(key, addNews(board.get(key), elapsedMs));
  return {
    get: (key) => board.get(formatKey(key)),
    note: (key, elapsedMs) => note(formatKey(key), elapsedMs),
    noteFirst: (key, elapsedMs) => {
      if (known.has(formatKey(key))) return;
      known.add(formatKey(key));
      note(formatKey(key), elapsedMs);
    },
    postpone: (key, dueMs) => {
      const news = board.get(formatKey(key));
      if (news !== undefined && news.dueMs < dueMs) board.set(formatKey(key), { ...news, dueMs });
    },
    clear: (key, seen) => {
      if (board.get(formatKey(key)) === seen) board.delete(formatKey(key));
    },
    forget: (key) => {
      board.delete(formatKey(key));
      known.delete(formatKey(key));
    },
  };
}
