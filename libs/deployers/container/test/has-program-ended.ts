import type { Pod } from "@landscaper/api";
import { observePod } from "../src/deployer/pod/pod-state.ts";
import { endOf } from "../src/deployer/pod/program-end.ts";

/** Returns true if the deployer takes the program of a Pod for ended, which may be seconds before the phase of the Pod shows it. */
export function hasProgramEnded(pod: Pod): boolean {
  return endOf(observePod(pod)).type !== "open";
}
