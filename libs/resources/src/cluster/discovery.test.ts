import { describe, expect, it } from "@jest/globals";
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
