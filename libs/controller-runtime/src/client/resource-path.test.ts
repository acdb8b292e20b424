import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { queryString, resourcePath } from "./resource-path.ts";

describe("resourcePath", () => {
  const { installation } = resources;
  const { secret, namespace } = kubeResources;

  it.each([
    [secret, {}, "/api/v1/secrets"],
    [secret, { namespace: "n" }, "/api/v1/namespaces/n/secrets"],
    [secret, { namespace: "n", name: "s" }, "/api/v1/namespaces/n/secrets/s"],
    [namespace, { name: "n" }, "/api/v1/namespaces/n"],
    // The namespace of a key of a cluster-scoped object has no meaning.
    [namespace, { namespace: "x", name: "n" }, "/api/v1/namespaces/n"],
    [
      installation,
      { namespace: "n", name: "i", subresource: "status" },
      "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/n/installations/i/status",
    ],
    [secret, { namespace: "n", name: "system:x?y#z" }, "/api/v1/namespaces/n/secrets/system%3Ax%3Fy%23z"],
  ])("of %p at %p", (type, at, want) => {
    expect(resourcePath(type, at)).toBe(want);
  });

  it.each([
    [{ namespace: "n", name: "" }, 'Secret: expected the name of an object, found ""'],
    [{ namespace: "n", name: "." }, 'Secret: expected the name of an object, found "."'],
    [{ namespace: "n", name: ".." }, 'Secret: expected the name of an object, found ".."'],
    [{ namespace: "n", name: "x/status" }, 'Secret: expected the name of an object, found "x/status"'],
    [{ namespace: "n", name: "..%2Fx" }, 'Secret: expected the name of an object, found "..%2Fx"'],
    [{ namespace: "a/secrets/x", name: "s" }, 'Secret: expected the namespace of an object, found "a/secrets/x"'],
    [{ namespace: "", name: "s" }, 'Secret: expected the namespace of an object, found ""'],
  ])("refuses %p, which would be another object or all of them", (at, message) => {
    expect(() => resourcePath(secret, at)).toThrow(new LandscaperError({ message, reason: "InvalidInput" }));
  });

  it("refuses a name without its namespace, which would be another object", () => {
    expect(() => resourcePath(secret, { name: "s" })).toThrow(new TypeError("Secret s: the namespace is missing"));
  });
});

describe("queryString", () => {
  it("leaves out what is not set", () => {
    expect(queryString({ a: undefined, b: "", c: undefined })).toBe("");
  });

  it("encodes values", () => {
    expect(queryString({ labelSelector: "a=b,c in (d)", limit: 5, watch: true })).toBe(
      "?labelSelector=a%3Db%2Cc+in+%28d%29&limit=5&watch=true",
    );
  });
});
