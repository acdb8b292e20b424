import { describe, expect, it } from "@jest/globals";
import { parseHelmConfig } from "../parse-helm-config.ts";
import { digestOfText, inputsDigest } from "./plan-release.ts";
import { recordOf } from "../../test/release-records.ts";
import { readHelmStatus } from "../helm-status.ts";
import { planRelease } from "./plan-release.ts";
import { releaseOptions, type RolledOut } from "./release-options.ts";

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
    { updateStrategy: "update", labels: {} },
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
    { labels: { team: "x" } },
  ])("changes with %j", (fields) => {
    expect(inputsDigest("sha256:1", parse({ values: { b: 1, a: 2 }, ...fields }))).not.toBe(plain);
  });
});

const status = readHelmStatus(undefined);
const install: RolledOut = { isUpgrade: false, history: [], status };
const upgradeOf = (...methods: readonly (string | undefined)[]): RolledOut => ({
  isUpgrade: true,
  history: methods.map((method, index) => ({
    ...recordOf(index + 1, "deployed"),
    ...(method === undefined ? {} : { apply_method: method }),
  })),
  status,
});

describe("the apply method of an upgrade", () => {
  it.each<[object, readonly (string | undefined)[], "ssa" | "csa"]>([
    [{}, ["ssa"], "ssa"],
    [{}, ["csa", "ssa"], "ssa"],
    [{}, ["ssa", "csa"], "csa"],
    [{}, ["ssa", undefined], "csa"],
    [{}, ["unknown"], "csa"],
    [{ updateStrategy: "update" }, ["ssa"], "csa"],
    [{ updateStrategy: "patch" }, ["ssa"], "csa"],
    [{ updateStrategy: "apply" }, ["csa"], "ssa"],
  ])("with %j after revisions of %j is %s", (fields, methods, expected) => {
    const { serverSideApply } = releaseOptions({ config: parse(fields), item }, upgradeOf(...methods));
    expect(serverSideApply === undefined ? "csa" : "ssa").toBe(expected);
  });

  it("that is inherited cannot be combined with force, as with Helm", () => {
    const config = parse({ helmDeploymentConfig: { upgrade: { force: true } } });
    expect(releaseOptions({ config, item }, upgradeOf("csa")).force).toBe(true);
    expect(() => releaseOptions({ config, item }, upgradeOf("ssa"))).toThrow(
      expect.objectContaining({
        message:
          "release n/app: expected no helmDeploymentConfig.upgrade.force, because the previous revision used server-side apply, " +
          "which replaces nothing, and the item sets no updateStrategy",
        hint: "set updateStrategy: update, or remove helmDeploymentConfig.upgrade.force",
      }),
    );
  });

  it.each<["ssa" | "csa" | undefined, string | undefined, "unchanged" | "deploy"]>([
    [undefined, "ssa", "unchanged"],
    ["csa", "csa", "unchanged"],
    ["csa", "ssa", "deploy"],
    ["ssa", "csa", "deploy"],
    // Records of older deployers.
    ["csa", undefined, "unchanged"],
    ["ssa", undefined, "unchanged"],
  ])("a strategy that means %s, after a revision of %s with the same inputs: %s", (method, recorded, expected) => {
    const { history } = upgradeOf(recorded);
    const known = { name: "app", namespace: "n", revision: 1, inputs: "i", manifest: digestOfText("of 1") };
    expect(planRelease({ history, status: known, inputs: "i", method }).type).toBe(expected);
  });
});

