import type { KubeObject, ResourceType } from "@landscaper/api";
import { apiVersionOf, kubeResources, resources } from "@landscaper/api";

const known: readonly ResourceType[] = [...Object.values(resources), ...Object.values(kubeResources)];

/** Where an object of a manifest lives; only kinds that the suites use. */
export function resourceTypeOf({ apiVersion, kind }: Pick<KubeObject, "apiVersion" | "kind">): ResourceType {
  const found = known.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
  if (found === undefined) throw new Error(`the suites know no ${kind} of ${apiVersion}; add it to the api package`);
  return found;
}
