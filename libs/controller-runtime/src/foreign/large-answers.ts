import { FairShares } from "../controller/fair-shares.ts";
import { createDeferred } from "../deferred.ts";
import { raceAbort } from "../race-abort.ts";

/** Bounds the answers of foreign servers that are held in memory at a time; small ones are not counted. */
export interface LargeAnswers {
  /** Waits until the server may send more. The result gives the place back. */
  enter(server: string, signal: AbortSignal | undefined): Promise<() => void>;
}

export interface LargeAnswersLimits {
  readonly total: number;
  readonly perServer: number;
}

export function createLargeAnswers({ total, perServer }: LargeAnswersLimits): LargeAnswers {
  const granted = new Map<string, () => void>();
  const shares = new FairShares({
    limits: { total, perServer, perNamespace: perServer },
    onGranted: (key) => granted.get(key)?.(),
  });
  let count = 0;
  return {
    async enter(server, signal) {
      const key = String(count++);
      const leave = (): void => {
        granted.delete(key);
        shares.leave(key);
      };
      if (shares.enter(key, { namespace: server, server })) return leave;
      const turn = createDeferred<void>();
      granted.set(key, () => turn.resolve());
      try {
        await (signal === undefined ? turn.promise : raceAbort(turn.promise, signal));
        return leave;
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
