import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readFields } from "../builtin-types/protobuf-reader.ts";
import type { LocalCluster } from "../cluster/local-cluster.ts";
import { startLocalCluster } from "../cluster/start-local-cluster.ts";
import { encodeOpenApi } from "../openapi/encode-openapi.ts";
import { fieldAt, listAt, stringAt } from "../objects/json.ts";
import { type TestApi, createTestApi, sendRequest } from "@landscaper/testkit";

describe("discovery", () => {
  let cluster: LocalCluster;
  let api: TestApi;
  beforeAll(async () => {
    cluster = await startLocalCluster();
    api = createTestApi(cluster);
  });
  afterAll(() => cluster.stop());
  const aggregated = (version: string) =>
    `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;

  it("names the core versions and the groups", async () => {
    expect((await api.get("/api")).body).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: new URL(cluster.url).host }],
    });
    const { body } = await api.get("/apis");
    expect(listAt(body, "groups").find((group) => stringAt(group, "name") === "batch")).toEqual({
      name: "batch",
      versions: [{ groupVersion: "batch/v1", version: "v1" }],
      preferredVersion: { groupVersion: "batch/v1", version: "v1" },
    });
    expect(listAt(body, "groups").every((group) => stringAt(group, "name") !== "")).toBe(true);
  });

  it("lists resources with their subresources", async () => {
    const { body } = await api.get("/apis/apps/v1");
    const deployments = listAt(body, "resources").filter((resource) =>
      stringAt(resource, "name").startsWith("deployments"),
    );
    const verbs = ["get", "patch", "update"];
    expect(deployments).toEqual([
      {
        name: "deployments",
        singularName: "deployment",
        namespaced: true,
        kind: "Deployment",
        verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
        shortNames: ["deploy"],
        categories: ["all"],
      },
      {
        name: "deployments/scale",
        singularName: "",
        namespaced: true,
        group: "autoscaling",
        version: "v1",
        kind: "Scale",
        verbs,
      },
      { name: "deployments/status", singularName: "", namespaced: true, kind: "Deployment", verbs },
    ]);
    expect(body).toMatchObject({ kind: "APIResourceList", apiVersion: "v1", groupVersion: "apps/v1" });
  });

  for (const version of ["v2", "v2beta1"]) {
    it(`says all at once in ${version}`, async () => {
      const core = await api.get("/api", aggregated(version));
      expect(core.headers["content-type"]).toBe(
        `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      );
      expect(core.body).toMatchObject({
        kind: "APIGroupDiscoveryList",
        apiVersion: `apidiscovery.k8s.io/${version}`,
        items: [{ metadata: {}, versions: [{ version: "v1", freshness: "Current" }] }],
      });
      const { body } = await api.get("/apis", aggregated(version));
      const item = listAt(body, "items").find((group) => stringAt(group, "metadata", "name") === "coordination.k8s.io");
      expect(item).toEqual({
        metadata: { name: "coordination.k8s.io" },
        versions: [
          {
            version: "v1",
            freshness: "Current",
            resources: [
              {
                resource: "leases",
                responseKind: { group: "coordination.k8s.io", version: "v1", kind: "Lease" },
                scope: "Namespaced",
                singularResource: "lease",
                verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
              },
            ],
          },
        ],
      });
    });
  }

  it("describes built-in kinds by OpenAPI, so that kubectl leaves validation to the server", async () => {
    const { body } = await api.get("/openapi/v3/apis/apps/v1");
    const patch = fieldAt(body, "paths", "/apis/apps/v1/namespaces/{namespace}/deployments/{name}", "patch");
    expect(patch).toEqual({
      parameters: ["dryRun", "fieldManager", "fieldValidation", "force"].map((name) => ({
        name,
        in: "query",
        schema: { type: name === "force" ? "boolean" : "string", uniqueItems: true },
      })),
      requestBody: {
        content: {
          "application/apply-patch+yaml": {},
          "application/json-patch+json": {},
          "application/merge-patch+json": {},
        },
      },
      responses: { "200": { description: "OK" } },
      "x-kubernetes-action": "patch",
      "x-kubernetes-group-version-kind": { group: "apps", version: "v1", kind: "Deployment" },
    });
    const schemas = fieldAt(body, "components", "schemas");
    expect(fieldAt(schemas, "v1.DeploymentSpec", "properties", "replicas")).toEqual({
      type: "integer",
      format: "int32",
    });
    expect(fieldAt(schemas, "v1.RollingUpdateDeployment", "properties", "maxSurge")).toEqual({
      type: "string",
      format: "int-or-string",
    });
    expect((await api.get("/openapi/v3/apis/none/v1")).code).toBe(404);
  });

  it("describes all kinds by OpenAPI v2, as JSON and in the protobuf form that kubectl asks for", async () => {
    const { body } = await api.get("/openapi/v2");
    expect(fieldAt(body, "definitions", "v1.DeploymentSpec", "properties", "template")).toEqual({
      $ref: "#/definitions/v1.PodTemplateSpec",
    });
    const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const { headers } = await sendRequest(api.server, { method: "GET", path: "/openapi/v2", accept });
    expect(headers["content-type"]).toBe("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    // Document.definitions is field 9; a named schema has its name in field 1, and its schema in field 2.
    const document = encodeOpenApi({ ...(body as Readonly<Record<string, unknown>>) });
    const [definitions] = readFields(document).filter(({ number }) => number === 9);
    const named = readFields(definitions?.bytes ?? Buffer.alloc(0)).map(({ bytes }) =>
      readFields(bytes ?? Buffer.alloc(0)),
    );
    const names = named.map(([name]) => name?.bytes?.toString());
    expect(names).toEqual(Object.keys(fieldAt(body, "definitions") as object));
    const spec = named[names.indexOf("v1.LocalObjectReference")]?.[1]?.bytes ?? Buffer.alloc(0);
    // Schema.type is field 22, Schema.properties field 25.
    expect(readFields(spec).map(({ number }) => number)).toEqual([22, 25]);
  });

  it("keeps the schemas of two groups apart that share a name", async () => {
    const { body } = await api.get("/openapi/v2");
    const descriptions = ["v1.EndpointSubset", "io.k8s.discovery.v1.EndpointSlice"].map((name) =>
      fieldAt(body, "definitions", name, "properties", "ports", "items", "$ref"),
    );
    expect(descriptions).toEqual(["#/definitions/v1.EndpointPort", "#/definitions/v1.EndpointPort2"]);
  });
});
