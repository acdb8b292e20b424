import { describe, expect, it } from "@jest/globals";
import { apiVersion, type Context } from "@landscaper/api";
import { installationOf } from "../../../test/installations.ts";
import type { SignaturePolicy } from "./check-verification.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

const root = installationOf({ name: "root" });
const nested = installationOf({ name: "sub", parent: "root" });
const plain: Context = { apiVersion, kind: "Context", metadata: { name: "plain", namespace: "ns" } };
const signed = installationOf({ name: "root", spec: { verification: { signatureName: "s" } } });

const context: Context = {
  apiVersion,
  kind: "Context",
  metadata: { name: "mine", namespace: "ns" },
  configurations: { other: true },
};
const warning =
  'Context "mine": field "configurations.other" has no effect: only "helmChartRepoCredentials" is read, and what has a domain in its name by deployers that know it';

describe("the warnings of the settings of an Installation", () => {
  it.each<readonly [string, object, readonly string[]]>([
    ["are those of the Context of a root", {}, [warning]],
    ["are none for a subinstallation, whose root has them", { installation: nested }, []],
    [
      "say that a signature is not verified where the operator has disabled that",
      { installation: signed, policy: "Disabled", context: plain },
      ["spec.verification has no effect: signatureVerificationEnforcementPolicy of landscaper-core is Disabled"],
    ],
    ["are none for a signature that is verified", { installation: signed, context: plain }, []],
  ])("%s", (...[, given, expected]) => {
    const {
      installation,
      context: own,
      policy,
    } = {
      installation: root,
      context,
      policy: "DoNotEnforce" as SignaturePolicy,
      ...given,
    };
    const core = { signaturePolicy: policy };
    expect(warnOfSettings(core, installation, own)).toEqual(
      expected.map((message) => ({ reason: "WithoutEffect", message })),
    );
  });
});
