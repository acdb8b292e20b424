// What users get wrong and what the target refuses (issue "Bad input", deployers.md §4 items 32, 38): the error names the object and says what
// the server said, and no value; a corrected configuration works.
import { describe, expect, it } from "@jest/globals";
import type { DeployItemStatus, ResourceType, UnstructuredObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { type Client, isNotFound } from "@landscaper/controller-runtime";
import { waitFor, createKubeconfig } from "@landscaper/testkit";
import { listInventory } from "@landscaper/deployer/testing";
import type { ItemScope } from "../src/items/item-scope.ts";
import { itemConfig } from "../src/items/item-scope.ts";
import { useManifestDeployer } from "../src/items/item-suite.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { requestToken } from "../src/clusters/service-token.ts";

const sentinel = "sentinel-value";
const strategies = ["update", "patch", "mergeOverwrite", "apply"];
const rbac = "rbac.authorization.k8s.io";
const rbacType = (kind: string, plural: string): ResourceType => {
  return { group: rbac, version: "v1", kind, plural, namespaced: true };
};

describe.each(clustersUnderTest())("refusals on %s", (cluster) => {
  const suite = useManifestDeployer({ cluster });

  it("configurations that cannot be read fail at once, by field, and nothing is done", async () => {
    const scope = await suite.open("config");
    const check = (requirement: object) => ({
      readinessChecks: { custom: [{ name: "c", resourceSelector: [], requirements: [requirement] }] },
    });
    const good = scope.configMap("never");
    const cases: readonly (readonly [manifests: readonly object[], config: object, field: string])[] = [
      [[], { apiVersion: "manifest.deployer.landscaper.gardener.cloud/v7" }, "apiVersion"],
      [[], { kind: "Other" }, "kind"],
      [[{ apiVersion: "v1", metadata: { name: "x" } }], {}, "manifests[0].manifest"],
      [[{ policy: "manage", manifest: sentinel }], {}, "manifests[0].manifest"],
      [[{ policy: "own", manifest: good }], {}, "manifests[0].policy"],
      [[good], { updateStrategy: "replace" }, "updateStrategy"],
      [[good], { exports: { exports: [{ key: "k", jsonPath: ".data[" }] } }, "exports.exports[0].jsonPath"],
      [[good], check({ jsonPath: ".x", operator: "~" }), "requirements[0].operator"],
      [[good], check({ jsonPath: ".x", operator: "==" }), "requirements[0].values"],
      [[good], check({ jsonPath: "{.x", operator: "exists" }), "requirements[0].jsonPath"],
      [[good], { deletionGroups: [{ predefinedResourceGroup: { type: "all" } }] }, "deletionGroups[0]"],
      [[good], { continuousReconcile: { cron: "x" } }, "continuousReconcile.cron"],
      [[good], { continuousReconcile: { cron: "* * * * *", every: "1m" } }, "continuousReconcile"],
    ];
    const ends = await Promise.all(
      cases.map(async ([manifests, config, field], index) => {
        const { status } = await scope.deploy(`item-${index}`, manifests, { config });
        const message = status?.lastError?.message ?? "";
        expect({ field, message }).toEqual({ field, message: expect.stringContaining(field) });
        expect(message).not.toContain(sentinel);
        return [status?.phase, status?.lastError?.codes, status?.providerStatus];
      }),
    );
    expect(ends).toEqual(cases.map(() => ["Failed", ["ERR_CONFIGURATION_PROBLEM"], undefined]));
    expect(await scope.data("never")).toBe(undefined);
  });

  it("a kind that the target does not know is named, and deployed as soon as it is there", async () => {
    const scope = await suite.open("kind");
    const { crd, object } = customKind(scope);
    await scope.start("item", [object, scope.configMap("other", { x: "1" })]);
    expect(await scope.waitForError("item")).toMatchObject({
      reason: "TargetKindUnknown",
      message: expect.stringContaining(
        `Thing ${scope.place}/thing: the target cluster serves no kind Thing in ${object.apiVersion}`,
      ),
    });
    expect(await scope.data("other")).toEqual({ x: "1" });
    await suite.environment.targetClient.create(kubeResources.customResourceDefinition, crd);
    expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    await scope.undeploy("item");
    await suite.environment.targetClient.delete(kubeResources.customResourceDefinition, {
      name: crd.metadata.name,
    });
  });

  it("a namespaced object without namespace ends the job", async () => {
    const scope = await suite.open("namespace");
    const { status } = await scope.deploy("item", [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }]);
    expect(status).toMatchObject({
      phase: "Failed",
      lastError: {
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        message: expect.stringContaining("ConfigMap a: metadata.namespace"),
      },
    });
  });

  describe.each(strategies)("by strategy %s", (updateStrategy) => {
    const verb = { update: "update", patch: "patch", mergeOverwrite: "update" }[updateStrategy] ?? "apply";
    const config = { updateStrategy, serverSideApply: { force: true } };

    it("a change of what cannot be changed, and a value that breaks a rule (32)", async () => {
      const scope = await suite.open("immutable");
      const { targetClient } = suite.environment;
      const immutable = { ...scope.configMap("a", { x: "1" }), immutable: true };
      await targetClient.create(kubeResources.configMap, immutable);
      const changed = { ...scope.configMap("a", { x: sentinel }), immutable: true };
      await scope.start("changed", [changed], { config });
      await scope.start("broken", [scope.configMap("b", { "not a key": sentinel })], { config });
      const [change, broken] = await Promise.all(["changed", "broken"].map(async (name) => scope.waitForError(name)));
      expect(change).toMatchObject({
        reason: "TargetRefused",
        message: expect.stringContaining(
          `${verb} ConfigMap ${scope.place}/a: ConfigMap "a" is invalid: data: Forbidden: field is immutable when \`immutable\` is set`,
        ),
      });
      expect(broken).toMatchObject({
        reason: "TargetRefused",
        message: expect.stringMatching(/^(create|apply) ConfigMap \S+\/b: ConfigMap "b" is invalid: data\[/),
      });
      // A message of the server that quotes what it was sent.
      await scope.start("quoted", [scope.configMap("c", {}, { labels: { part: `${sentinel}!` } })], { config });
      expect((await scope.waitForError("quoted")).message).toMatch(
        /ConfigMap \S+\/c: .*metadata\.labels: Invalid value/,
      );
      for (const name of ["changed", "broken", "quoted"]) expectNoSentinel((await scope.get(name)).status);
      await targetClient.delete(kubeResources.configMap, { namespace: scope.place, name: "a" });
      expect((await scope.waitForEnd("changed")).status?.phase).toBe("Succeeded");
      const patch = { type: "merge", body: { spec: { config: itemConfig([scope.configMap("b")], config) } } } as const;
      const key = { namespace: scope.namespace, name: "broken" };
      await suite.environment.client.patch(resources.deployItem, key, patch);
      expect((await scope.waitForEnd("broken")).status?.phase).toBe("Succeeded");
    });

    it("verbs that the Target's user may not use", async () => {
      const scope = await suite.open("forbidden");
      await limitedTarget(scope, ["get", "list"]);
      const options = { config, target: "limited" };
      await scope.start("item", [scope.configMap("a", { x: sentinel })], options);
      const error = await scope.waitForError("item");
      expect(error).toMatchObject({
        reason: "TargetForbidden",
        message: expect.stringMatching(
          /^(create|apply) ConfigMap \S+\/a: .*is forbidden: User .* cannot (create|patch)/,
        ),
      });
      expect((await scope.get("item")).status).toMatchObject({ phase: "Progressing" });
      await allow(scope, ["get", "list", "create", "update", "patch"]);
      const done = await scope.waitForEnd("item");
      expect([done.status?.phase, listInventory(done)]).toEqual(["Succeeded", [`ConfigMap ${scope.place}/a`]]);

      await scope.remove("item");
      const refused = await scope.waitFor("item", ({ lastError }) => lastError !== undefined);
      expect(refused.status?.lastError).toMatchObject({
        reason: "TargetForbidden",
        message: expect.stringMatching(/^delete ConfigMap \S+\/a: .*is forbidden: User .* cannot delete/),
      });
      await allow(scope, ["get", "list", "delete"]);
      await scope.waitUntilGone("item");
      expect(await scope.data("a")).toBe(undefined);
    });

    it("what a policy of the target denies, which is no matter of rights", async () => {
      const scope = await suite.open("denied");
      const name = await denyName(scope, "denied");
      await scope.start("item", [scope.configMap("denied", { x: sentinel }), scope.configMap("fine")], { config });
      const error = await scope.waitForError("item");
      expect(error).toMatchObject({
        reason: "TargetRefused",
        message: expect.stringMatching(
          /^(create|apply) ConfigMap \S+\/denied: .*ValidatingAdmissionPolicy '\S+' with binding '\S+' denied request: this name is denied/,
        ),
      });
      expectNoSentinel((await scope.get("item")).status);
      await suite.environment.targetClient.delete(kubeResources.validatingAdmissionPolicyBinding, { name });
      expect((await scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    });
  });

  it("a read that is forbidden is an error and no lack of readiness", async () => {
    const scope = await suite.open("no-read");
    await limitedTarget(scope, ["get", "list", "create", "update", "patch"]);
    const account = { apiVersion: "v1", kind: "ServiceAccount", name: "default", namespace: scope.place };
    const requirements = [{ jsonPath: ".metadata.name", operator: "exists" }];
    const readinessChecks = { custom: [{ name: "account", resourceSelector: [account], requirements }] };
    await scope.start("item", [scope.configMap("a")], { config: { readinessChecks }, target: "limited" });
    expect(await scope.waitForError("item")).toMatchObject({
      reason: "TargetForbidden",
      message: expect.stringContaining(`get ServiceAccount ${scope.place}/default: `),
    });
    await scope.interrupt("item");
  });

  it("an object that is too large for the target's store ends the job", async () => {
    const scope = await suite.open("too-large");
    const { crd, object, type } = customKind(scope);
    const { targetClient } = suite.environment;
    await targetClient.create(kubeResources.customResourceDefinition, crd);
    const theirs = { ...object, spec: { theirs: "x".repeat(1_000_000) } };
    await createOnceServed(targetClient, type, theirs);
    const ours = { ...object, spec: { ours: "y".repeat(600_000) } };
    const config = { updateStrategy: "mergeOverwrite" };
    const failed = await scope.deploy("item", [ours], { config });
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "TargetObjectTooLarge",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        message: expect.stringContaining(`update Thing ${scope.place}/thing: `),
      },
    });
    const smaller = await scope.redeploy("item", [{ ...object, spec: { ours: "y" } }], config);
    expect([smaller.status?.phase, smaller.status?.lastError]).toEqual(["Succeeded", undefined]);
    await scope.undeploy("item");
    await targetClient.delete(kubeResources.customResourceDefinition, { name: crd.metadata.name });
  });

  it.each(["update", "apply"])("1,000 objects by %s come, stay and go", async (updateStrategy) => {
    const scope = await suite.open("thousand");
    const manifests = Array.from({ length: 1000 }, (_, index) => scope.configMap(`object-${index}`, { a: "1" }));
    const config = { updateStrategy };
    const done = await scope.deploy("item", manifests, { config });
    expect([done.status?.phase, listInventory(done).length]).toEqual(["Succeeded", 1000]);
    const fewer = await scope.redeploy("item", manifests.slice(0, 500), config);
    expect([fewer.status?.phase, listInventory(fewer).length]).toEqual(["Succeeded", 500]);
    await scope.undeploy("item");
    const { items } = await suite.environment.targetClient.list(kubeResources.configMap, { namespace: scope.place });
    expect(items.filter(({ metadata }) => metadata.name?.startsWith("object-"))).toEqual([]);
  });

  it("of many failures a few are named and the others counted", async () => {
    const scope = await suite.open("many");
    const manifests = Array.from({ length: 1000 }, (_, index) => {
      return { ...scope.configMap("a"), metadata: { name: `object-${index}`, namespace: `${scope.place}-absent` } };
    });
    await scope.start("item", manifests);
    const { message } = await scope.waitForError("item");
    expect(message).toMatch(
      /^1000 of 1000 objects failed: create ConfigMap \S+\/object-\d+: namespaces "\S+" not found; /,
    );
    expect(message).toMatch(/; and 995 more; create namespace \S+, or add its manifest to the item$/);
    await scope.interrupt("item");
  });

  function expectNoSentinel(status: DeployItemStatus | undefined): void {
    expect(JSON.stringify(status)).not.toContain(sentinel);
  }

  /** A Target "limited", whose user may do this with ConfigMaps of the place and nothing else. */
  async function limitedTarget(scope: ItemScope, verbs: readonly string[]): Promise<void> {
    const { target, targetClient } = suite.environment;
    const namespace = scope.place;
    const metadata = { name: "limited", namespace };
    await targetClient.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata });
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs }];
    await create(targetClient, rbacType("Role", "roles"), { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules });
    await create(targetClient, rbacType("RoleBinding", "rolebindings"), {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata,
      roleRef: { apiGroup: rbac, kind: "Role", name: "limited" },
      subjects: [{ kind: "ServiceAccount", name: "limited", namespace }],
    });
    const token = await requestToken(targetClient, metadata);
    const kubeconfig = createKubeconfig({ name: "limited", server: target.url, ca: target.ca, user: { token } });
    const type = "landscaper.gardener.cloud/kubernetes-cluster";
    await scope.createTarget({ metadata: { name: "limited" }, spec: { type, config: { kubeconfig } } });
  }

  async function allow(scope: ItemScope, verbs: readonly string[]): Promise<void> {
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs }];
    const key = { namespace: scope.place, name: "limited" };
    await suite.environment.targetClient.patch(rbacType("Role", "roles"), key, { type: "merge", body: { rules } });
  }

  /** Denies one name of ConfigMaps in the place; the name of policy and binding. */
  async function denyName({ place, namespace: name }: ItemScope, denied: string): Promise<string> {
    const { targetClient } = suite.environment;
    const apiVersion = "admissionregistration.k8s.io/v1";
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
    await targetClient.create(kubeResources.validatingAdmissionPolicy, {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [rule],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": place } },
        },
        validations: [
          { expression: `object.metadata.name != '${denied}'`, message: "this name is denied", reason: "Forbidden" },
        ],
      },
    });
    await targetClient.create(kubeResources.validatingAdmissionPolicyBinding, {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    });
    // A real API server needs a moment until a policy counts.
    await waitFor(
      async () => {
        const probe = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: denied, namespace: place } };
        return targetClient.create(kubeResources.configMap, probe, { dryRun: true }).then(
          () => false,
          () => true,
        );
      },
      { intervalMs: 100 },
    );
    return name;
  }
});

async function create(client: Client, type: ResourceType, object: UnstructuredObject): Promise<void> {
  await client.create(type, object);
}

/** Creates an object of a kind that was defined a moment ago: a real API server answers 404 until it serves the kind. */
async function createOnceServed(client: Client, type: ResourceType, object: UnstructuredObject): Promise<void> {
  await waitFor(
    async () => {
      try {
        await create(client, type, object);
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    },
    { intervalMs: 100 },
  );
}

function customKind({ place: namespace }: ItemScope) {
  const group = `${namespace}.example.org`;
  const type: ResourceType = { group, version: "v1", kind: "Thing", plural: "things", namespaced: true };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const crd = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced" as const,
      names: { kind: "Thing", plural: "things", singular: "thing", listKind: "ThingList" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
  return { crd, type, object: { apiVersion: `${group}/v1`, kind: "Thing", metadata: { name: "thing", namespace } } };
}
