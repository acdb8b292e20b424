import { describe, expect, it } from "@jest/globals";
import { labels, type KubeObject } from "@landscaper/api";
import { checkPairName, pairName, pairOf } from "./pair.ts";

const object = (name: string, own: Record<string, string>): KubeObject => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name, labels: own },
});
const labelled = { [labels.deployerRegistration]: "a", [labels.deployerEnvironment]: "b" };

describe("the name of a deployer in an Environment", () => {
  it("is that of the registration, then that of the Environment", () => {
    expect(pairName({ registration: "helm", environment: "default" })).toBe("helm-default");
  });

  it.each([
    ["helm", "default", undefined],
    ["a".repeat(29), "b".repeat(28), undefined],
    [
      "a".repeat(29),
      "b".repeat(29),
      `DeployerRegistration ${"a".repeat(29)}, Environment ${"b".repeat(29)}: the name of the Installation, ${"a".repeat(29)}-${"b".repeat(29)}, has 59 characters: expected at most 58`,
    ],
    [
      "a.b",
      "c",
      "DeployerRegistration a.b, Environment c: the name of the Installation, a.b-c, is not a DNS label: expected lower-case letters, digits and -",
    ],
  ])("%s and %s: %s", (registration, environment, message) => {
    expect(checkPairName({ registration, environment })?.message).toBe(message);
  });
});

describe("the deployer that an object belongs to", () => {
  it.each([
    ["both labels and their name", object("a-b", labelled), { registration: "a", environment: "b" }],
    ["both labels and another name", object("a-c", labelled), undefined],
    ["one label", object("a-b", { [labels.deployerEnvironment]: "b" }), undefined],
    ["no labels", object("a-b", {}), undefined],
  ])("is known by %s", (_, given, expected) => {
    expect(pairOf(given)).toEqual(expected);
  });
});
