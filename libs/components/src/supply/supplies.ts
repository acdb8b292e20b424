import type { RepositoryContext } from "@landscaper/ocm";
import { keyOfRequest, type ComponentRequest } from "./component-request.ts";

/** What was fetched for a request; its digest has been checked. Plain data: it goes from the main thread to a thread. */
export interface Supply {
  /** Empty when only the hash of the content was asked for. */
  readonly bytes: Uint8Array;
  /** sha256 of `bytes`; of a digest request, the hash in hex. */
  readonly digest: string;
  /** Of content; "" where nothing says it. */
  readonly mediaType: string;
  /** Where it came from, without credentials. */
  readonly where: string;
  /** Of a descriptor: the repository that it was found in. */
  readonly context?: RepositoryContext | undefined;
}

/** What has been fetched, by the keys of its requests. */
export type Supplies = readonly (readonly [key: string, supply: Supply])[];

/** Thrown by what reads components and lacks something: fetch it, then begin anew with more supplies. No error of anybody. */
export class SuppliesLacking extends Error {
  override readonly name = "SuppliesLacking";
  readonly requests: readonly ComponentRequest[];

  constructor(requests: readonly ComponentRequest[]) {
    super(`${requests.length} requests of components are open`);
    this.requests = requests;
  }
}

/** Gives what has been fetched, and keeps in mind what has not. */
export class SupplyReader {
  readonly #supplies: ReadonlyMap<string, Supply>;
  readonly #lacking = new Map<string, ComponentRequest>();

  constructor(supplies: Supplies) {
    this.#supplies = new Map(supplies);
  }

  /** Throws SuppliesLacking with everything that was asked for in vain so far. */
  get(request: ComponentRequest): Supply {
    const key = keyOfRequest(request);
    const found = this.#supplies.get(key);
    if (found !== undefined) return found;
    this.#lacking.set(key, request);
    throw new SuppliesLacking([...this.#lacking.values()]);
  }

  /** What was asked for in vain. */
  get lacking(): readonly ComponentRequest[] {
    return [...this.#lacking.values()];
  }
}
