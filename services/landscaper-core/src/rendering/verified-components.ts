import { LandscaperError } from "@landscaper/api";
import { prerequisiteError } from "@landscaper/blueprint";
import { verifyClosure, type Closure, type WantedSignature } from "@landscaper/components";

/** The component with all that it refers to, when the wanted signature covers it. Throws SuppliesLacking, and LandscaperError with the reason VerifySignature. */
export async function verifiedComponents(
  closure: Closure | undefined,
  wanted: WantedSignature | undefined,
): Promise<Closure | undefined> {
  if (closure === undefined || wanted === undefined) return closure;
  try {
    return await verifyClosure(closure, wanted);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw prerequisiteError(error.message, "VerifySignature", "nothing of it is deployed");
  }
}
