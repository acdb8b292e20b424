// What the target refuses: the error names the object and says what the server said, and no value.
import { expect, it } from "@jest/globals";
import {
  annotations,
  kubeResources,
  type DeployItemStatus,
  type ResourceType,
  type UnstructuredObject,
} from "@landscaper/api";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const sentinel = "sentinel-value";

const bench = useManifestBench("refused");

async function firstError(manifest: UnstructuredObject, config: object = {}): Promise<DeployItemStatus["lastError"]> {
  await bench.scope.create({ name: "item", spec: specOf([manifest], { ...config }) });
  const { status } = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  expect(JSON.stringify(status)).not.toContain(sentinel);
  return status?.lastError;
}

const strategies = ["update", "patch", "mergeOverwrite", "apply"];

it.each(strategies)("a change of what cannot be changed, by %s", async (updateStrategy) => {
  const verb = { update: "update", patch: "patch", mergeOverwrite: "update" }[updateStrategy] ?? "apply";
  const immutable = { ...configMap(`${bench.n}/a`, { x: "1" }), immutable: true };
  await bench.fixture.targetClient.create(kubeResources.configMap, immutable, { fieldManager: "somebody" });
  const manifest = { ...configMap(`${bench.n}/a`, { x: sentinel }), immutable: true };
  expect(await firstError(manifest, { updateStrategy, serverSideApply: { force: true } })).toMatchObject({
    reason: "TargetRefused",
    message: expect.stringContaining(
      `${verb} ConfigMap ${bench.n}/a: ConfigMap "a" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`,
    ),
  });
});

it.each(strategies)("a value that breaks a rule, by %s", async (updateStrategy) => {
  const manifest = configMap(`${bench.n}/a`, { "not a key": sentinel });
  expect(await firstError(manifest, { updateStrategy })).toMatchObject({
    reason: "TargetRefused",
    message: expect.stringMatching(/^(create|apply) ConfigMap refused-\d+\/a: ConfigMap "a" is invalid: data\[/),
  });
});

it.each(strategies)("a value that is not secret is named, by %s", async (updateStrategy) => {
  const labels = { plain: "plain value!" };
  const manifest = configMap(`${bench.n}/a`, { x: sentinel });
  const labelled = { ...manifest, metadata: { ...manifest.metadata, labels } };
  const known = { [annotations.sensitiveConfig]: '["/manifests/0/manifest/data/x"]' };
  await bench.scope.create({ name: "item", spec: specOf([labelled], { updateStrategy }), annotations: known });
  const { status } = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  expect(status?.lastError?.message).toContain('metadata.labels: Invalid value: "plain value!": a valid label must be');
  await bench.scope.create({ name: "other", spec: specOf([labelled], { updateStrategy }) });
  const { status: other } = await bench.scope.waitFor("other", ({ lastError }) => lastError !== undefined);
  expect(other?.lastError?.message).toContain("metadata.labels: Invalid value: [...]: a valid label must be");
});

it.each(strategies)("a value that derives from a secret is not named, by %s", async (updateStrategy) => {
  const manifest = configMap(`${bench.n}/a`);
  const labelled = { ...manifest, metadata: { ...manifest.metadata, labels: { secret: `${sentinel}!` } } };
  const known = { [annotations.sensitiveConfig]: '["/manifests/0/manifest/metadata/labels/secret"]' };
  await bench.scope.create({ name: "item", spec: specOf([labelled], { updateStrategy }), annotations: known });
  const { status } = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  expect(status?.lastError?.message).toContain("metadata.labels: Invalid value: [...]: a valid label must be");
  expect(JSON.stringify(status)).not.toContain(sentinel);
});

it.each(strategies)("a verb that is forbidden, by %s", async (updateStrategy) => {
  bench.fixture.target.setFault(({ method, resource }) =>
    resource === "configmaps" && method !== "GET" ? { status: 403 } : undefined,
  );
  const error = await firstError(configMap(`${bench.n}/a`, { x: sentinel }), { updateStrategy });
  expect(error).toMatchObject({
    reason: "TargetForbidden",
    message: expect.stringContaining(` ConfigMap ${bench.n}/a: `),
  });
});

it("an object that a policy of the target denies", async () => {
  const group = "admissionregistration.k8s.io";
  const typeOf = (kind: string, plural: string): ResourceType => ({
    group,
    version: "v1",
    kind,
    plural,
    namespaced: false,
  });
  const policy = {
    apiVersion: `${group}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "no-denied" },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "object.metadata.name != 'denied'", message: "this name is denied" }],
    },
  };
  const binding = {
    apiVersion: `${group}/v1`,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "no-denied" },
    spec: { policyName: "no-denied", validationActions: ["Deny"] },
  };
  await bench.fixture.targetClient.create(typeOf("ValidatingAdmissionPolicy", "validatingadmissionpolicies"), policy);
  await bench.fixture.targetClient.create(
    typeOf("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
    binding,
  );
  expect(await firstError(configMap(`${bench.n}/denied`, { x: sentinel }))).toMatchObject({
    reason: "TargetRefused",
    message: expect.stringMatching(
      /^create ConfigMap refused-\d+\/denied: .*'no-denied'.* denied request: this name is denied$/,
    ),
  });
});

it("a kind that the target does not know", async () => {
  const manifest = {
    apiVersion: "example.org/v1",
    kind: "Unknown",
    metadata: { name: "a", namespace: bench.n },
    spec: sentinel,
  };
  expect(await firstError(manifest)).toMatchObject({
    reason: "TargetKindUnknown",
    message: expect.stringContaining(
      `Unknown ${bench.n}/a: the target cluster serves no kind Unknown in example.org/v1`,
    ),
  });
});
