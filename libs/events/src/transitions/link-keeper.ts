import type { Clock } from "@landscaper/controller-runtime";
import type { RetryPause } from "../retry-pause.ts";
import { TakenOver } from "./nats-problem.ts";

/** Keeps one link open for all users. Opens another one when it fails. */
export interface LinkKeeper<L> {
  /** Waits until a link is open. Rejects when the keeper is closed, or if `open` rejects with TakenOver. */
  get(): Promise<L>;
  /** Closes the link, if it is still the current one. The next one is opened after a pause that grows with failures in a row. */
  fail(link: L, error: unknown): void;
  /** The server has acknowledged: the problem is over. */
  succeed(): void;
  close(): Promise<void>;
}

export interface LinkKeeperOptions<L> {
  readonly open: () => Promise<L>;
  readonly pause: RetryPause;
  readonly clock: Pick<Clock, "elapsed">;
  /** Undefined: the problem is over. */
  readonly onProblem: (error: unknown) => void;
}

/** A link that fails sooner counts as one more failure in a row, even if the server has acknowledged something on it (ms). */
const stableMs = 3_000;

export function createLinkKeeper<L extends { close(): Promise<void> }>(options: LinkKeeperOptions<L>): LinkKeeper<L> {
  const { open, pause, clock, onProblem } = options;
  let openedMs = 0;
  let hasProblem = false;
  let end = (): void => {};
  const ended = new Promise<never>((_, reject) => {
    end = () => reject(new Error("the publisher of events was stopped"));
  });
  ended.catch(() => {});
  let opening: Promise<L> | undefined;
  let current: L | undefined;
  let isClosed = false;
  const openUntilDone = async (): Promise<L> => {
    for (;;) {
      if (pause.streak > 0) await pause.wait();
      if (isClosed) throw new Error("the publisher of events was stopped");
      try {
        const link = await open();
        if (!isClosed) {
          openedMs = clock.elapsed();
          return (current = link);
        }
        await close(link);
      } catch (error) {
        if (error instanceof TakenOver) throw error;
        if (isClosed) continue;
        pause.fail();
        hasProblem = true;
        onProblem(error);
      }
    }
  };
  return {
    get: async () => {
      if (isClosed) throw new Error("the publisher of events was stopped");
      // The work of a stopped publisher does not wait for a server that does not answer.
      return await (opening ??= Promise.race([openUntilDone(), ended]));
    },
    fail: (link, error) => {
      if (link !== current || isClosed) return;
      current = opening = undefined;
      void close(link);
      if (clock.elapsed() - openedMs >= stableMs) pause.reset();
      pause.fail();
      hasProblem = true;
      onProblem(error);
    },
    succeed: () => {
      if (!hasProblem) return;
      hasProblem = false;
      onProblem(undefined);
    },
    close: async () => {
      isClosed = true;
      pause.cut();
      end();
      if (current !== undefined) await close(current);
    },
  };
}

/** A link that cannot be closed is closed already. */
async function close(link: { close(): Promise<void> }): Promise<void> {
  await link.close().catch(() => {});
}
