import type { RepositoryContext } from "@landscaper/ocm";

/** A repository that components are looked for in, by their names (docs/reference/components.md#ocm-configuration). */
export interface Resolver {
  readonly repository: RepositoryContext;
  /** A component name, or the beginning of one up to a slash; "" for all. */
  readonly prefix: string;
  readonly priority: number;
}

/** The repositories for a component: higher priorities first, then longer prefixes, then the order of the list. */
export function repositoriesFor(name: string, resolvers: readonly Resolver[]): readonly RepositoryContext[] {
  return resolvers
    .filter(({ prefix }) => prefix === "" || name === prefix || name.startsWith(`${prefix}/`))
    .toSorted((a, b) => b.priority - a.priority || b.prefix.length - a.prefix.length)
    .map(({ repository }) => repository);
}
