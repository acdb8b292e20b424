import { describe, expect, it } from "@jest/globals";
import { labels, type Installation } from "@landscaper/api";
import { checkVerification, type SignaturePolicy } from "./check-verification.ts";

const componentDescriptor = { ref: { componentName: "example.com/app", version: "1.0.0" } };
const verification = { signatureName: "release" };

const installation = (spec: Partial<Installation["spec"]>): Installation => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Installation",
  metadata: { name: "root", namespace: "ns" },
  spec: { blueprint: { inline: { filesystem: {} } }, ...spec },
});

describe("the signature that an Installation demands", () => {
  it.each<readonly [SignaturePolicy, string | undefined]>([
    ["DoNotEnforce", "release"],
    ["Enforce", "release"],
    ["Disabled", undefined],
  ])("with the policy %s is %s", (policy, expected) => {
    expect(checkVerification(installation({ componentDescriptor, verification }), policy)).toBe(expected);
  });

  it.each<readonly [string, SignaturePolicy, Partial<Installation["spec"]>, string | undefined]>([
    ["none without verification", "DoNotEnforce", { componentDescriptor }, undefined],
    [
      "an error without verification under Enforce",
      "Enforce",
      { componentDescriptor },
      "spec.verification: expected the name of a signature, because signatureVerificationEnforcementPolicy of landscaper-core is Enforce",
    ],
    [
      "an error without a component",
      "DoNotEnforce",
      { verification },
      "spec.verification: there is nothing to verify, because the Installation has no spec.componentDescriptor",
    ],
    [
      "an error without a name",
      "DoNotEnforce",
      { componentDescriptor, verification: { signatureName: "" } },
      "spec.verification.signatureName: expected the name of a signature, found an empty text",
    ],
  ])("is %s", (...[, policy, spec, message]) => {
    const check = (): string | undefined => checkVerification(installation(spec), policy);
    if (message === undefined) expect(check()).toBeUndefined();
    else expect(check).toThrow(expect.objectContaining({ message, reason: "VerificationRequired", retry: "never" }));
  });

  it("is that of the root alone", () => {
    const nested = installation({ componentDescriptor });
    const ownerReferences = [
      { apiVersion: nested.apiVersion, kind: "Installation", name: "parent", uid: "u", controller: true },
    ];
    const metadata = { ...nested.metadata, labels: { [labels.encompassedBy]: "parent" }, ownerReferences };
    expect(checkVerification({ ...nested, metadata }, "Enforce")).toBeUndefined();
  });
});
