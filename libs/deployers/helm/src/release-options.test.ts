import { describe, expect, it } from "@jest/globals";
import { parseHelmConfig } from "./parse-helm-config.ts";
import { digestOfText, inputsDigest } from "./plan-release.ts";
import { releaseOptions } from "./release-options.ts";

function parse(fields: object) {
  return parseHelmConfig(
    {
      apiVersion: "helm.deployer.landscaper.gardener.cloud/v1alpha1",
      kind: "ProviderConfiguration",
      name: "app",
      namespace: "n",
      chart: { ref: "host/chart:1.0.0" },
      ...fields,
    },
    "spec.config",
  );
}

describe("the digest of what makes a new revision", () => {
  const plain = inputsDigest("sha256:1", parse({ values: { b: 1, a: 2 } }));

  it("is that of older deployers where nothing newer is used", () => {
    expect(plain).toBe(digestOfText('["sha256:1","app","n",[["a",2],["b",1]]]'));
  });

  it.each([
    { values: { a: 2, b: 1 } },
    { exports: { exports: [{ key: "a", jsonPath: ".Values.a" }] } },
    { helmDeploymentConfig: { install: { crdPolicy: "CreateReplace" }, upgrade: { crdPolicy: "Skip", atomic: true } } },
  ])("stays with %j", (fields) => {
    expect(inputsDigest("sha256:1", parse({ values: { b: 1, a: 2 }, ...fields }))).toBe(plain);
  });

  it.each([
    { values: { b: 1, a: 3 } },
    { name: "other" },
    { namespace: "other" },
    { postRender: { commonLabels: { a: "b" } } },
    { helmDeploymentConfig: { upgrade: { crdPolicy: "Create" } } },
  ])("changes with %j", (fields) => {
    expect(inputsDigest("sha256:1", parse({ values: { b: 1, a: 2 }, ...fields }))).not.toBe(plain);
  });
});

it("options of a roll-out are those of its kind, without what only rendering needs", () => {
  const config = parse({
    createNamespace: true,
    helmDeploymentConfig: {
      install: { atomic: true, skipSchemaValidation: true, timeout: "1m" },
      upgrade: { wait: true, crdPolicy: "Create" },
    },
  });
  expect([false, true].map((isUpgrade) => releaseOptions(config, { isUpgrade }))).toEqual([
    { atomic: true, createNamespace: true },
    { wait: true, crdPolicy: "Create", createNamespace: true },
  ]);
});
