import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import {
  apiVersionOf,
  generateHubPolicies,
  generateCrds,
  generateEnvironmentPolicies,
  keyOf,
  kubeResources,
} from "@landscaper/api";
import { badObjects, goodObjects } from "@landscaper/api/testing";
import { waitFor } from "@landscaper/testkit";
import { rawRequest } from "../src/clients/raw-request.ts";
import { resourceTypeOf } from "../src/clusters/resource-type-of.ts";
import { testBoundSettings } from "../src/clusters/install-api.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestCluster } from "../src/clusters/test-cluster.ts";
import { startTestCluster } from "../src/clusters/test-cluster.ts";

const namespace = "admission";

function placed(object: UnstructuredObject): UnstructuredObject {
  const isPlaced = !resourceTypeOf(object).namespaced || object.metadata.namespace !== undefined;
  return isPlaced ? object : { ...object, metadata: { ...object.metadata, namespace } };
}

describe.each(clustersUnderTest())("admission on %s", (cluster) => {
  let tested: TestCluster;

  async function create(object: UnstructuredObject): Promise<UnstructuredObject> {
    const created = await tested.client.create(resourceTypeOf(object), placed(object));
    return created as UnstructuredObject; // the echo of what was sent
  }
  async function remove(object: UnstructuredObject): Promise<void> {
    await tested.client.delete(resourceTypeOf(object), keyOf(object));
  }
  /** Creates or replaces; resolves to the refusal in the API server's own words. */
  async function refusalOf(object: UnstructuredObject, live: UnstructuredObject | undefined): Promise<unknown> {
    const type = resourceTypeOf(object);
    const scope = type.namespaced ? `/namespaces/${placed(object).metadata.namespace ?? ""}` : "";
    const path = `/apis/${apiVersionOf(type)}${scope}/${type.plural}`;
    const { resourceVersion } = live?.metadata ?? {};
    const metadata = { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    const { status, body } = await (live === undefined
      ? rawRequest(tested, "POST", [path, placed(object)])
      : rawRequest(tested, "PUT", [`${path}/${object.metadata.name ?? ""}`, placed({ ...object, metadata })]));
    return { code: status, message: Reflect.get(Object(body), "message") as unknown };
  }

  beforeAll(async () => {
    tested = await startTestCluster(cluster);
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } };
    await tested.client.create(kubeResources.namespace, object);
  });
  afterAll(async () => {
    await tested.client.delete(kubeResources.namespace, { name: namespace });
    await tested.stop();
  });

  it("takes every CRD and establishes it", async () => {
    const { items } = await tested.client.list(kubeResources.customResourceDefinition);
    const established = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status }) => type === "Established" && status === "True"),
    );
    const names = generateCrds().map(({ metadata }) => metadata.name);
    expect(established.map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(names));
    const broken = items.flatMap(({ metadata, status }) =>
      (status?.conditions ?? []).filter(({ type }) => type === "NonStructuralSchema").map(() => metadata.name),
    );
    expect(broken).toEqual([]);
  });

  it("finds no type errors in the expressions of the policies", async () => {
    const policies = [...generateHubPolicies(), ...generateEnvironmentPolicies(testBoundSettings)];
    for (const policy of policies.filter(({ kind }) => kind === "ValidatingAdmissionPolicy")) {
      const key = { name: policy.metadata.name ?? "" };
      const live = await waitFor(async () => {
        const found = await tested.client.get(kubeResources.validatingAdmissionPolicy, key);
        const { generation } = found.metadata;
        // Only a cluster with controllers checks types; the embedded one refuses what does not compile.
        return !tested.runsWorkloadControllers || found.status?.["observedGeneration"] === generation
          ? found
          : undefined;
      });
      const checked: unknown = Reflect.get(Object(live.status), "typeChecking");
      const warnings: unknown = Reflect.get(Object(checked), "expressionWarnings");
      expect({ policy: key.name, warnings }).toEqual({ policy: key.name, warnings: undefined });
    }
  });

  it.each(goodObjects)("takes $name and keeps every field", async ({ object }) => {
    const created = await create(object);
    await remove(created);
    // Defaults may come on top.
    expect(created).toMatchObject(placed(object));
  });

  it.each(badObjects)("scenario 25: refuses $name", async ({ object, before, code, message }) => {
    const live = before === undefined ? undefined : await create(before);
    const refusal = await refusalOf(object, live);
    if (live !== undefined) await remove(live);
    expect(refusal).toEqual({ code, message });
  });

  it("warns about annotations without an effect, and takes the object", async () => {
    const group = "landscaper.gardener.cloud";
    const createWith = async (annotations: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const metadata = { name: "annotated", namespace, annotations };
      const object = { apiVersion: `${group}/v1alpha1`, kind: "DataObject", metadata, data: "x" };
      const path = `/apis/${object.apiVersion}/namespaces/${namespace}/dataobjects`;
      const { status, warnings } = await rawRequest(tested, "POST", [path, object]);
      expect(status).toBe(201);
      await remove(object);
      return warnings.map((warning) => warning.replaceAll("\\", ""));
    };
    const policy = `299 - "Validation failed for ValidatingAdmissionPolicy 'annotations.validation.${group}' with binding 'annotations.validation.${group}': `;
    expect(
      await createWith({ [`${group}/operation`]: "reconcile", [`deployers.${group}/own`]: "x", "example.org/a": "b" }),
    ).toEqual([]);
    expect(await createWith({ [`${group}/operation`]: "reconcil" })).toEqual([
      `${policy}metadata.annotations[${group}/operation]: expected one of reconcile, interrupt, test-reconcile, refresh, plan, plan-other-helm, plan-helm-3, plan-helm-4, found "reconcil", which has no effect"`,
    ]);
    expect(await createWith({ [`${group}/operation`]: "", [`${group}/reconcile-if-changed`]: "false" })).toEqual([]);
    expect(await createWith({ [`${group}/reconcile-if-changed`]: "yes" })).toEqual([
      `${policy}metadata.annotations[${group}/reconcile-if-changed]: expected one of true, false, found "yes", which has no effect"`,
    ]);
    expect(await createWith({ [`${group}/reconcile-policy`]: "onchange" })).toEqual([
      `${policy}metadata.annotations[${group}/reconcile-policy]: expected on-change, found "onchange", which has no effect"`,
    ]);
    expect(await createWith({ [`continuousreconcile.extensions.${group}/active`]: "off" })).toEqual([
      `${policy}metadata.annotations[continuousreconcile.extensions.${group}/active]: expected one of true, false, found "off", which has no effect"`,
    ]);
    expect(await createWith({ [`${group}/operaton`]: "reconcile" })).toEqual([
      expect.stringContaining(
        `${policy}metadata.annotations: Landscaper does not know ${group}/operaton, so it has no effect. Users set ${group}/operation, `,
      ),
    ]);
  });
});
