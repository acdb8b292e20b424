import {
  gatherSupplies,
  SuppliesLacking,
  SupplyReader,
  type ComponentRequest,
  type Supply,
} from "@landscaper/components";
import type { RepositoryContext } from "@landscaper/ocm";
import type { CommandContext, CommandInput } from "../command.ts";
import { isFile, withComponents, type Components } from "../component/open-component.ts";

/** A registry with a path, or a file or folder, as a repository context. */
export function toRepositoryContext(repository: string): RepositoryContext {
  return isFile(repository)
    ? { type: "CommonTransportFormat", filePath: repository }
    : { type: "OCIRegistry", baseUrl: repository };
}

/** Calls `attempt` until it lacks nothing of components any more. Registries and their credentials are looked at only when it does. */
export async function renderSupplied<T>(input: CommandInput, context: CommandContext, attempt: Attempt<T>): Promise<T> {
  const first = await tryOnce(attempt, new Map());
  if ("value" in first) return first.value;
  return await withComponents(
    input,
    context,
    async (components) => await supplyWith(components, context.signal, attempt),
  );
}

/** What is done with what has been fetched of components. Throws SuppliesLacking for what is to be fetched. */
export type Attempt<T> = (supplies: SupplyReader) => Promise<T>;

/** Calls `attempt` until it lacks nothing of components any more. */
export async function supplyWith<T>({ fetcher }: Components, signal: AbortSignal, attempt: Attempt<T>): Promise<T> {
  const supplies = new Map<string, Supply>();
  for (;;) {
    const next = await tryOnce(attempt, supplies);
    if ("value" in next) return next.value;
    await gatherSupplies(next.lacking, { fetcher, supplies, signal });
  }
}

async function tryOnce<T>(
  attempt: Attempt<T>,
  supplies: ReadonlyMap<string, Supply>,
): Promise<{ readonly value: T } | { readonly lacking: readonly ComponentRequest[] }> {
  try {
    return { value: await attempt(new SupplyReader([...supplies])) };
  } catch (error) {
    if (error instanceof SuppliesLacking) return { lacking: error.requests };
    throw error;
  }
}
