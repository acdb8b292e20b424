import { LandscaperError } from "@landscaper/api";
import { prerequisiteError } from "@landscaper/blueprint";
import { checkPins, parsePins, verifyClosure, type Closure, type WantedSignature } from "@landscaper/components";
import type { ComponentInput, PinInput } from "./render-task.ts";

export interface VerificationOptions {
  readonly wanted: WantedSignature | undefined;
  readonly pins: PinInput;
}

/**
 * The component with all that it refers to, when it is what was rendered before in this job, and when the wanted signature covers it; what an earlier attempt has verified is not verified
 * again (docs/reference/components.md#pins). Throws SuppliesLacking, and LandscaperError with the reasons ComponentChanged and VerifySignature.
 */
export async function verifiedComponents(
  read: Closure | undefined,
  { wanted, pins }: VerificationOptions,
): Promise<Closure | undefined> {
  const parent = parsePins(pins.parent);
  const own = parsePins(pins.own);
  if (pins.mustBeVerified && parent?.isVerified !== true) {
    throw refused("subinstallation: nothing was verified with its root Installation; trigger the root again");
  }
  if (read === undefined) return undefined;
  const byParent = parent === undefined ? read : checkPins(read, parent);
  const closure = own === undefined ? byParent : checkPins(byParent, own);
  if (wanted === undefined || own?.isVerified === true) return closure;
  try {
    return await verifyClosure(closure, wanted);
  } catch (error) {
    throw error instanceof LandscaperError ? refused(error.message) : error;
  }
}

/** What a rendering reads first, for the message that its time or memory is over. */
export function describeSelection(selection: ComponentInput["selection"]): string {
  if (selection === undefined || "inline" in selection.root) return "component descriptor";
  const { name, version } = selection.root;
  return `component ${name}:${version} with all that it refers to`;
}

function refused(message: string): LandscaperError {
  return prerequisiteError(message, "VerifySignature", "nothing of it is deployed");
}
