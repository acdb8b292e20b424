import { LandscaperError, parentOf, type Installation, type LandscaperConfiguration } from "@landscaper/api";
import { selectRoot } from "@landscaper/blueprint";

export type SignaturePolicy = LandscaperConfiguration["signatureVerificationEnforcementPolicy"];

/**
 * The name of the signature that the component of a root Installation must bear; undefined where nothing is verified. Subinstallations run what was verified with their root. Throws
 * LandscaperError for an Installation that cannot be verified and must be (docs/reference/components.md#verification).
 */
export function checkVerification(installation: Installation, policy: SignaturePolicy): string | undefined {
  if (policy === "Disabled" || parentOf(installation) !== undefined) return undefined;
  const { verification } = installation.spec;
  if (verification === undefined) {
    if (policy !== "Enforce") return undefined;
    throw required(
      "spec.verification: expected the name of a signature, because signatureVerificationEnforcementPolicy of landscaper-core is Enforce",
    );
  }
  if (verification.signatureName === "") {
    throw required("spec.verification.signatureName: expected the name of a signature, found an empty text");
  }
  if (selectRoot(installation) !== undefined) return verification.signatureName;
  throw required(
    "spec.verification: there is nothing to verify, because the Installation has no spec.componentDescriptor",
  );
}

function required(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "VerificationRequired",
    operation: "InitPrerequisites",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
