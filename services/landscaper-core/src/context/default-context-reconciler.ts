import { apiVersion, defaultContextName, resources, type Context, type Namespace } from "@landscaper/api";
import { isAlreadyExists, type Client, type Lister, type Reconcile } from "@landscaper/controller-runtime";
import { isSameJson } from "../is-same-json.ts";
import { isDeleting } from "../object-reading.ts";

export interface DefaultContextSettings {
  readonly isEnabled: boolean;
  readonly excludedNamespaces: readonly string[];
  /** Written into every default Context; undefined leaves what is there (core.md §4.60). */
  readonly repositoryContext?: Readonly<Record<string, unknown>> | undefined;
}

/** Whether a namespace gets a default Context. */
export function makesDefaultContext(settings: DefaultContextSettings, namespace: string): boolean {
  return settings.isEnabled && !settings.excludedNamespaces.includes(namespace);
}

/** The Context to write; undefined when there is nothing to do. Fields that users have added stay. */
export function planDefaultContext(
  settings: DefaultContextSettings,
  namespace: string,
  existing: Context | undefined,
): Context | undefined {
  const { repositoryContext } = settings;
  const repository = repositoryContext === undefined ? {} : { repositoryContext: { ...repositoryContext } };
  if (existing === undefined) {
    return { apiVersion, kind: "Context", metadata: { name: defaultContextName, namespace }, ...repository };
  }
  const isCurrent = repositoryContext === undefined || isSameJson(existing.repositoryContext, repositoryContext);
  return isCurrent ? undefined : { ...existing, ...repository };
}

export interface DefaultContextOptions {
  readonly client: Client;
  readonly namespaces: Lister<Namespace>;
  readonly contexts: Lister<Context>;
  readonly settings: DefaultContextSettings;
}

/** Keeps a Context named "default" in every namespace that is not excluded (core.md §1.4 no. 81). Keys are namespaces. */
export function createDefaultContextReconciler(options: DefaultContextOptions): Reconcile {
  const { client, namespaces, contexts, settings } = options;
  return async ({ name: namespace }, signal) => {
    const object = namespaces.get({ name: namespace });
    if (object === undefined || isDeleting(object) || !makesDefaultContext(settings, namespace)) return undefined;
    const existing = contexts.get({ namespace, name: defaultContextName });
    const wanted = planDefaultContext(settings, namespace, existing);
    if (wanted === undefined) return undefined;
    if (existing !== undefined) {
      await client.update(resources.context, wanted, { signal });
      return undefined;
    }
    try {
      await client.create(resources.context, wanted, { signal });
    } catch (error) {
      // It is there already, but not in the cache yet: its event wakes this key again.
      if (!isAlreadyExists(error)) throw error;
    }
    return undefined;
  };
}
