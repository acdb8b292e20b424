import { describe, expect, it } from "@jest/globals";
import { apiVersion, LandscaperError, type Target } from "@landscaper/api";
import { nameFailedTarget, type UsedTarget } from "./name-failed-target.ts";

function used(
  name: string,
  fields: Partial<UsedTarget> & { readonly spec?: Partial<Target["spec"]> } = {},
): UsedTarget {
  const { spec, ...rest } = fields;
  const target: Target = {
    apiVersion,
    kind: "Target",
    metadata: { namespace: "shop", name },
    spec: { type: "t", ...spec },
  };
  return { target, type: "kubeconfig", server: "https://api.example:6443/prefix", ...rest };
}

const unreachable = { message: "get ConfigMap n/a: no answer", reason: "TargetUnreachable", host: "api.example:6443" };
const unauthorized = { message: "get ConfigMap n/a: Unauthorized", reason: "TargetUnauthorized" };

function named(options: ConstructorParameters<typeof LandscaperError>[0], ...targets: readonly UsedTarget[]): unknown {
  const error = nameFailedTarget(new LandscaperError(options), targets);
  if (!(error instanceof LandscaperError)) throw new TypeError("expected a LandscaperError");
  const { message, hint, reason } = error;
  return { message, hint, reason };
}

const inSecret = { secretRef: { name: "access", key: "kubeconfig" } };

describe("the error of a target cluster", () => {
  it("that does not answer names the Target, and where its kubeconfig is", () => {
    expect(named(unreachable, used("prod", { spec: inSecret }))).toEqual({
      message: "Target shop/prod: get ConfigMap n/a: no answer",
      hint: "the access data are in Secret shop/access, key kubeconfig",
      reason: "TargetUnreachable",
    });
  });

  it("that does not answer names only the Target of this server", () => {
    const other = used("other", { server: "https://other.example:6443" });
    expect(named(unreachable, other, used("prod"))).toMatchObject({
      message: "Target shop/prod: get ConfigMap n/a: no answer",
      hint: "the access data are in spec.config of Target shop/prod",
    });
  });

  it.each([
    [
      "a kubeconfig",
      inSecret,
      "renew the token or client certificate of the kubeconfig in Secret shop/access, key kubeconfig",
    ],
    [
      "a whole Secret",
      { secretRef: { name: "access" } },
      "renew the token or client certificate of the kubeconfig in Secret shop/access",
    ],
  ] as const)("that refuses the credentials of %s says where to renew them", (_name, spec, remedy) => {
    expect(named(unauthorized, used("prod", { spec }))).toEqual({
      message: "Target shop/prod: get ConfigMap n/a: Unauthorized",
      hint: `the API server refuses the credentials: ${remedy}`,
      reason: "TargetUnauthorized",
    });
  });

  it.each(["oidc", "self"] as const)("that refuses a token of a Target of type %s names the ServiceAccount", (type) => {
    expect(named(unauthorized, used("prod", { type }))).toMatchObject({
      hint: "the API server refuses the token: check that it trusts tokens of the ServiceAccount in spec.config of Target shop/prod",
    });
  });

  it("names each Target that the request may have gone to", () => {
    expect(named(unauthorized, used("a"), used("b"))).toMatchObject({
      message: "Target shop/a or Target shop/b: get ConfigMap n/a: Unauthorized",
    });
  });

  it("keeps its own hint, codes and retry rule", () => {
    const given = { ...unreachable, hint: "wait", codes: ["ERR_UNAUTHORIZED"], retry: "briefly" } as const;
    expect(nameFailedTarget(new LandscaperError(given), [used("prod")])).toMatchObject({
      hint: "wait; the access data are in spec.config of Target shop/prod",
      codes: ["ERR_UNAUTHORIZED"],
      retry: "briefly",
    });
  });

  it.each([
    ["an error of an object", new LandscaperError({ message: "m", reason: "TargetRefused" }), [used("prod")]],
    ["an error before a Target is used", new LandscaperError(unreachable), []],
    ["another error", new Error("m"), [used("prod")]],
  ])("leaves %s unchanged", (_name, error, targets) => {
    expect(nameFailedTarget(error, targets)).toBe(error);
  });
});
