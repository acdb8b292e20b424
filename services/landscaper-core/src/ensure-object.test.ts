import {
  annotations,
  apiVersion,
  keyOf,
  labels,
  protectionFinalizer,
  resources,
  sensitiveAnnotations,
  type KubeObject,
  type Target,
} from "@landscaper/api";
import { ApiError } from "@landscaper/controller-runtime";
import { startEmbeddedCluster, type EmbeddedCluster, type TestNamespace } from "@landscaper/testkit";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { deleteObject, ensureObject, namingLarge, overlayMetadata } from "./ensure-object.ts";

const object = (kind: string, objectLabels: Record<string, string> = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: "root-abc", labels: objectLabels, annotations: { filler: "x".repeat(2000) } },
});
const refusal = (status: number, message: string) =>
  new ApiError({ method: "POST", path: "/x" }, { status, statusObject: { message } });

describe("a write of an object that is too large", () => {
  it.each([
    [object("DeployItem", { [labels.managedName]: "item" }), 'deploy item "item"'],
    [object("DataObject", { [labels.dataKey]: "word" }), 'DataObject "word"'],
    [object("Execution"), 'all deploy items together (Execution "root-abc")'],
    [object("Installation"), 'Installation "root-abc"'],
  ])("names it", async (given, name) => {
    const write = Promise.reject(refusal(500, "etcdserver: request is too large"));
    await expect(namingLarge(given, write)).rejects.toMatchObject({
      message: `${name}: its 3 KiB of JSON are more than the API server stores in one object: etcdserver: request is too large`,
      reason: "ObjectTooLarge",
      retry: "never",
    });
  });

  it("is told from other failures and from success", async () => {
    const other = refusal(500, "no");
    await expect(namingLarge(object("Execution"), Promise.reject(other))).rejects.toBe(other);
    await expect(namingLarge(object("Execution"), Promise.resolve(object("Execution")))).resolves.toEqual(
      object("Execution"),
    );
  });
});

describe("annotations that say what of the data of an object is secret", () => {
  const marked = (marks: Record<string, string>): KubeObject => ({
    apiVersion,
    kind: "DataObject",
    metadata: { name: "value", annotations: { other: "x", ...marks } },
  });
  const ofUser = { [annotations.sensitive]: "true" };

  type Marks = Record<string, string>;
  it.each<[string, Marks, Marks, Marks]>([
    ["go when the core has written them", sensitiveAnnotations(["/a"]), {}, {}],
    ["stay when a user has written them", ofUser, {}, ofUser],
    [
      "become those that are wanted",
      sensitiveAnnotations(["/a"]),
      sensitiveAnnotations([""]),
      sensitiveAnnotations([""]),
    ],
  ])("%s", (_, ...[before, wanted, after]) => {
    expect(overlayMetadata(marked(before), marked(wanted)).metadata.annotations).toEqual({ other: "x", ...after });
  });
});

describe("an object that DeployItems use", () => {
  let cluster: EmbeddedCluster;
  let namespace: TestNamespace;
  beforeAll(async () => {
    cluster = await startEmbeddedCluster({ crds: true });
    namespace = await cluster.createNamespace("in-use");
  });
  afterAll(async () => cluster.stop());

  const { signal } = new AbortController();
  const type = resources.target;
  const targetOf = (name: string, config: object, finalizers: string[] = []): Target => ({
    apiVersion,
    kind: "Target",
    metadata: { name, namespace: namespace.name, finalizers },
    spec: { type: "t", config: { ...config } },
  });

  it("is deleted if the core withdraws it, unless another client has a finalizer", async () => {
    const own = await cluster.client.create(type, targetOf("own", {}, [protectionFinalizer]));
    const kept = await cluster.client.create(type, targetOf("kept", {}, [protectionFinalizer, "example.org/other"]));
    for (const object of [own, kept]) await deleteObject(cluster.client, { type, object }, signal);
    expect(await namespace.find(type, "own")).toBeUndefined();
    expect((await namespace.get(type, "kept")).metadata.finalizers).toEqual(["example.org/other"]);
  });

  it("is created anew if a user has deleted it, so that it outlives its last use", async () => {
    const before = await cluster.client.create(type, targetOf("made", { of: "one" }, [protectionFinalizer]));
    await cluster.client.delete(type, keyOf(before));
    const options = { client: cluster.client, type, desired: targetOf("made", { of: "two" }), signal };
    const lister = { get: () => undefined };
    const made = await ensureObject({
      ...options,
      lister,
      merge: (existing, desired) => ({ ...existing, spec: desired.spec }),
    });
    expect(made.metadata.uid).not.toBe(before.metadata.uid);
    expect([made.metadata.deletionTimestamp, made.spec.config]).toEqual([undefined, { of: "two" }]);
  });

  it("stays unchanged if it must not be replaced", async () => {
    const before = await cluster.client.create(type, targetOf("kept-held", {}, [protectionFinalizer]));
    await cluster.client.delete(type, keyOf(before));
    const options = { client: cluster.client, type, desired: targetOf("kept-held", { of: "two" }), signal };
    const merge = (existing: Target, desired: Target): Target => ({ ...existing, spec: desired.spec });
    const mayReplace = async () => Promise.resolve(false);
    await ensureObject({ ...options, lister: { get: () => undefined }, merge, mayReplace });
    const { metadata } = await namespace.get(type, "kept-held");
    expect([metadata.uid, metadata.finalizers]).toEqual([before.metadata.uid, [protectionFinalizer]]);
  });

  it("stays if it belongs to a user", async () => {
    const before = await cluster.client.create(type, targetOf("foreign", {}, [protectionFinalizer]));
    await cluster.client.delete(type, keyOf(before));
    const options = { client: cluster.client, type, desired: targetOf("foreign", { of: "two" }), signal };
    const merge = (): Target => {
      throw new Error("it belongs to a user");
    };
    await expect(ensureObject({ ...options, lister: { get: () => undefined }, merge })).rejects.toThrow("a user");
    expect((await namespace.get(type, "foreign")).metadata.uid).toBe(before.metadata.uid);
  });
});
