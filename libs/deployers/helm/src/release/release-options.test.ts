import { describe, expect, it } from "@jest/globals";
import { parseHelmConfig } from "../parse-helm-config.ts";
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

const item = {
  apiVersion: "v1",
  kind: "DeployItem",
  metadata: { namespace: "hub", name: "item" },
  spec: { type: "helm" },
};

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
    { updateStrategy: "apply" },
    { helmDeploymentConfig: { upgrade: { crdPolicy: "Create" } } },
  ])("changes with %j", (fields) => {
    expect(inputsDigest("sha256:1", parse({ values: { b: 1, a: 2 }, ...fields }))).not.toBe(plain);
  });
});

it.each<[object, object | undefined]>([
  [{}, undefined],
  [{ updateStrategy: "patch" }, undefined],
  [{ updateStrategy: "apply" }, { former: ["helm.deployer.landscaper.gardener.cloud", "landscaper/hub/item"] }],
  [
    { updateStrategy: "apply", serverSideApply: { force: true, takeOver: ["argocd"] } },
    { force: true, former: ["helm.deployer.landscaper.gardener.cloud", "landscaper/hub/item", "argocd"] },
  ],
])("%j: server-side apply %j", (fields, expected) => {
  expect(releaseOptions({ config: parse(fields), item }, { isUpgrade: false }).serverSideApply).toEqual(expected);
});

it.each([
  [{ serverSideApply: { force: true } }, "serverSideApply: needs updateStrategy apply, found update"],
  [
    { updateStrategy: "apply", helmDeploymentConfig: { upgrade: { force: true } } },
    "helmDeploymentConfig.upgrade.force: updateStrategy apply replaces nothing; use serverSideApply.force for fields of others",
  ],
])("%j is refused by name", (fields, message) => {
  expect(() => parse(fields)).toThrow(expect.objectContaining({ message: `spec.config: ${message}` }));
});

it("options of a roll-out are those of its kind, without what only rendering needs", () => {
  const config = parse({
    createNamespace: true,
    helmDeploymentConfig: {
      install: { atomic: true, skipSchemaValidation: true, timeout: "1m" },
      upgrade: { wait: true, crdPolicy: "Create" },
    },
  });
  expect([false, true].map((isUpgrade) => releaseOptions({ config, item }, { isUpgrade }))).toEqual([
    { atomic: true, createNamespace: true, ignore: [] },
    { wait: true, crdPolicy: "Create", createNamespace: true, ignore: [] },
  ]);
});
