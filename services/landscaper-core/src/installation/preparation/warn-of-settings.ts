import { parentOf, warnOfContext, type Context, type Installation, type Warning } from "@landscaper/api";
import type { Core } from "../../core.ts";

type Settings = Pick<Core, "signaturePolicy">;

/** What the Context of an Installation and its own spec say that has no effect under these settings of the core. */
export function warnOfSettings(core: Settings, installation: Installation, context: Context): readonly Warning[] {
  return [
    ...warnOfVerification(core, installation),
    // The Context is that of the whole tree.
    ...(parentOf(installation) === undefined ? warnOfContext(context) : []),
  ];
}

/** Other policies verify it. */
function warnOfVerification({ signaturePolicy }: Settings, { spec }: Installation): readonly Warning[] {
  if (spec.verification === undefined || signaturePolicy !== "Disabled") return [];
  const message =
    "spec.verification has no effect: signatureVerificationEnforcementPolicy of landscaper-core is Disabled";
  return [{ reason: "WithoutEffect", message }];
}
