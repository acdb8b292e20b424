import { describe, expect, it } from "@jest/globals";
import { ApiError } from "@landscaper/controller-runtime";
import { createDiscovery } from "./discovery.ts";
import { unknownKind } from "./resource-failure.ts";

const { signal } = new AbortController();
/** Kinds by version. The first version of a group is the preferred one. */
const served: Readonly<Record<string, readonly string[]>> = {
  v1: ["ConfigMap", "Secret"],
  "apps/v1": ["Deployment"],
  "networking.k8s.io/v1": ["Ingress"],
  "shop.example.org/v1": ["Till"],
  "shop.example.org/v2": ["Counter"],
};

function serve(asked: string[] = []) {
  return createDiscovery({
    request: async ({ method, path }) => {
      asked.push(path);
      if (path === "/apis") {
        const versions = ["apps/v1", "networking.k8s.io/v1", "shop.example.org/v1"];
        return await Promise.resolve({
          groups: versions.map((groupVersion) => ({ preferredVersion: { groupVersion } })),
        });
      }
      const kinds = served[path.replace(/^\/apis?\//, "")];
      if (kinds === undefined) throw new ApiError({ method, path }, { status: 404, statusObject: {} });
      return { resources: kinds.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: true })) };
    },
  });
}

describe("the type that was probably meant", () => {
  it.each([
    ["app/v1", "Deployment", { apiVersion: "apps/v1", kind: "Deployment" }],
    ["apps", "Deployment", { apiVersion: "apps/v1", kind: "Deployment" }],
    ["v1", "Deployment", { apiVersion: "apps/v1", kind: "Deployment" }],
    ["extensions/v1beta1", "Ingress", { apiVersion: "networking.k8s.io/v1", kind: "Ingress" }],
    ["core/v1", "Secret", { apiVersion: "v1", kind: "Secret" }],
    ["v1", "ConfigMop", { apiVersion: "v1", kind: "ConfigMap" }],
    ["shop.exampel.org/v1", "Till", { apiVersion: "shop.example.org/v1", kind: "Till" }],
    ["bank.example.com/v1", "Till", undefined],
    ["apps/v1", "Till", undefined],
  ])("of %s %s is %j", async (apiVersion, kind, expected) => {
    expect(await serve().suggest(apiVersion, kind, signal)).toEqual(expected);
  });

  it("is searched once", async () => {
    const asked: string[] = [];
    const discovery = serve(asked);
    await discovery.suggest("app/v1", "Deployment", signal);
    const first = asked.length;
    await discovery.suggest("app/v1", "Deployment", signal);
    expect([first, asked]).toEqual([3, ["/apis/app/v1", "/apis", "/apis/apps/v1"]]);
  });

  it("is not named if the cluster refuses discovery", async () => {
    const discovery = createDiscovery({
      request: async ({ method, path }) => {
        throw await Promise.resolve(new ApiError({ method, path }, { status: 403, statusObject: {} }));
      },
    });
    expect(await discovery.suggest("app/v1", "Deployment", signal)).toBeUndefined();
  });

  it.each([
    ["apps/v1", "Deployment", "did you mean apps/v1? Otherwise "],
    ["app/v1", "DaemonSet", "did you mean kind DaemonSet? Otherwise "],
  ])("begins the remedy: %s %s", (apiVersion, kind, start) => {
    const reference = { apiVersion: "app/v1", kind: "Deployment", name: "web" };
    expect(unknownKind(reference, { similar: { apiVersion, kind } }).hint).toBe(
      `${start}install its CustomResourceDefinition first, or correct apiVersion and kind`,
    );
  });
});
