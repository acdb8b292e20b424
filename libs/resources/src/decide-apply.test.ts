import { describe, expect, it } from "@jest/globals";
import type { ManagePolicy, UnstructuredObject, UpdateStrategy } from "@landscaper/api";
import { decideApply, type ApplyInput } from "./decide-apply.ts";
import type { Manifest } from "./manifest.ts";

const owner = { key: "manifest.deployer.landscaper.gardener.cloud/deployitem", value: "item" };
const ours = { [owner.key]: "item" };
const theirs = { [owner.key]: "other" };

function configMap(metadata: Record<string, unknown> = {}, fields: Record<string, unknown> = {}): UnstructuredObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n", ...metadata }, ...fields };
}

/** What the API server adds. */
const stored = { uid: "u", resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z" };

function input(overrides: Partial<ApplyInput> & { readonly entry?: Partial<Manifest> }): ApplyInput {
  const { entry, ...rest } = overrides;
  return {
    manifest: { policy: "manage", manifest: configMap({}, { data: { a: "1" } }), ...entry },
    live: undefined,
    strategy: "update",
    owner,
    isPlanned: false,
    ...rest,
  };
}

describe("what is done with an object, by policy", () => {
  const created = configMap({ labels: ours }, { data: { a: "1" } });
  const updated = configMap({ labels: ours, ...stored }, { data: { a: "1" } });
  const foreign = configMap({ labels: theirs, ...stored }, { data: { a: "0" } });
  const unlabelled = configMap(stored, { data: { a: "0" } });
  const own = configMap({ labels: ours, ...stored }, { data: { a: "0" } });

  const rows: readonly (readonly [ManagePolicy, string, UnstructuredObject | undefined, unknown])[] = [
    ["manage", "absent", undefined, { type: "create", object: created }],
    ["manage", "ours", own, { type: "replace", object: updated }],
    ["manage", "another item's", foreign, { type: "replace", object: updated }],
    ["manage", "nobody's", unlabelled, { type: "replace", object: updated }],
    ["manage", "as it should be", updated, { type: "unchanged" }],
    ["fallback", "absent", undefined, { type: "create", object: created }],
    ["fallback", "ours", own, { type: "replace", object: updated }],
    ["fallback", "another item's", foreign, { type: "release" }],
    ["fallback", "nobody's", unlabelled, { type: "release" }],
    ["keep", "absent", undefined, { type: "create", object: created }],
    ["keep", "ours", own, { type: "replace", object: updated }],
    ["keep", "another item's", foreign, { type: "replace", object: updated }],
    ["immutable", "absent", undefined, { type: "create", object: created }],
    ["immutable", "ours", own, { type: "adopt" }],
    ["immutable", "another item's", foreign, { type: "adopt" }],
    ["ignore", "absent", undefined, { type: "ignore" }],
    ["ignore", "ours", own, { type: "ignore" }],
    ["ignore", "another item's", foreign, { type: "ignore" }],
  ];
  it.each(rows)("%s, live object %s", (...[policy, _name, live, want]) => {
    expect(decideApply(input({ entry: { policy }, live }))).toEqual(want);
  });
});

describe("how an existing object is brought to its manifest, by strategy", () => {
  const manifest = configMap({ labels: { app: "new" } }, { data: { changed: "new", emptied: "" } });
  const live = configMap(
    { ...stored, labels: { app: "old", foreign: "yes" }, annotations: { foreign: "yes" }, finalizers: ["example/f"] },
    { data: { changed: "old", emptied: "old", foreign: "yes" } },
  );
  const replaced = configMap({ ...stored, labels: { app: "new", ...ours } }, { data: { changed: "new", emptied: "" } });

  it("update replaces everything, foreign additions vanish", () => {
    expect(decideApply(input({ entry: { manifest }, live, strategy: "update" }))).toEqual({
      type: "replace",
      object: replaced,
    });
  });

  it("patch says the same as a merge patch", () => {
    expect(decideApply(input({ entry: { manifest }, live, strategy: "patch" }))).toEqual({
      type: "patch",
      body: {
        metadata: { annotations: null, finalizers: null, labels: { app: "new", foreign: null, ...ours } },
        data: { changed: "new", emptied: "", foreign: null },
      },
    });
  });

  it("merge only fills what is missing or empty", () => {
    const gap = configMap({ ...stored, labels: { app: "old" } }, { data: { changed: "old", emptied: "", kept: "x" } });
    const wanted = configMap({}, { data: { changed: "new", emptied: "filled", added: "y" } });
    expect(decideApply(input({ entry: { manifest: wanted }, live: gap, strategy: "merge" }))).toEqual({
      type: "replace",
      object: configMap(
        { ...stored, labels: { app: "old", ...ours } },
        { data: { changed: "old", emptied: "filled", kept: "x", added: "y" } },
      ),
    });
  });

  it("mergeOverwrite keeps foreign additions, and empty values of the manifest never win", () => {
    expect(decideApply(input({ entry: { manifest }, live, strategy: "mergeOverwrite" }))).toEqual({
      type: "replace",
      object: configMap(
        {
          ...stored,
          labels: { app: "new", foreign: "yes", ...ours },
          annotations: { foreign: "yes" },
          finalizers: ["example/f"],
        },
        { data: { changed: "new", emptied: "old", foreign: "yes" } },
      ),
    });
  });

  const unchanged: readonly UpdateStrategy[] = ["update", "patch", "merge", "mergeOverwrite"];
  it.each(unchanged)("%s makes no request when nothing changes", (strategy) => {
    expect(decideApply(input({ entry: { manifest }, live: replaced, strategy }))).toEqual({ type: "unchanged" });
  });

  it("leaves manifest and live object as they were", () => {
    const before = structuredClone([manifest, live]);
    for (const strategy of unchanged) decideApply(input({ entry: { manifest }, live, strategy }));
    expect([manifest, live]).toEqual(before);
  });
});

describe("fields that a replacement carries over", () => {
  function replacementOf(manifest: UnstructuredObject, live: UnstructuredObject): unknown {
    const decision = decideApply(input({ entry: { manifest }, live }));
    return decision.type === "replace" ? decision.object : decision;
  }
  const metadata = { name: "a", namespace: "n" };
  const labelled = { ...metadata, labels: ours, ...stored };

  it("selector and pod labels of a Job", () => {
    const manifest = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata,
      spec: { template: { spec: { restartPolicy: "Never" } } },
    };
    const live = {
      ...manifest,
      metadata: { ...metadata, ...stored },
      spec: { selector: { matchLabels: { uid: "1" } }, template: { metadata: { labels: { uid: "1" } }, spec: {} } },
    };
    expect(replacementOf(manifest, live)).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: labelled,
      spec: {
        selector: { matchLabels: { uid: "1" } },
        template: { metadata: { labels: { uid: "1" } }, spec: { restartPolicy: "Never" } },
      },
    });
  });

  it("the cluster IP of a Service", () => {
    const manifest = { apiVersion: "v1", kind: "Service", metadata, spec: { ports: [{ port: 80 }] } };
    const live = { ...manifest, metadata: { ...metadata, ...stored }, spec: { clusterIP: "10.0.0.1", ports: [] } };
    expect(replacementOf(manifest, live)).toEqual({
      ...manifest,
      metadata: labelled,
      spec: { clusterIP: "10.0.0.1", ports: [{ port: 80 }] },
    });
  });

  it.each([
    ["without secrets keeps the live ones", undefined, [{ name: "token" }]],
    ["with empty secrets keeps the live ones", [], [{ name: "token" }]],
    ["with secrets of its own keeps these", [{ name: "own" }], [{ name: "own" }]],
  ])("a ServiceAccount %s", (_name, secrets, want) => {
    const manifest = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata,
      automountServiceAccountToken: false,
      ...(secrets === undefined ? {} : { secrets }),
    };
    const live = {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { ...metadata, ...stored },
      secrets: [{ name: "token" }],
    };
    expect(replacementOf(manifest, live)).toEqual({ ...manifest, metadata: labelled, secrets: want });
  });

  it("the status of an object whose manifest has none", () => {
    const manifest = { apiVersion: "example.org/v1", kind: "Thing", metadata, spec: { a: 1 } };
    const live = { ...manifest, metadata: { ...metadata, ...stored }, spec: { a: 0 }, status: { ready: true } };
    expect(replacementOf(manifest, live)).toEqual({ ...manifest, metadata: labelled, status: { ready: true } });
  });

  it("nothing else: a Deployment's foreign replicas vanish", () => {
    const manifest = { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: { paused: true } };
    const live = { ...manifest, metadata: { ...metadata, ...stored }, spec: { replicas: 5 } };
    expect(replacementOf(manifest, live)).toEqual({ ...manifest, metadata: labelled });
  });
});

