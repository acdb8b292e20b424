import { describe, expect, it } from "@jest/globals";
import { parseRequestInfo } from "./request-info.ts";

const resource = (verb: string, fields: Readonly<Record<string, string>>) => ({
  type: "resource",
  verb,
  group: "",
  version: "v1",
  resource: "pods",
  namespace: "",
  name: "",
  subresource: "",
  ...fields,
});

describe("parseRequestInfo", () => {
  const cases: readonly (readonly [string, string, unknown])[] = [
    ["GET", "/api/v1/pods", resource("list", {})],
    ["GET", "/api/v1/pods?watch=1", resource("watch", {})],
    ["GET", "/api/v1/pods?watch=true", resource("watch", {})],
    ["GET", "/api/v1/pods?watch=false", resource("list", {})],
    ["GET", "/api/v1/namespaces/n/pods", resource("list", { namespace: "n" })],
    ["GET", "/api/v1/namespaces/n/pods/p", resource("get", { namespace: "n", name: "p" })],
    ["HEAD", "/api/v1/namespaces/n/pods/p", resource("get", { namespace: "n", name: "p" })],
    ["GET", "/api/v1/namespaces/n/pods/p?watch=1", resource("watch", { namespace: "n", name: "p" })],
    ["POST", "/api/v1/namespaces/n/pods", resource("create", { namespace: "n" })],
    ["PUT", "/api/v1/namespaces/n/pods/p", resource("update", { namespace: "n", name: "p" })],
    ["PATCH", "/api/v1/namespaces/n/pods/p", resource("patch", { namespace: "n", name: "p" })],
    ["DELETE", "/api/v1/namespaces/n/pods/p", resource("delete", { namespace: "n", name: "p" })],
    ["DELETE", "/api/v1/namespaces/n/pods", resource("deletecollection", { namespace: "n" })],
    [
      "PUT",
      "/api/v1/namespaces/n/pods/p/status",
      resource("update", { namespace: "n", name: "p", subresource: "status" }),
    ],
    ["GET", "/api/v1/nodes/n/proxy/a/b", resource("get", { resource: "nodes", name: "n", subresource: "proxy/a/b" })],
    ["GET", "/api/v1/namespaces", resource("list", { resource: "namespaces" })],
    ["GET", "/api/v1/namespaces/n", resource("get", { resource: "namespaces", namespace: "n", name: "n" })],
    [
      "PUT",
      "/api/v1/namespaces/n/finalize",
      resource("update", { resource: "namespaces", namespace: "n", name: "n", subresource: "finalize" }),
    ],
    [
      "GET",
      "/apis/apps/v1/namespaces/n/deployments/d/scale",
      resource("get", { group: "apps", resource: "deployments", namespace: "n", name: "d", subresource: "scale" }),
    ],
    [
      "GET",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Aa",
      resource("get", { group: "rbac.authorization.k8s.io", resource: "clusterroles", name: "system:a" }),
    ],
    ["GET", "/api", { type: "path", verb: "get", path: "/api" }],
    ["GET", "/api/v1", { type: "path", verb: "get", path: "/api/v1" }],
    ["GET", "/apis/apps/v1", { type: "path", verb: "get", path: "/apis/apps/v1" }],
    ["POST", "/healthz", { type: "path", verb: "post", path: "/healthz" }],
    ["GET", "/", { type: "path", verb: "get", path: "/" }],
  ];
  for (const [method, target, want] of cases) {
    it(`reads ${method} ${target}`, () => {
      const url = new URL(target, "https://x");
      expect(parseRequestInfo(method, url.pathname, url.searchParams)).toEqual(want);
    });
  }

  it("takes a segment with a bad escape as it stands", () => {
    const info = parseRequestInfo("GET", "/api/v1/nodes/%zz", new URLSearchParams());
    expect(info).toMatchObject({ name: "%zz" });
  });
});
