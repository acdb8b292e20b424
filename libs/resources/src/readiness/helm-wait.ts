import type { UnstructuredObject, WaitStrategy } from "@landscaper/api";
import { checkAsLegacy } from "./helm-legacy.ts";
import { checkAsWatcher } from "./helm-watcher.ts";
import type { KStatus } from "./kstatus-result.ts";

/** What `helm --wait` waits for. */
export interface HelmWait {
  readonly strategy: Exclude<WaitStrategy, "hookOnly">;
  /** As `--wait-for-jobs`. */
  readonly waitForJobs: boolean;
}

/** Returns where an object is on its way, as Helm sees it. Pure. */
export function checkForHelm(object: UnstructuredObject, { strategy, waitForJobs }: HelmWait): KStatus {
  return strategy === "watcher" ? checkAsWatcher(object, waitForJobs) : checkAsLegacy(object, waitForJobs);
}
