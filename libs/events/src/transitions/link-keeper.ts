import type { RetryPause } from "../retry-pause.ts";
import { TakenOver } from "./nats-problem.ts";

/** One open link for all users; another one is opened when it fails. */
export interface LinkKeeper<L> {
  /** Waits until a link is open. Rejects when the keeper is closed, or if `open` rejects with TakenOver. */
  get(): Promise<L>;
  /** Closes the link, if it is still the current one. The next one is opened after a pause that grows with failures in a row. */
  fail(link: L, error: unknown): void;
  /** The server has acknowledged: failures are no longer in a row. */
  succeed(): void;
  close(): Promise<void>;
}

export interface LinkKeeperOptions<L> {
  readonly open: () => Promise<L>;
  readonly pause: RetryPause;
  /** Undefined: the problem is over. */
  readonly onProblem: (error: unknown) => void;
}

export function createLinkKeeper<L extends { close(): Promise<void> }>(options: LinkKeeperOptions<L>): LinkKeeper<L> {
  const { open, pause, onProblem } = options;
  let opening: Promise<L> | undefined;
  let current: L | undefined;
  let isClosed = false;
  const openUntilDone = async (): Promise<L> => {
    for (;;) {
      if (pause.streak > 0) await pause.wait();
      if (isClosed) throw new Error("the publisher of events was stopped");
      try {
        const link = await open();
        if (!isClosed) return (current = link);
        await close(link);
      } catch (error) {
        if (error instanceof TakenOver) throw error;
        pause.fail();
        onProblem(error);
      }
    }
  };
  return {
    get: async () => {
      if (isClosed) throw new Error("the publisher of events was stopped");
      return await (opening ??= openUntilDone());
    },
    fail: (link, error) => {
      if (link !== current || isClosed) return;
      current = opening = undefined;
      void close(link);
      pause.fail();
      onProblem(error);
    },
    succeed: () => {
      if (pause.streak === 0) return;
      pause.reset();
      onProblem(undefined);
    },
    close: async () => {
      isClosed = true;
      pause.cut();
      if (current !== undefined) await close(current);
    },
  };
}

/** A link that cannot be closed is closed already. */
async function close(link: { close(): Promise<void> }): Promise<void> {
  await link.close().catch(() => {});
}
