import { describe, expect, it } from "@jest/globals";
import { componentText, parseDescriptor } from "@landscaper/ocm";
import type { ComponentName, ComponentVersion } from "../repository/component-version.ts";
import { descriptorOf } from "../../test/index.ts";
import { resolveComponents } from "./resolve-components.ts";

const { signal } = new AbortController();

/** Component versions by short name with those that they refer to; each is of version 1.0.0. */
type Graph = Readonly<Record<string, readonly string[]>>;

function versionOf(graph: Graph, short: string): ComponentVersion {
  const references = (graph[short] ?? []).map((name) => ({
    name: `to-${name}`,
    componentName: `example.com/${name}`,
    version: "1.0.0",
  }));
  const document = descriptorOf({ name: `example.com/${short}`, version: "1.0.0", references });
  return {
    descriptor: parseDescriptor(document, "test"),
    digest: "",
    findLocal: async () => {
      throw new Error("there is no content");
    },
  };
}

async function resolve(graph: Graph, concurrency = 4) {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const find = async ({ name }: ComponentName): Promise<ComponentVersion | undefined> => {
    const short = name.slice("example.com/".length);
    asked.push(short);
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolveSoon) => setImmediate(resolveSoon));
    running -= 1;
    return short in graph ? versionOf(graph, short) : undefined;
  };
  const [first = ""] = Object.keys(graph);
  const found = await resolveComponents(versionOf(graph, first), { find, signal, concurrency });
  return { order: found.map(({ descriptor }) => descriptor.name.slice("example.com/".length)), asked, most };
}

describe("the component versions that references lead to", () => {
  it.each<{ name: string; graph: Graph; order: readonly string[] }>([
    { name: "are none without references", graph: { aa: [] }, order: ["aa"] },
    {
      name: "come depth first, in the order of references",
      graph: { aa: ["cc", "bb"], bb: ["dd"], cc: ["ee"], dd: [], ee: [] },
      order: ["aa", "cc", "ee", "bb", "dd"],
    },
    {
      name: "are there once",
      graph: { aa: ["bb", "cc"], bb: ["dd"], cc: ["dd"], dd: [] },
      order: ["aa", "bb", "dd", "cc"],
    },
    { name: "may go in a ring", graph: { aa: ["bb"], bb: ["cc"], cc: ["aa", "bb"] }, order: ["aa", "bb", "cc"] },
  ])("$name", async ({ graph, order }) => {
    expect((await resolve(graph)).order).toEqual(order);
  });

  it("are asked for once each, so many at the same time as allowed", async () => {
    const leaves = Array.from({ length: 20 }, (_, at) => `leaf-${at}`);
    const graph = { root: leaves, ...Object.fromEntries(leaves.map((name) => [name, ["last"]])), last: [] };
    const { asked, most } = await resolve(graph, 3);
    expect(asked.toSorted()).toEqual([...leaves, "last"].toSorted());
    expect(most).toBe(3);
  });

  it("may be others than references say", async () => {
    const graph = { aa: ["bb"], other: [] };
    const found = await resolveComponents(versionOf(graph, "aa"), {
      find: async () => versionOf(graph, "other"),
      targetOf: () => ({ name: "example.com/other", version: "1.0.0" }),
      concurrency: 1,
      signal,
    });
    expect(found.map(({ descriptor }) => componentText(descriptor))).toEqual([
      "example.com/aa:1.0.0",
      "example.com/other:1.0.0",
    ]);
  });

  it("have to be there", async () => {
    await expect(resolve({ aa: ["bb"], bb: ["cc"] })).rejects.toThrow(
      new Error('component example.com/bb:1.0.0: reference "to-cc": component example.com/cc:1.0.0 is not there'),
    );
  });

  it("are not more than allowed, and not deeper", async () => {
    const many = Array.from({ length: 1000 }, (_, at) => `leaf-${at}`);
    await expect(resolve({ root: many })).rejects.toThrow(
      new Error("component example.com/root:1.0.0: the component versions that it refers to are more than 1000"),
    );
    const chain = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`part-${at}`, [`part-${at + 1}`]]));
    await expect(resolve({ ...chain, "part-101": [] })).rejects.toThrow(
      new Error("component example.com/part-0:1.0.0: the component versions that it refers to are deeper than 100"),
    );
  });

  it("are not asked for any more once one has failed", async () => {
    let asked = 0;
    const find = async (): Promise<undefined> => {
      asked += 1;
      return undefined;
    };
    const graph = { aa: Array.from({ length: 50 }, (_, at) => `leaf-${at}`) };
    await expect(resolveComponents(versionOf(graph, "aa"), { find, signal, concurrency: 2 })).rejects.toThrow(
      "is not there",
    );
    expect(asked).toBeLessThanOrEqual(4);
  });
});
