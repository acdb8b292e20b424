import type { Waiting } from "@landscaper/deployer";
import type { ReleaseWait } from "@landscaper/helm-release";
import { listBriefly, troubleOf } from "@landscaper/manifest-deployer-lib";

/** What a release waits for as the wait of a job, which ends after `leftMs` at the latest. */
export function waitingOf({ waitingFor, hint, awaited, lookAgainAfterMs }: ReleaseWait, leftMs?: number): Waiting {
  const times = [lookAgainAfterMs, leftMs].filter((ms) => ms !== undefined);
  const requeueAfterMs = times.length === 0 ? undefined : Math.min(...times);
  // An empty list would make the runner poll.
  const wakeOn = awaited.length === 0 ? {} : { wakeOn: awaited };
  return { type: "waiting", for: listBriefly(waitingFor), trouble: troubleOf(hint), ...wakeOn, requeueAfterMs };
}
