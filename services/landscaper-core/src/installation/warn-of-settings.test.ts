import { describe, expect, it } from "@jest/globals";
import { apiVersion, type Context } from "@landscaper/api";
import { installationOf } from "../../test/installations.ts";
import type { SignaturePolicy } from "./check-verification.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

const repositoryContext = { type: "ociRegistry", baseUrl: "example.com" };
const root = installationOf({ name: "root" });
const nested = installationOf({ name: "sub", parent: "root" });
const signed = installationOf({ name: "root", spec: { verification: { signatureName: "s" } } });

const contextOf = (name: string): Context => ({
  apiVersion,
  kind: "Context",
  metadata: { name, namespace: "ns" },
  repositoryContext,
});
const warningOf = (name: string) =>
  `Context "${name}": field "repositoryContext" has no effect: component repositories are not supported`;

describe("the warnings of the settings of an Installation", () => {
  it.each<readonly [string, object, readonly string[]]>([
    ["are those of the Context of a root", { context: contextOf("mine") }, [warningOf("mine")]],
    ["are none for a subinstallation, whose root has them", { installation: nested, context: contextOf("mine") }, []],
    ["are none for what the core writes into default Contexts", { context: contextOf("default") }, []],
    [
      "are those of a default Context that somebody else has written",
      { context: contextOf("default"), own: { type: "other" } },
      [warningOf("default")],
    ],
    [
      "are those of a default Context where the core writes nothing",
      { context: contextOf("default"), own: undefined },
      [warningOf("default")],
    ],
    [
      "say that a signature is not verified where the operator has disabled that",
      { installation: signed, policy: "Disabled" },
      ["spec.verification has no effect: signatureVerificationEnforcementPolicy of landscaper-core is Disabled"],
    ],
    ["are none for a signature that is refused", { installation: signed }, []],
  ])("%s", (...[, given, expected]) => {
    const { installation, context, own, policy } = {
      installation: root,
      context: contextOf("default"),
      own: repositoryContext,
      policy: "DoNotEnforce" as SignaturePolicy,
      ...given,
    };
    const core = { signaturePolicy: policy, defaultRepositoryContext: own };
    expect(warnOfSettings(core, installation, context)).toEqual(
      expected.map((message) => ({ reason: "WithoutEffect", message })),
    );
  });
});
