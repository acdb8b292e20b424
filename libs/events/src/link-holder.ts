import type { JetStreamLink } from "./jet-stream.ts";

/** One connection, opened when asked for and again when it broke. */
export interface LinkHolder {
  readonly isConnected: boolean;
  get(): Promise<JetStreamLink>;
  /** The next `get` opens a new one. */
  drop(): Promise<void>;
  /** Drops it, and closes one that is just being opened when that is done. */
  close(): Promise<void>;
}

export function createLinkHolder(open: () => Promise<JetStreamLink>): LinkHolder {
  let link: JetStreamLink | undefined;
  let isClosed = false;
  const drop = async (): Promise<void> => {
    const old = link;
    link = undefined;
    await old?.close().catch(() => {});
  };
  return {
    get isConnected() {
      return link?.isOpen === true;
    },
    get: async () => {
      if (link?.isOpen === true) return link;
      const opened = await open();
      link = opened;
      if (isClosed) {
        await drop();
        throw new Error("the publisher was stopped");
      }
      return opened;
    },
    drop,
    close: () => {
      isClosed = true;
      return drop();
    },
  };
}
