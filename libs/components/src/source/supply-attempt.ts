import type { ComponentRequest } from "../supply/component-request.ts";
import { SuppliesLacking, SupplyReader, type Supply } from "../supply/supplies.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentFetcher } from "./component-source.ts";
import { gatherSupplies } from "./gather-supplies.ts";

/** What is done with what has been fetched of components. Throws SuppliesLacking for what is to be fetched. */
export type Attempt<T> = (supplies: SupplyReader) => Promise<T>;

/** Calls `attempt` until it lacks nothing of components any more, and fetches in between. Throws what it throws else, and LandscaperError for what cannot be fetched. */
export async function supplyAttempt<T>(
  attempt: Attempt<T>,
  { fetcher, signal }: CallOptions & { readonly fetcher: ComponentFetcher },
): Promise<T> {
  const supplies = new Map<string, Supply>();
  for (;;) {
    const next = await tryAttempt(attempt, supplies);
    if ("value" in next) return next.value;
    await gatherSupplies(next.lacking, { fetcher, supplies, signal });
  }
}

/** Calls `attempt` once: its value, or what it lacks. */
export async function tryAttempt<T>(
  attempt: Attempt<T>,
  supplies: ReadonlyMap<string, Supply> = new Map(),
): Promise<{ readonly value: T } | { readonly lacking: readonly ComponentRequest[] }> {
  try {
    return { value: await attempt(new SupplyReader([...supplies])) };
  } catch (error) {
    if (error instanceof SuppliesLacking) return { lacking: error.requests };
    throw error;
  }
}
