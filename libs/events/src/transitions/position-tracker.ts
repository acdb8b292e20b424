import { createFifo } from "@landscaper/controller-runtime";

/** A place in the history of a kind. */
export interface Position {
  /** All transitions up to this resource version are acknowledged. Undefined before the first list. */
  readonly resourceVersion?: string | undefined;
  /** Number of lists whose transitions are all acknowledged. */
  readonly lists: number;
}

/** Finds the position up to which everything is acknowledged, while transitions are acknowledged in any order. */
export interface PositionTracker {
  /** Notes that all versions up to this one were observed. */
  advance(resourceVersion: string): void;
  /** Notes a transition that waits for its acknowledgement; the returned function acknowledges it. */
  begin(): () => void;
  /** Begins a list; the returned function ends it. Its transitions are begun in between. */
  beginList(): (resourceVersion: string) => void;
  readonly position: Position;
  /** Number of the list that is being read; undefined if none is. */
  readonly list: number | undefined;
}

export function createPositionTracker(start: Position): PositionTracker {
  let observed = start;
  let list: number | undefined;
  const waiting = createFifo<{ readonly before: Position; isDone: boolean }>();
  const begin = (): (() => void) => {
    const entry = { before: observed, isDone: false };
    waiting.push(entry);
    return () => {
      entry.isDone = true;
      while (waiting.first?.isDone === true) waiting.shift();
    };
  };
  return {
    advance: (resourceVersion) => {
      observed = { ...observed, resourceVersion };
    },
    begin,
    beginList: () => {
      const lists = observed.lists + 1;
      list = lists;
      return (resourceVersion) => {
        list = undefined;
        observed = { resourceVersion, lists };
      };
    },
    get position() {
      return waiting.first?.before ?? observed;
    },
    get list() {
      return list;
    },
  };
}

export function isSamePosition(left: Position, right: Position): boolean {
  return left.resourceVersion === right.resourceVersion && left.lists === right.lists;
}