describe("annotations of creation", () => {
  const annotated = { annotateBeforeCreate: { made: "here", over: "entry" } };
  const manifest = configMap({ annotations: { over: "manifest", own: "yes" } });

  it("are merged over those of the manifest when the object is created", () => {
    expect(decideApply(input({ entry: { manifest, ...annotated } }))).toEqual({
      type: "create",
      object: configMap({ labels: ours, annotations: { over: "entry", own: "yes", made: "here" } }),
    });
  });

  it("are not set by an update", () => {
    expect(decideApply(input({ entry: { manifest, ...annotated }, live: configMap(stored) }))).toEqual({
      type: "replace",
      object: configMap({ ...stored, labels: ours, annotations: { over: "manifest", own: "yes" } }),
    });
  });

  it("stay when a create whose answer was lost is repeated", () => {
    const live = configMap({ ...stored, labels: ours, annotations: { over: "entry", own: "yes", made: "here" } });
    expect(decideApply(input({ entry: { manifest, ...annotated }, live, isPlanned: true }))).toEqual({
      type: "unchanged",
    });
  });

  it("are not set on an object of others that was only planned", () => {
    const live = configMap({ ...stored, labels: theirs });
    expect(decideApply(input({ entry: { manifest, ...annotated }, live, isPlanned: true }))).toEqual({
      type: "replace",
      object: configMap({ ...stored, labels: ours, annotations: { over: "manifest", own: "yes" } }),
    });
  });
});

it("sets extra labels beside the owner label, which wins", () => {
  const extraLabels = { "helm.example/item": "item", [owner.key]: "mistake" };
  expect(decideApply(input({ entry: { manifest: configMap() }, extraLabels }))).toEqual({
    type: "create",
    object: configMap({ labels: { "helm.example/item": "item", ...ours } }),
  });
});