describe("labels", () => {
  const labelled = (labels: readonly string[], name = "app") =>
    readHelmStatus({ release: { name, namespace: "n", labels } });

  it.each<[object, RolledOut["status"], object | undefined]>([
    [{}, status, undefined],
    [{ labels: { team: "x", gone: "null" } }, status, { team: "x", gone: null }],
    [{ labels: { team: "x" } }, labelled(["team", "env"]), { team: "x", env: null }],
    [{}, labelled(["env"]), { env: null }],
    [{}, labelled(["env"], "other"), undefined],
  ])("of %j are set, and those that the item no longer has are removed", (fields, of, expected) => {
    expect(releaseOptions({ config: parse(fields), item }, { ...install, status: of }).labels).toEqual(expected);
  });

  it.each([
    [
      { owner: "x" },
      "spec.config: labels: expected no label of Helm (name, owner, status, version, createdAt, modifiedAt), found owner",
    ],
    [
      { "bad key": "x" },
      'spec.config: labels: expected names of labels, each at most 63 letters, digits, "-", "_" and ".", with a domain and "/" in front if needed, found "bad key"',
    ],
    [
      { "a/b/c": "x" },
      'spec.config: labels: expected names of labels, each at most 63 letters, digits, "-", "_" and ".", with a domain and "/" in front if needed, found "a/b/c"',
    ],
    [
      { team: "bad value" },
      'spec.config: labels.team: expected at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit, found another text',
    ],
    [
      { team: "x".repeat(64) },
      'spec.config: labels.team: expected at most 63 letters, digits, "-", "_" and ".", beginning and ending with a letter or digit, found another text',
    ],
  ])("%j are refused", (labels, message) => {
    expect(() => parse({ labels })).toThrow(expect.objectContaining({ message }));
  });

  it.each([{ team: "x" }, { "example.org/Team_1": "" }, { a: "x".repeat(63) }])("%j are accepted", (labels) => {
    expect(parse({ labels }).labels).toEqual(labels);
  });

  it("are at most 100", () => {
    const labels = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`l${index}`, "x"]));
    expect(() => parse({ labels })).toThrow("labels");
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
  expect(releaseOptions({ config: parse(fields), item }, install).serverSideApply).toEqual(expected);
});

it.each([
  [{ serverSideApply: { force: true } }, "serverSideApply: needs updateStrategy apply, found none"],
  [
    { updateStrategy: "apply", helmDeploymentConfig: { upgrade: { force: true } } },
    "helmDeploymentConfig.upgrade.force: updateStrategy apply replaces nothing; use serverSideApply.force for fields of others",
  ],
])("%j is refused by name", (fields, message) => {
  expect(() => parse(fields)).toThrow(expect.objectContaining({ message: `spec.config: ${message}` }));
});

it("options of a roll-out are those of its kind, without what only rendering needs", () => {
  const config = parse({
    helmVersion: "3",
    createNamespace: true,
    helmDeploymentConfig: {
      install: { atomic: true, skipSchemaValidation: true, timeout: "1m" },
      upgrade: { wait: true, waitStrategy: "watcher", waitForJobs: true, crdPolicy: "Create" },
    },
  });
  expect([install, upgradeOf("csa")].map((rolledOut) => releaseOptions({ config, item }, rolledOut))).toEqual([
    { atomic: true, wait: false, waitStrategy: "legacy", helmVersion: "3", createNamespace: true, ignore: [] },
    {
      wait: true,
      helmVersion: "3",
      waitStrategy: "watcher",
      waitForJobs: true,
      crdPolicy: "Create",
      createNamespace: true,
      ignore: [],
    },
  ]);
});

it.each([
  ["3", {}, { wait: false, waitStrategy: "legacy" }],
  ["3", { atomic: true }, { wait: false, waitStrategy: "legacy" }],
  ["4", { atomic: true }, { wait: true, waitStrategy: "watcher" }],
  ["4", { atomic: true, waitStrategy: "legacy" }, { wait: true, waitStrategy: "legacy" }],
  ["4", {}, { wait: false, waitStrategy: "watcher" }],
] as const)("as Helm %s, %j waits by %j", (helmVersion, fields, expected) => {
  const config = parse({ helmVersion, helmDeploymentConfig: { install: fields } });
  expect(releaseOptions({ config, item }, install)).toMatchObject(expected);
});
