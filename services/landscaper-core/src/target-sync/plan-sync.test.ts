import { describe, expect, it } from "@jest/globals";
import { annotations, labels, type Secret, type Target } from "@landscaper/api";
import { needsKubeconfig, planCleanup, planSync } from "./plan-sync.ts";
import { buildSecret, buildTarget, isMade, mergeMade, refToSecret } from "./synced-objects.ts";
import { storedTargetSync } from "../../test/target-syncs.ts";

const namespace = "ns";
const target = (name: string, syncedAt?: Date): Target =>
  buildTarget({ namespace, name, secretRef: refToSecret(name), syncedAt });
const secret = (name: string, type = "Opaque"): Secret =>
  buildSecret({ namespace, name, type, data: { kubeconfig: "eA==" } });
const content = { type: "Opaque", data: { kubeconfig: "eA==" } };

describe("the plan of a TargetSync", () => {
  it("makes a Secret and a Target of every entry", () => {
    const plan = planSync(storedTargetSync(), [{ name: "a", content }]);
    expect(plan).toEqual({
      writes: [
        {
          secret: {
            apiVersion: "v1",
            kind: "Secret",
            metadata: { name: "a", namespace, labels: { [labels.targetSync]: "ok" } },
            type: "Opaque",
            data: { kubeconfig: "eA==" },
          },
          target: {
            apiVersion: "landscaper.gardener.cloud/v1alpha1",
            kind: "Target",
            metadata: { name: "a", namespace, labels: { [labels.targetSync]: "ok" } },
            spec: {
              type: "landscaper.gardener.cloud/kubernetes-cluster",
              secretRef: { name: "a", key: "kubeconfig" },
            },
          },
        },
      ],
      problems: [],
      wanted: { targets: new Set(["a"]), secrets: new Set(["a"]) },
    });
  });

  it("says when the kubeconfig of a shoot was fetched, and leaves Secrets alone that are fresh", () => {
    const syncedAt = new Date("2026-06-01T12:00:00Z");
    const { writes } = planSync(storedTargetSync(), [{ name: "new", content, syncedAt }, { name: "fresh" }]);
    expect(
      writes.map(({ target: { metadata }, secret: written }) => [metadata.annotations, written === undefined]),
    ).toEqual([
      [{ [annotations.lastTargetSync]: "2026-06-01T12:00:00Z" }, false],
      [undefined, true],
    ]);
  });

  it.each([
    [undefined, "source-ns"],
    ["", "source-ns"],
    ["garden", "garden"],
  ])("makes a Target to the source with targetToSourceName %s", (targetToSourceName, name) => {
    const spec = {
      sourceNamespace: "source-ns",
      createTargetToSource: true,
      ...(targetToSourceName === undefined ? {} : { targetToSourceName }),
    };
    const { writes, wanted } = planSync(storedTargetSync(spec), []);
    expect(writes.map(({ target: { metadata, spec: made } }) => [metadata.name, made.secretRef])).toEqual([
      [name, { name: "source", key: "kubeconfig" }],
    ]);
    expect(wanted).toEqual({ targets: new Set([name]), secrets: new Set() });
  });

  it("overwrites neither the kubeconfig of the source nor the Target to it", () => {
    const spec = { createTargetToSource: true, targetToSourceName: "garden" };
    const { writes, problems } = planSync(
      storedTargetSync(spec),
      ["source", "garden", "a"].map((name) => ({ name, content })),
    );
    expect(writes.map((write) => write.target.metadata.name)).toEqual(["garden", "a"]);
    expect(problems).toEqual([
      '"source" of the source has the name of the Secret with the kubeconfig of the source, which must not be overwritten',
      '"garden" of the source has the name of the Target to the source',
    ]);
  });

  it("drops what is not wanted any more, but never the kubeconfig of the source", () => {
    const made = { targets: [target("a"), target("b")], secrets: [secret("a"), secret("b"), secret("source")] };
    const going = planCleanup(storedTargetSync(), { targets: new Set(["a"]), secrets: new Set(["a"]) }, made);
    expect({
      targets: going.targets.map(({ metadata }) => metadata.name),
      secrets: going.secrets.map(({ metadata }) => metadata.name),
    }).toEqual({ targets: ["b"], secrets: ["b"] });
  });
});

describe("kubeconfigs of shoots", () => {
  const nowMs = Date.parse("2026-06-01T12:00:00Z");
  const hoursAgo = (hours: number) => new Date(nowMs - hours * 3_600_000);
  const gone = { deletionTimestamp: "2026-06-01T12:00:00Z" };
  it.each<[name: string, targets: readonly Target[], secrets: readonly Secret[], expected: boolean]>([
    ["are fetched when there is no Target", [], [secret("a")], true],
    ["are fetched when there is no Secret", [target("a", hoursAgo(1))], [], true],
    ["stay for twelve hours", [target("a", hoursAgo(12))], [secret("a")], false],
    ["are fetched again after that", [target("a", hoursAgo(12.1))], [secret("a")], true],
    ["are fetched when nobody knows their age", [target("a")], [secret("a")], true],
    [
      "are fetched when the Target is being deleted",
      [{ ...target("a", hoursAgo(1)), metadata: { ...target("a", hoursAgo(1)).metadata, ...gone } }],
      [secret("a")],
      true,
    ],
  ])("%s", (...[, targets, secrets, expected]) => {
    expect(needsKubeconfig("a", { targets, secrets }, nowMs)).toBe(expected);
  });
});

describe("what a TargetSync has made", () => {
  it("is known by its label, unless an Installation has copied it into its scope (core.md §4.15)", () => {
    const owner = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Installation", name: "root", uid: "1" };
    const made = target("a");
    expect(isMade(made)).toBe(true);
    expect(isMade({ ...made, metadata: { ...made.metadata, ownerReferences: [owner] } })).toBe(false);
    expect(isMade({ ...made, metadata: { ...made.metadata, labels: {} } })).toBe(false);
  });

  it("keeps what users put on it", () => {
    const existing = secret("a");
    existing.metadata.labels = { ...existing.metadata.labels, mine: "x" };
    existing.metadata.annotations = { note: "y" };
    const merged = mergeMade({ ...existing, data: { kubeconfig: "b2xk", other: "eA==" } }, secret("a"));
    expect(merged).toEqual({ ...existing, data: { kubeconfig: "eA==" } });
  });

  it("is nothing of somebody else's", () => {
    const merge = (): unknown => mergeMade({ ...secret("a"), metadata: { name: "a" } }, secret("a"));
    expect(merge).toThrow("Secret a exists already and was made by somebody else: it is left alone");
    expect(merge).toThrow(expect.objectContaining({ reason: "TargetSyncConflict" }));
  });
});
