import { recordRequests } from "@landscaper/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type UnstructuredObject, type UpdateStrategy } from "@landscaper/api";
import { confirmInventory } from "../manifests/inventory.ts";
import type { ManagedResource, Manifest } from "../manifests/manifest.ts";
import { TargetFixture } from "../../test/target-fixture.ts";
import { WrittenObjects, type Fingerprint } from "./written-objects.ts";

const ours = { manager: "landscaper", operation: "Update", time: "2026-01-01T00:00:00Z" };
const controllers = { manager: "controller", operation: "Update", subresource: "status" };
const one: Fingerprint = { hash: "one", hasStatus: false };

function object(uid: string, more: { readonly metadata?: object; readonly [field: string]: unknown } = {}) {
  const { metadata, ...rest } = more;
  const ownMetadata = { name: "a", uid, resourceVersion: "1", managedFields: [ours], ...metadata };
  return { apiVersion: "v1", kind: "Any", metadata: ownMetadata, spec: { a: 1 }, ...rest };
}

function fromList({ apiVersion, kind, ...rest }: UnstructuredObject): UnstructuredObject {
  return { ...rest, apiVersion, kind };
}

const withStatus = {
  metadata: { resourceVersion: "2", managedFields: [ours, controllers] },
  status: { ready: true },
};

describe("WrittenObjects", () => {
  const cases: readonly [string, { live: UnstructuredObject; by?: Fingerprint; want: boolean }][] = [
    ["the same object and the same write", { live: object("u"), want: true }],
    ["another write", { live: object("u"), by: { ...one, hash: "two" }, want: false }],
    ["another object", { live: object("v"), want: false }],
    ["another spec", { live: object("u", { spec: { a: 2 } }), want: false }],
    ["a label", { live: object("u", { metadata: { labels: { a: "b" } } }), want: false }],
    [
      "another owner of fields",
      { live: object("u", { metadata: { managedFields: [ours, { ...ours, manager: "x" }] } }), want: false },
    ],
    [
      "an object that is going",
      { live: object("u", { metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }), want: false },
    ],
    ["a status that its controller has written", { live: object("u", withStatus), want: true }],
    ["what a list gives, in another order", { live: fromList(object("u")), want: true }],
  ];
  it.each(cases)("meets %s", (_name, { live, by = one, want }) => {
    const written = new WrittenObjects(10);
    written.remember(object("u"), one);
    expect(written.isUntouched(live, by)).toBe(want);
  });

  it("minds the status where it was written", () => {
    const written = new WrittenObjects(10);
    const all: Fingerprint = { hash: "one", hasStatus: true };
    written.remember(object("u", { status: { a: 1 } }), all);
    expect(written.isUntouched(object("u", { status: { a: 1 } }), all)).toBe(true);
    expect(written.isUntouched(object("u", { status: { a: 2 } }), all)).toBe(false);
  });

  it("forgets the oldest", () => {
    const written = new WrittenObjects(2);
    for (const uid of ["a", "b", "a", "c"]) written.remember(object(uid), one);
    expect(["a", "b", "c"].map((uid) => written.isUntouched(object(uid), one))).toEqual([true, false, true]);
    expect(["a", "b", "c"].map((uid) => written.has(uid))).toEqual([true, false, true]);
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
  });
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
    expect(live.metadata.annotations).toEqual({ "landscaper.gardener.cloud/owned-by": "hub/item/uid-of-item" });
  });

  it("is written when it was made with annotations of creation, which updates take off", async () => {
    await apply("update", 80, { annotateBeforeCreate: { made: "here" } });
    expect(await apply("update", 80)).toEqual(["get", "update"]);
    expect(await apply("update", 80)).toEqual(["get"]);
  });

  it("of which a Secret is one that is given as text", async () => {
    const manifest = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "n" }, stringData: { a: "b" } };
    const first = await target.apply("item", [{ policy: "manage", manifest }]);
    const record = recordRequests(target.server, ({ resource }) => resource === "secrets");
    await target.apply("item", [{ policy: "manage", manifest }], { inventory: confirmInventory([], first.applied) });
    expect(record.lines).toEqual(["get secrets"]);
    expect(await target.client.find(kubeResources.secret, { namespace: "n", name })).toMatchObject({
      data: { a: "Yg==" },
    });
  });
});
