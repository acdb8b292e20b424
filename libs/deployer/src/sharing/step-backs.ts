import { formatKey, keyOf, type DeployItem } from "@landscaper/api";
import type { EventRecorder, Logger } from "@landscaper/controller-runtime";
import type { Claims } from "./claims.ts";
import { isOfInstance } from "./decide-claim.ts";

/** Tells that this process leaves an item to another instance that works on it, although its own selectors have the item as well. */
export interface StepBacks {
  /** Says it once for each item and holder. A replica of the same instance is no news: replicas share the items. */
  tell(item: DeployItem, holder: string | undefined): void;
  /** The item is gone. */
  forget(item: DeployItem): void;
}

export interface StepBacksOptions {
  readonly claims: Pick<Claims, "holder" | "identity">;
  readonly recorder: EventRecorder;
  readonly log: Logger;
}

/** Reason of the Event. */
export const steppedBack = "SteppedBack";

export function createStepBacks({ claims, recorder, log }: StepBacksOptions): StepBacks {
  const told = new Map<string, string>();
  const uidOf = ({ metadata }: DeployItem): string => metadata.uid ?? "";
  return {
    tell: (item, holder) => {
      if (holder === undefined || isOfInstance(holder, claims.identity) || told.get(uidOf(item)) === holder) return;
      told.set(uidOf(item), holder);
      const message = `deployer ${claims.holder} steps back: ${holder} works on this item, and the target selectors of both select it`;
      log.warn({ deployItem: formatKey(keyOf(item)), holder }, "stepped back: another deployer works on the item");
      recorder.event(item, { type: "Warning", reason: steppedBack, message });
    },
    forget: (item) => void told.delete(uidOf(item)),
  };
}
