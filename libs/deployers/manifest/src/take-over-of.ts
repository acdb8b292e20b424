import { annotations, type DeployItem } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import type { DeployContext, PreviewContext } from "@landscaper/deployer";
import type { ItemIdentity, OwnerState, TakeOver } from "@landscaper/resources";
import { listBriefly } from "./list-briefly.ts";

type Asking = Pick<PreviewContext<unknown>, "item" | "findItem">;

/** How an item takes over what others have left. */
export function takeOverOf({ item, findItem }: Asking, onTaken: TakeOver["onTaken"] = () => {}): TakeOver {
  return {
    from: item.metadata.annotations?.[annotations.takeOverFrom],
    stateOf: async (owner) => await findState(owner, findItem),
    onTaken,
  };
}

/** Looks each owner up once: for one pass over many objects. */
export function askingOnce(takeOver: TakeOver): TakeOver {
  const states = new Map<string, Promise<OwnerState>>();
  return {
    ...takeOver,
    stateOf: async (owner) => {
      const id = `${owner.namespace}/${owner.name}/${owner.uid}`;
      const state = states.get(id) ?? takeOver.stateOf(owner);
      states.set(id, state);
      return await state;
    },
  };
}

async function findState({ namespace, name, uid }: ItemIdentity, findItem: Asking["findItem"]): Promise<OwnerState> {
  try {
    return stateOf(await findItem({ namespace, name }), uid);
  } catch (error) {
    if (error instanceof ApiError) {
      const why = `the landscaper cluster answers ${error.status}`;
      return { type: "unknown", why, isForbidden: error.status === 403 };
    }
    if (!(error instanceof ConnectionError)) throw error;
    return { type: "unknown", why: "the landscaper cluster does not answer", isForbidden: false };
  }
}

function stateOf(found: DeployItem | undefined, uid: string): OwnerState {
  if (found === undefined || found.metadata.uid !== uid) return { type: "gone" };
  return { type: found.metadata.deletionTimestamp === undefined ? "exists" : "deleting" };
}

/** The event for what was taken over; `objects` and `owner` in words. */
export function takenOver(
  objects: string,
  owner: string | undefined,
): Parameters<DeployContext<unknown>["announce"]>[0] {
  const whose = owner === undefined ? ", which had no owner" : ` from deploy item ${owner}`;
  return { reason: "TakenOver", message: `took over ${objects}${whose}` };
}

/** What one pass has taken over, for one event for each former owner. */
export class TakenObjects {
  readonly #byOwner = new Map<string | undefined, string[]>();

  add(object: string, owner: string | undefined): void {
    const objects = this.#byOwner.get(owner) ?? [];
    objects.push(object);
    this.#byOwner.set(owner, objects);
  }

  announce({ announce }: Pick<DeployContext<unknown>, "announce">): void {
    for (const [owner, objects] of this.#byOwner) {
      announce(takenOver(listBriefly(objects), owner));
    }
  }
}
