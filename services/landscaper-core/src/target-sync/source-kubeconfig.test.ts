import { describe, expect, it } from "@jest/globals";
import type { Secret } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { readKubeconfig, replaceKubeconfig, shootOf, soleUserOf } from "./source-kubeconfig.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const secret: Secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "source" },
  data: { kubeconfig: base64("a"), other: base64("b") },
};

describe("the kubeconfig of a source", () => {
  it.each([
    [undefined, "a"],
    ["", "a"],
    ["kubeconfig", "a"],
    ["other", "b"],
  ])("stands in the entry of key %s", (key, expected) => {
    const ref = key === undefined ? { name: "source" } : { name: "source", key };
    expect(readKubeconfig(secret, ref)).toBe(expected);
    expect(readKubeconfig(replaceKubeconfig(secret, ref, "new"), ref)).toBe("new");
    expect(Object.keys(replaceKubeconfig(secret, ref, "new").data ?? {})).toEqual(["kubeconfig", "other"]);
  });

  it("must be there", () => {
    expect(() => readKubeconfig(secret, { name: "source", key: "absent" })).toThrow(
      'spec.secretRef: Secret source has no key "absent"',
    );
  });
});

describe("the user of a kubeconfig, for token rotation", () => {
  const config = (users: unknown) => JSON.stringify({ apiVersion: "v1", users, "current-context": "c" });

  it("gets another token, and nothing else changes", () => {
    const user = soleUserOf(config([{ name: "robot", user: { token: "old", other: 1 } }]));
    expect({ name: user.name, token: user.token }).toEqual({ name: "robot", token: "old" });
    expect(fromYaml(user.withToken("new: 'x'"))).toEqual({
      apiVersion: "v1",
      users: [{ name: "robot", user: { token: "new: 'x'", other: 1 } }],
      "current-context": "c",
    });
  });

  it.each<[text: string, message: string]>([
    [config([]), "token rotation: expected a kubeconfig with one user, found 0"],
    [config([{ name: "a" }, { name: "b" }]), "token rotation: expected a kubeconfig with one user, found 2"],
    [config(undefined), "token rotation: expected a kubeconfig with one user, found 0"],
    [config([{ user: { token: "secret-token" } }]), "token rotation: users[0].name is missing"],
    ["secret: [", "kubeconfig: expected YAML, found a text that cannot be parsed"],
    ["- a", "kubeconfig: expected an object"],
  ])("is refused when it cannot be told: %s", (text, message) => {
    expect(() => soleUserOf(text)).toThrow(new Error(message));
  });
});

describe("the shoot of a kubeconfig", () => {
  it.each<[context: unknown, expected: string | undefined]>([
    ["garden-dev--my-cluster-external", "my-cluster"],
    ["garden-dev--my-cluster-internal", "my-cluster"],
    ["garden-dev--my-cluster", "my-cluster"],
    ["shoot--dev--my-cluster", "my-cluster"],
    ["dev--my-cluster", "my-cluster"],
    ["garden-other--my-cluster-external", undefined],
    ["garden-dev-my-cluster", undefined],
    ["local", undefined],
    [undefined, undefined],
    [5, undefined],
  ])("with the context %s", (context, expected) => {
    expect(shootOf(JSON.stringify({ "current-context": context }), "garden-dev")).toBe(expected);
    expect(shootOf(JSON.stringify({ "current-context": context }), "dev")).toBe(expected);
  });
});
