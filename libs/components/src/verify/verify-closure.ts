import { componentText, hasNoContent, type TrustedKeys } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import type { Closure } from "../supply/closure.ts";
import { SuppliesLacking } from "../supply/supplies.ts";
import { findSignature, verifyGraph } from "./verify-component.ts";

/** The signature that is wanted, and what it is trusted by. Plain data. */
export interface WantedSignature {
  readonly signatureName: string;
  readonly keys: TrustedKeys;
}

/**
 * The closure, when the signature of its root covers it: all descriptors and all content, as they are going to be used (docs/reference/components.md#signatures). Pure. Throws
 * SuppliesLacking with everything that is to be hashed, and LandscaperError for what does not hold or cannot be read.
 */
export async function verifyClosure(closure: Closure, { signatureName, keys }: WantedSignature): Promise<Closure> {
  findSignature(closure.root, signatureName);
  collectHashes(closure);
  await verifyGraph(
    { descriptor: closure.root },
    {
      signatureName,
      keys,
      find: async (component) => {
        const descriptor = closure.lookup(component);
        if (descriptor === undefined) return undefined;
        const [wanted, found] = [componentText(component), componentText(descriptor)];
        if (wanted === found) return { descriptor };
        throw componentError(
          "InvalidComponent",
          `component ${wanted}: it was signed, and overwrites of the Context put ${found} in its place`,
        );
      },
      digestOf: async ({ descriptor: component }, resource) => ({ value: closure.hashOf({ component, resource }) }),
    },
  );
  // Schemas must not come from a repository that nothing was verified of.
  return { ...closure, lookupOriginal: closure.lookup };
}

/** Asks for all hashes at once. */
function collectHashes({ components, hashOf }: Closure): void {
  let lacking: SuppliesLacking | undefined;
  for (const component of components) {
    for (const resource of component.resources) {
      if (hasNoContent(resource.access)) continue;
      try {
        hashOf({ component, resource });
      } catch (error) {
        if (!(error instanceof SuppliesLacking)) throw error;
        lacking = error;
      }
    }
  }
  if (lacking !== undefined) throw lacking;
}
