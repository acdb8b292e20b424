import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { confirmInventory } from "./inventory.ts";
import type { ManagedResource, Manifest } from "./manifest.ts";
import { TargetFixture } from "./testing.ts";
import { WrittenObjects } from "./written-objects.ts";

function object(uid: string, resourceVersion: string): UnstructuredObject {
  return { apiVersion: "v1", kind: "Any", metadata: { name: "a", uid, resourceVersion } };
}

describe("WrittenObjects", () => {
  it("knows what was written last, and which version came of it", () => {
    const written = new WrittenObjects(10);
    written.remember(object("u", "1"), "f");
    expect(written.isUntouched(object("u", "1"), "f")).toBe(true);
    expect(written.isUntouched(object("u", "2"), "f")).toBe(false);
    expect(written.isUntouched(object("u", "1"), "g")).toBe(false);
    expect(written.isUntouched(object("v", "1"), "f")).toBe(false);
  });

  it("forgets the oldest", () => {
    const written = new WrittenObjects(2);
    for (const uid of ["a", "b", "a", "c"]) written.remember(object(uid, "1"), "f");
    expect(["a", "b", "c"].map((uid) => written.isUntouched(object(uid, "1"), "f"))).toEqual([true, false, true]);
  });
});

describe("an object that the API server completes", () => {
  let target: TargetFixture;
  let requests: string[] = [];
  let inventory: ManagedResource[] = [];
  beforeAll(async () => {
    target = await TargetFixture.start();
    target.server.setFault(({ verb, resource }) => {
      if (resource === "services") requests.push(verb);
      return undefined;
    });
  }, 30_000);
  afterAll(() => target.stop());

  let name = "";
  let count = 0;
  beforeEach(() => {
    name = `service-${++count}`;
    inventory = [];
  });

  /** The requests of one job. */
  async function apply(strategy: UpdateStrategy, port: number, rest: Partial<Manifest> = {}): Promise<string[]> {
    const manifest = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "n" },
      spec: { selector: { app: "x" }, ports: [{ port }] },
    };
    requests = [];
    const { applied, failures } = await target.apply("item", [{ policy: "manage", manifest, ...rest }], {
      strategy,
      inventory,
    });
    expect(failures).toEqual([]);
    inventory = confirmInventory([], applied);
    return requests;
  }

  it.each(["update", "patch"] as const)("is read and not written again by %s", async (strategy) => {
    const write = strategy === "update" ? "update" : "patch";
    expect(await apply(strategy, 80)).toEqual(["create"]);
    expect(await apply(strategy, 80)).toEqual(["get"]);
    expect(await apply(strategy, 81)).toEqual(["get", write]);
    expect(await apply(strategy, 81)).toEqual(["get"]);
  });

  it("is written when somebody has touched it", async () => {
    const service = { group: "", version: "v1", kind: "Service", plural: "services", namespaced: true } as const;
    await apply("update", 80);
    const body = { metadata: { annotations: { theirs: "yes" } } };
    await target.client.patch(service, { namespace: "n", name }, { type: "merge", body });
    expect(await apply("update", 80)).toEqual(["get", "update"]);
    const live = await target.client.get(service, { namespace: "n", name });
    expect(live.metadata.annotations ?? {}).toEqual({});
  });

  it("is written when it was made with annotations of creation, which updates take off", async () => {
    await apply("update", 80, { annotateBeforeCreate: { made: "here" } });
    expect(await apply("update", 80)).toEqual(["get", "update"]);
    expect(await apply("update", 80)).toEqual(["get"]);
  });

  it("of which a Secret is one that is given as text", async () => {
    const manifest = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "n" }, stringData: { a: "b" } };
    const first = await target.apply("item", [{ policy: "manage", manifest }]);
    const verbs: string[] = [];
    target.server.setFault(({ verb, resource }) => {
      if (resource === "secrets") verbs.push(verb);
      return undefined;
    });
    await target.apply("item", [{ policy: "manage", manifest }], { inventory: confirmInventory([], first.applied) });
    expect(verbs).toEqual(["get"]);
    expect(await target.client.find(kubeResources.secret, { namespace: "n", name })).toMatchObject({
      data: { a: "Yg==" },
    });
  });
});
