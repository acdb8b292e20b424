import { supplyAttempt, tryAttempt, type Attempt } from "@landscaper/components";
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
export async function renderSupplied<T>(input: CommandInput, context: CommandContext, attempt: Attempt<T>): Promise<T> {
  const first = await tryAttempt(attempt);
  if ("value" in first) return first.value;
  const { signal } = context;
  return await withComponents(input, context, async ({ fetcher }) => supplyAttempt(attempt, { fetcher, signal }));
}
