import { describe, expect, it } from "@jest/globals";
import type { Installation } from "@landscaper/api";
import { checkVerification, type SignaturePolicy } from "./check-verification.ts";

const installation = (spec: Partial<Installation["spec"]>): Installation => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Installation",
  metadata: { name: "root", namespace: "ns" },
  spec: { blueprint: { inline: { filesystem: {} } }, ...spec },
});
const demanding = installation({ verification: { signatureName: "s" } });

describe("an Installation that demands verified signatures", () => {
  it.each<SignaturePolicy>(["DoNotEnforce", "Enforce"])("is refused where the policy is %s", (policy) => {
    expect(() => checkVerification(demanding, policy)).toThrow(
      expect.objectContaining({
        message: "spec.verification: signatures of components cannot be verified yet",
        reason: "VerificationNotSupported",
        retry: "never",
      }),
    );
  });

  it("passes where nobody can demand it, and one that does not demand it always does", () => {
    expect(() => checkVerification(demanding, "Disabled")).not.toThrow();
    expect(() => checkVerification(installation({}), "DoNotEnforce")).not.toThrow();
  });
});
