import { createSpiff, SpiffError } from "@landscaper/spiff";
import { UsageError } from "../../usage-error.ts";
import { booleanKeys } from "./read-settings.ts";

type Spiff = ReturnType<typeof createSpiff>;

/** Merges a spiff template with the features that `ocm` switches on. Throws UsageError that names the template. */
export function mergeSpiff(request: Parameters<Spiff["merge"]>[0]): ReturnType<Spiff["merge"]> {
  try {
    return createSpiff({ features: ["interpolation", "control"] }).merge(request);
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const hint = /map key must be a string: (?:true|false)\b/.test(error.message) ? `. ${booleanKeys}` : "";
    throw new UsageError(`${request.template.name}: ${error.message}${hint}`);
  }
}
