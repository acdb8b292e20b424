import { describe, expect, it } from "@jest/globals";
import { ApiError } from "@landscaper/controller-runtime";
import { createDiscovery } from "./discovery.ts";

const { signal } = new AbortController();

/** Which paths of the server a look for the kind "Thing" asks for. */
async function pathsOf(apiVersion: string): Promise<readonly string[]> {
  const asked: string[] = [];
  const discovery = createDiscovery({
    request: async ({ path }) => {
      asked.push(path);
      return await Promise.resolve({ resources: [{ name: "things", kind: "Thing", namespaced: true }] });
    },
  });
  const found = await discovery.find(apiVersion, "Thing", signal);
  expect(found?.plural).toBe(asked.length === 0 ? undefined : "things");
  return asked;
}

describe("the kinds of an apiVersion", () => {
  it.each([
    ["v1", "/api/v1"],
    ["apps/v1", "/apis/apps/v1"],
    ["a.example/v1?watch=true#x", "/apis/a.example/v1%3Fwatch%3Dtrue%23x"],
  ])("of %s are asked for at %s", async (apiVersion, path) => {
    expect(await pathsOf(apiVersion)).toEqual([path]);
  });

  it.each(["", "..", "../..", "apps/..", "../v1", "apps/v1/namespaces/x", "apps/v1%2F..", "v1/../../logs", "/v1/x"])(
    "of %j are not asked for: it would be another path of the server",
    async (apiVersion) => {
      expect(await pathsOf(apiVersion)).toEqual([]);
    },
  );
});

describe("where the objects of a kind are", () => {
  /** A server with these versions: group to version to kinds. A number is the status that a version answers with. */
  function serve(groups: Readonly<Record<string, Readonly<Record<string, readonly string[] | number>>>>) {
    return createDiscovery({
      request: async ({ method, path }) => {
        const [group = "", version] = path.replace("/apis/", "").split("/");
        const versions = groups[group];
        const served = version === undefined ? undefined : versions?.[version];
        const refuse = (status: number) => new ApiError({ method, path }, { status, statusObject: {} });
        if (versions === undefined) throw refuse(404);
        if (version === undefined) {
          return await Promise.resolve({ versions: Object.keys(versions).map((each) => ({ version: each })) });
        }
        if (served === undefined || typeof served === "number") throw refuse(served ?? 404);
        return { resources: served.map((kind) => ({ name: `${kind.toLowerCase()}s`, kind, namespaced: true })) };
      },
    });
  }

  it.each([
    ["policy/v1beta1", "Budget", { policy: { v1: ["Budget"], v1beta1: ["Other"] } }, "policy/v1"],
    ["policy/v1beta1", "Budget", { policy: { v1: ["Budget"] } }, "policy/v1"],
    ["policy/v1", "Budget", { policy: { v2: ["Other"], v1beta1: ["Budget"] } }, "policy/v1beta1"],
    ["policy/v1", "Budget", { policy: { v1: ["Budget"], v2: ["Budget"] } }, "policy/v1"],
    ["policy/v1", "Budget", { policy: { v1: ["Other"] } }, undefined],
    ["policy/v1", "Budget", {}, undefined],
    ["extensions/v1beta1", "Ingress", { "networking.k8s.io": { v1: ["Ingress"] } }, "networking.k8s.io/v1"],
    [
      "extensions/v1beta1",
      "Ingress",
      { extensions: { v1beta1: ["Ingress"] }, "networking.k8s.io": { v1: ["Ingress"] } },
      "extensions/v1beta1",
    ],
    ["extensions/v1beta1", "Unmoved", { apps: { v1: ["Unmoved"] } }, undefined],
    ["v1", "Budget", { v1: { v1: ["Budget"] } }, undefined],
  ] as const)("that were deployed as %s %s, on %j", async (...[apiVersion, kind, groups, expected]) => {
    const found = await serve(groups).locate(apiVersion, kind, signal);
    expect(found && `${found.group}/${found.version}`).toBe(expected);
  });

  it.each([
    ["does not answer", 503],
    ["is not there yet, or any more", 404],
  ])("is not known while a version that the group lists %s", async (_, status) => {
    const discovery = serve({ policy: { v2: status, v1: ["Other"] } });
    await expect(discovery.locate("policy/v1beta1", "Budget", signal)).rejects.toMatchObject({ status: 503 });
  });

  it("is asked again once it is forgotten", async () => {
    const versions: Record<string, readonly string[]> = { v1: ["Budget"], v2: ["Budget"] };
    const discovery = serve({ policy: versions });
    const first = await discovery.locate("policy/v1", "Budget", signal);
    delete versions["v1"];
    expect(await discovery.locate("policy/v1", "Budget", signal)).toBe(first);
    if (first !== undefined) discovery.forget(first);
    expect((await discovery.locate("policy/v1", "Budget", signal))?.version).toBe("v2");
  });
});
