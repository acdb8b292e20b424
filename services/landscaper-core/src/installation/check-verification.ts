import { LandscaperError, type Installation, type LandscaperConfiguration } from "@landscaper/api";

export type SignaturePolicy = LandscaperConfiguration["signatureVerificationEnforcementPolicy"];

/** Signatures cannot be verified: what demands it is refused, unless the operator has said that nobody can demand it. Throws LandscaperError. */
export function checkVerification({ spec }: Installation, policy: SignaturePolicy): void {
  if (spec.verification === undefined || policy === "Disabled") return;
  throw new LandscaperError({
    message: "spec.verification: signatures of components cannot be verified yet",
    reason: "VerificationNotSupported",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    hint: "remove spec.verification, or set signatureVerificationEnforcementPolicy: Disabled in the configuration of landscaper-core",
  });
}
