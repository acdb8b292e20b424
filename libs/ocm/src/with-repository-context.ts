import { isDeepStrictEqual } from "node:util";
import type { ComponentDescriptor, RepositoryContext } from "./component-descriptor.ts";

/** The descriptor with the repository that it was read from as its last repository context, which is the effective one. */
export function withRepositoryContext(
  descriptor: ComponentDescriptor,
  context: RepositoryContext,
): ComponentDescriptor {
  if (isDeepStrictEqual(descriptor.repositoryContexts.at(-1), context)) return descriptor;
  const { document, schemaVersion } = descriptor;
  const repositoryContexts = [...descriptor.repositoryContexts, context];
  const component = document["component"];
  const next =
    schemaVersion === "v2" && typeof component === "object"
      ? { ...document, component: { ...component, repositoryContexts } }
      : { ...document, repositoryContexts };
  return { ...descriptor, document: next, repositoryContexts };
}
