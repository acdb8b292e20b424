import type { WaitTrouble } from "@landscaper/deployer";

/** Returns the trouble of objects that are not ready, if it is known what users can do about it. */
export function troubleOf(hint: string | undefined): WaitTrouble | undefined {
  return hint === undefined ? undefined : { reason: "ResourceNotReady", hint };
}
