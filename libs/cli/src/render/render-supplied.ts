import {
  gatherSupplies,
  SuppliesLacking,
  SupplyReader,
  type ComponentRequest,
  type Supply,
} from "@landscaper/components";
import type { RepositoryContext } from "@landscaper/ocm";
import type { CommandContext, CommandInput } from "../command.ts";
import { isFile, withComponents } from "../component/open-component.ts";

/** A registry with a path, or a file or folder, as a repository context. */
export function toRepositoryContext(repository: string): RepositoryContext {
  return isFile(repository)
    ? { type: "CommonTransportFormat", filePath: repository }
    : { type: "OCIRegistry", baseUrl: repository };
}

/** Calls `attempt` until it lacks nothing of components any more. Registries and their credentials are looked at only when it does. */
export async function renderSupplied<T>(
  input: CommandInput,
  context: CommandContext,
  attempt: (supplies: SupplyReader) => Promise<T>,
): Promise<T> {
  const supplies = new Map<string, Supply>();
  const tryOnce = async (): Promise<{ readonly value: T } | { readonly lacking: readonly ComponentRequest[] }> => {
    try {
      return { value: await attempt(new SupplyReader([...supplies])) };
    } catch (error) {
      if (error instanceof SuppliesLacking) return { lacking: error.requests };
      throw error;
    }
  };
  const first = await tryOnce();
  if ("value" in first) return first.value;
  return await withComponents(input, context, async ({ fetcher }) => {
    for (let { lacking } = first; ;) {
      await gatherSupplies(lacking, { fetcher, supplies, signal: context.signal });
      const next = await tryOnce();
      if ("value" in next) return next.value;
      lacking = next.lacking;
    }
  });
}
