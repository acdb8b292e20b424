import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { fieldAt, stringAt } from "../objects/json.ts";
import { type TestApi, createTestApi, watchStream } from "@landscaper/testkit";

const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function crd(plural: string, versions: readonly object[], scope = "Namespaced"): Record<string, unknown> {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: { group: "example.com", scope, names: { kind, plural }, versions },
  };
}

const version = (name: string, fields: object = {}) => ({
  name,
  served: true,
  storage: name === "v1",
  schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
  ...fields,
});

// What the real server answers is in ../parity; here stands what needs more than one version, or a change of a definition.
describe("custom resources", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  const define = async (definition: Record<string, unknown>): Promise<void> => {
    await api.post(crds, definition);
    const path = `${crds}/${stringAt(definition, "metadata", "name")}`;
    await api.until(path, ({ body }) => JSON.stringify(body).includes('"Established"'));
  };
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());

  it("are served in all versions, changed in nothing but the version", async () => {
    await define(crd("apples", [version("v1"), version("v1beta1"), version("v0", { served: false })]));
    const at = (v: string, rest = "") => `/apis/example.com/${v}/namespaces/default/apples${rest}`;
    const apple = { apiVersion: "example.com/v1beta1", kind: "Apple", metadata: { name: "a" }, spec: { x: 1 } };
    const watch = await watchStream(api.server, `${at("v1")}?watch=1`);
    await api.post(at("v1beta1"), apple);
    expect((await api.get(at("v1", "/a"))).body).toMatchObject({ apiVersion: "example.com/v1", spec: { x: 1 } });
    expect((await api.get(at("v1beta1"))).body).toMatchObject({
      apiVersion: "example.com/v1beta1",
      kind: "AppleList",
      items: [{ apiVersion: "example.com/v1beta1", kind: "Apple" }],
    });
    expect((await api.get(at("v0", "/a"))).code).toBe(404);
    expect(await watch.next()).toMatchObject({ type: "ADDED", object: { apiVersion: "example.com/v1" } });
    watch.close();
    expect((await api.get("/apis/example.com")).body).toMatchObject({
      versions: [{ version: "v1" }, { version: "v1beta1" }],
      preferredVersion: { version: "v1" },
    });
  });

  it("follow a changed definition", async () => {
    await define(crd("pears", [version("v1")]));
    const at = "/apis/example.com/v1/namespaces/default/pears";
    const pear = (name: string, size: number) => ({
      apiVersion: "example.com/v1",
      kind: "Pear",
      metadata: { name },
      spec: { size },
    });
    expect((await api.post(at, pear("old", 20))).code).toBe(201);
    const size = { type: "integer", maximum: 10 };
    const strict = { type: "object", properties: { spec: { type: "object", properties: { size } } } };
    await api.patch(`${crds}/pears.example.com`, {
      spec: { versions: [version("v1", { schema: { openAPIV3Schema: strict } })] },
    });
    await api.until(`${at}?fieldSelector=metadata.name%3Dnone`, ({ code }) => code === 200);
    const reply = await api.post(at, pear("new", 20));
    expect(stringAt(reply.body, "message")).toBe(
      'Pear.example.com "new" is invalid: spec.size: Invalid value: 20: spec.size in body should be less than or equal to 10',
    );
  });

  it("end their watches with their definition", async () => {
    await define(crd("dates", [version("v1")]));
    const at = "/apis/example.com/v1/namespaces/default/dates";
    await api.post(at, { apiVersion: "example.com/v1", kind: "Date", metadata: { name: "d" } });
    const watch = await watchStream(api.server, `${at}?watch=1`);
    await api.patch(`${crds}/dates.example.com`, { spec: { names: { categories: ["fruit"] } } });
    await api.delete(`${crds}/dates.example.com`);
    expect((await watch.take(3)).map(({ type }) => type)).toEqual(["ADDED", "DELETED"]);
    expect(await watch.over).toBe("end");
    expect((await api.get(at)).code).toBe(404);
  });

  it("have no status of their own where the definition has no status subresource", async () => {
    await define(crd("plums", [version("v1")]));
    const at = "/apis/example.com/v1/namespaces/default/plums";
    await api.post(at, { apiVersion: "example.com/v1", kind: "Plum", metadata: { name: "a" }, status: { x: 1 } });
    expect((await api.get(`${at}/a`)).body).toMatchObject({ status: { x: 1 }, metadata: { generation: 1 } });
    expect((await api.patch(`${at}/a`, { status: { x: 2 } })).body).toMatchObject({
      status: { x: 2 },
      metadata: { generation: 2 },
    });
    expect((await api.patch(`${at}/a/status`, { status: { x: 3 } })).code).toBe(404);
  });

  it("keep generations for what is neither metadata nor status", async () => {
    await define(crd("figs", [version("v1", { subresources: { status: {} } })]));
    const at = "/apis/example.com/v1/namespaces/default/figs/a";
    await api.post(at.replace(/\/a$/, ""), {
      apiVersion: "example.com/v1",
      kind: "Fig",
      metadata: { name: "a" },
      spec: { x: 1 },
    });
    const generation = async (path: string, patch: unknown) =>
      fieldAt((await api.patch(path, patch)).body, "metadata", "generation");
    expect(await generation(at, { metadata: { labels: { x: "y" } } })).toBe(1);
    expect(await generation(`${at}/status`, { status: { x: 1 } })).toBe(1);
    expect(await generation(at, { spec: { x: 2 } })).toBe(2);
    expect(await generation(at, { spec: { x: 2 } })).toBe(2);
  });

  it("may be cluster-scoped", async () => {
    await define(crd("moons", [version("v1")], "Cluster"));
    const moon = { apiVersion: "example.com/v1", kind: "Moon", metadata: { name: "io" } };
    expect((await api.post("/apis/example.com/v1/moons", moon)).code).toBe(201);
    expect((await api.get("/apis/example.com/v1/namespaces/default/moons")).code).toBe(404);
    const named = { ...moon, metadata: { name: "europa", namespace: "default" } };
    expect((await api.post("/apis/example.com/v1/moons", named)).code).toBe(400);
  });

  it("are described by OpenAPI v3, whose hash changes with them", async () => {
    const index = async () =>
      stringAt((await api.get("/openapi/v3")).body, "paths", "apis/example.com/v1", "serverRelativeURL");
    await define(crd("limes", [version("v1")]));
    const before = await index();
    const { body } = await api.get(before);
    const path = fieldAt(body, "paths", "/apis/example.com/v1/namespaces/{namespace}/limes/{name}", "patch");
    expect(path).toMatchObject({
      "x-kubernetes-group-version-kind": { group: "example.com", version: "v1", kind: "Lime" },
    });
    expect(JSON.stringify(fieldAt(path, "parameters"))).toContain("fieldValidation");
    await define(crd("lemons", [version("v1")]));
    expect(await index()).not.toBe(before);
  });

  it("are refused by admission policies in the policy's words", async () => {
    await define(crd("nuts", [version("v1")]));
    const group = "/apis/admissionregistration.k8s.io/v1";
    await api.post(`${group}/validatingadmissionpolicies`, {
      metadata: { name: "small-nuts" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["example.com"], apiVersions: ["*"], resources: ["nuts"], operations: ["CREATE", "UPDATE"] },
          ],
        },
        validations: [{ expression: "object.spec.size < 5", message: "nuts are small" }],
      },
    });
    await api.post(`${group}/validatingadmissionpolicybindings`, {
      metadata: { name: "small-nuts" },
      spec: { policyName: "small-nuts", validationActions: ["Deny"] },
    });
    const at = "/apis/example.com/v1/namespaces/default/nuts";
    const nut = (size: number) => ({
      apiVersion: "example.com/v1",
      kind: "Nut",
      metadata: { name: "n" },
      spec: { size },
    });
    const refused = await api.post(at, nut(9));
    const cause = "ValidatingAdmissionPolicy 'small-nuts' with binding 'small-nuts' denied request: nuts are small";
    expect(refused.body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `nuts.example.com "n" is forbidden: ${cause}`,
      reason: "Invalid",
      details: { name: "n", group: "example.com", kind: "nuts", causes: [{ message: cause }] },
      code: 422,
    });
    expect((await api.post(at, nut(1))).code).toBe(201);
    expect((await api.patch(`${at}/n`, { spec: { size: 7 } })).code).toBe(422);
  });
});
