import { describe, expect, it } from "@jest/globals";
import type { ManagePolicy, UnstructuredObject, UpdateStrategy } from "@landscaper/api";
import { decideApply } from "./decide-apply.ts";
import { owner, ours, theirs, configMap, refused, stored, input } from "../../test/apply-input.ts";

describe("what is done with an object, by policy", () => {
  const created = configMap({ labels: ours }, { data: { a: "1" } });
  const updated = configMap({ labels: ours, ...stored }, { data: { a: "1" } });
  const foreign = configMap({ labels: theirs, ...stored }, { data: { a: "0" } });
  const unlabelled = configMap(stored, { data: { a: "0" } });
  const own = configMap({ labels: ours, ...stored }, { data: { a: "0" } });

  const rows: readonly (readonly [ManagePolicy, string, UnstructuredObject | undefined, unknown])[] = [
    ["manage", "absent", undefined, { type: "create", object: created }],
    ["manage", "ours", own, { type: "replace", object: updated }],
    ["manage", "another item's", foreign, refused],
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
    ["immutable", "another item's", foreign, refused],
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

  describe.each(["update", "patch"] as const)("%s leaves what Kubernetes' own controllers have written", (strategy) => {
    const revision = { "deployment.kubernetes.io/revision": "3" };
    const bound = { "pv.kubernetes.io/bind-completed": "yes", "volume.kubernetes.io/selected-node": "one" };
    const protection = ["kubernetes.io/pvc-protection", "service.kubernetes.io/load-balancer-cleanup"];

    it.each<[string, Record<string, string>, string[]]>([
      ["a revision", revision, []],
      ["what a claim was bound by", bound, []],
      ["finalizers", {}, protection],
    ])("%s", (_what, written, finalizers) => {
      const settled = configMap(
        {
          ...replaced.metadata,
          ...(finalizers.length > 0 ? { finalizers } : { annotations: written }),
        },
        { data: { changed: "new", emptied: "" } },
      );
      expect(decideApply(input({ entry: { manifest }, live: settled, strategy }))).toEqual({ type: "unchanged" });
    });

    it.each(["kubectl.kubernetes.io/restartedAt", "deployment.kubernetes.io", "my.deployment.kubernetes.io/revision"])(
      "and no more: %s goes",
      (annotation) => {
        const metadata = { ...replaced.metadata, annotations: { ...replaced.metadata.annotations, [annotation]: "x" } };
        const decision = decideApply(input({ entry: { manifest }, live: { ...replaced, metadata }, strategy }));
        expect(decision.type).toBe(strategy === "update" ? "replace" : "patch");
      },
    );
  });

  it("update gives an annotation of a controller the value that the manifest has", () => {
    const key = "deployment.kubernetes.io/revision";
    const wanted = configMap({ annotations: { [key]: "7" }, finalizers: ["example/mine"] }, { data: {} });
    const settled = configMap(
      { ...stored, annotations: { [key]: "3" }, finalizers: ["example/theirs", "kubernetes.io/pvc-protection"] },
      { data: {} },
    );
    const decision = decideApply(input({ entry: { manifest: wanted }, live: settled, strategy: "update" }));
    expect(decision).toMatchObject({
      type: "replace",
      object: {
        metadata: { annotations: { [key]: "7" }, finalizers: ["kubernetes.io/pvc-protection", "example/mine"] },
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

it("sets extra labels beside the owner label, which wins", () => {
  const extraLabels = { "helm.example/item": "item", [owner.key]: "mistake" };
  expect(decideApply(input({ entry: { manifest: configMap() }, extraLabels }))).toEqual({
    type: "create",
    object: configMap({ labels: { "helm.example/item": "item", ...ours } }),
  });
});
