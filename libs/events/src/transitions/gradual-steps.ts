/** Where the results of steps wait. */
interface Room {
  readonly hasRoom: boolean;
  wait(): Promise<void>;
}

/** Steps that are taken only while there is room for their results, such as the transitions of a long list. */
export interface GradualSteps {
  /** Replaces the steps that are left. */
  begin(steps: Iterator<void>): void;
  /** Takes the steps that are left. Resolves when all are taken and there is room again. Returns undefined if that is already the case. */
  ready(): Promise<void> | undefined;
}

/** `ready` resolves, too, when the signal is aborted. */
export function createGradualSteps(room: Room, signal: AbortSignal): GradualSteps {
  let rest: Iterator<void> | undefined;
  const take = (): boolean => {
    while (rest !== undefined && room.hasRoom) if (rest.next().done === true) rest = undefined;
    return rest === undefined && room.hasRoom;
  };
  const takeAll = async (): Promise<void> => {
    while (!take() && !signal.aborted) await room.wait();
  };
  return {
    begin: (steps) => {
      rest = steps;
      take();
    },
    ready: () => (rest === undefined && room.hasRoom ? undefined : takeAll()),
  };
}
