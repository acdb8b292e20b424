import { describe, expect, it } from "@jest/globals";
import type { DeployItem, Execution, Installation, ObjectMeta } from "@landscaper/api";
import { apiVersion } from "@landscaper/api";
import { buildTree, type TreeNode } from "./build-tree.ts";
import { formatJson } from "./format-json.ts";
import { formatMermaid } from "./format-mermaid.ts";
import { paintLines } from "../output/styled-text.ts";
import { formatAge, formatTree } from "./format-tree.ts";

const now = Date.parse("2026-01-01T00:10:00Z");
const created = "2026-01-01T00:00:00Z";

function meta(name: string, owner?: { kind: string; name: string }): ObjectMeta {
  return {
    name,
    namespace: "ns",
    uid: `uid-${name}`,
    generation: 1,
    creationTimestamp: created,
    ...(owner && { ownerReferences: [{ apiVersion, ...owner, uid: `uid-${owner.name}` }] }),
  };
}

function installation(name: string, status: Installation["status"] | undefined, parent?: string): Installation {
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      ...meta(name, parent === undefined ? undefined : { kind: "Installation", name: parent }),
      ...(parent !== undefined && { annotations: { "landscaper.gardener.cloud/subinstallation-name": "database" } }),
    },
    spec: { blueprint: { inline: { filesystem: {} } } },
    ...(status && { status }),
  };
}

function execution(name: string, status: Execution["status"]): Execution {
  return {
    apiVersion,
    kind: "Execution",
    metadata: meta(name, { kind: "Installation", name }),
    spec: {},
    ...(status && { status }),
  };
}

function deployItem(name: string, status: DeployItem["status"]): DeployItem {
  return {
    apiVersion,
    kind: "DeployItem",
    metadata: {
      ...meta(name, { kind: "Execution", name: "db-1" }),
      labels: { "execution.landscaper.gardener.cloud/name": "chart" },
    },
    spec: { type: "landscaper.gardener.cloud/mock" },
    ...(status && { status }),
  };
}

const error = {
  operation: "Reconcile",
  reason: "Boom",
  message: "disk full\non node 1",
  lastTransitionTime: created,
  lastUpdateTime: created,
};

const textOf = (lines: ReturnType<typeof formatTree>): string =>
  paintLines(lines, false)
    .map((line) => `${line}\n`)
    .join("");

describe("the tree", () => {
  it("shows sub-installations, executions and deploy items below their owners, and the error at its leaf only", () => {
    const trees = buildTree({
      installations: [
        installation("root", {
          observedGeneration: 1,
          phase: "Failed",
          jobID: "1",
          jobIDFinished: "1",
          lastError: { ...error, message: "child" },
        }),
        installation("db-1", { observedGeneration: 1, phase: "Failed", jobID: "1", jobIDFinished: "1" }, "root"),
        installation("alone", undefined),
      ],
      executions: [execution("db-1", { phase: "Failed" })],
      deployItems: [deployItem("db-1-chart-x", { observedGeneration: 1, phase: "Failed", lastError: error })],
    });
    expect(
      textOf(formatTree(trees, { now }))
        .split("\n")
        .map((line) => line.replace(/ {2,}/g, "  ")),
    ).toEqual([
      "Installation alone  not started  10m",
      "Installation root  Failed  10m",
      "└─ Installation database (db-1)  Failed  10m",
      "  └─ Execution db-1  Failed  10m",
      "  └─ DeployItem chart (db-1-chart-x) landscaper.gardener.cloud/mock  Failed  10m",
      "  ! disk full",
      "  ! on node 1",
      "",
    ]);
  });

  it("shows misspelt annotations", () => {
    const subject = installation("db-1", { observedGeneration: 1, phase: "Succeeded" });
    const annotations = { "landscaper.gardener.cloud/operaton": "reconcile" };
    const annotated = { ...subject, metadata: { ...subject.metadata, annotations } };
    const trees = buildTree({ installations: [annotated], executions: [], deployItems: [] });
    expect(textOf(formatTree(trees, { now }))).toContain(
      'warning: the annotation landscaper.gardener.cloud/operaton is not known to Landscaper and has no effect; did you mean "landscaper.gardener.cloud/operation"?',
    );
  });

  it("shows warnings of objects that have succeeded", () => {
    const message = 'spec.config: unknown field "readinessCheck", did you mean "readinessChecks"?';
    const warnings = {
      type: "Warnings",
      status: "True",
      reason: "UnknownField",
      message,
      lastTransitionTime: created,
      lastUpdateTime: created,
    };
    const status = { observedGeneration: 1, phase: "Succeeded", conditions: [warnings] } as const;
    const objects = {
      installations: [installation("db-1", { observedGeneration: 1, phase: "Succeeded" })],
      executions: [execution("db-1", { phase: "Succeeded" })],
      deployItems: [deployItem("db-1-chart-x", { ...status, conditions: [...status.conditions] })],
    };
    const trees = buildTree(objects);
    const lines = textOf(formatTree(trees, { now })).split("\n");
    expect(lines.slice(3)).toEqual([`        ! warning: ${message}`, ""]);
    const [installed] = (JSON.parse(formatJson(trees, "ns")) as { installations: readonly TreeNode[] }).installations;
    expect([installed?.warning, installed?.children[0]?.children[0]?.warning]).toEqual([null, message]);
  });

  it("shows one tree when a name is given, also of a nested installation", () => {
    const objects = {
      installations: [installation("root", undefined), installation("db-1", undefined, "root")],
      executions: [],
      deployItems: [],
    };
    expect(buildTree(objects, "db-1").map((tree) => tree.name)).toEqual(["db-1"]);
    expect(buildTree(objects, "none")).toEqual([]);
  });

  it("says that an object is being deleted while its phase does not", () => {
    const deleting = installation("root", { observedGeneration: 1, phase: "Succeeded" });
    deleting.metadata.deletionTimestamp = created;
    expect(textOf(formatTree(buildTree({ installations: [deleting], executions: [], deployItems: [] }), { now }))).toBe(
      "Installation root  Succeeded (deletion requested)  10m\n",
    );
  });

  const job = { jobID: "1", jobIDFinished: "1" };
  const reconcile = { "landscaper.gardener.cloud/operation": "reconcile" };
  it.each<readonly [string, Installation["status"], Partial<ObjectMeta>, string]>([
    ["changed", { observedGeneration: 1, phase: "Succeeded", ...job }, {}, "Succeeded (spec changed since)"],
    ["changed after a failure", { observedGeneration: 1, phase: "Failed", ...job }, {}, "Failed (spec changed since)"],
    ["unchanged", { observedGeneration: 2, phase: "Succeeded", ...job }, {}, "Succeeded"],
    ["triggered", { observedGeneration: 1, phase: "Succeeded", ...job }, { annotations: reconcile }, "Succeeded"],
    ["at work", { observedGeneration: 1, phase: "Init", ...job, jobID: "2" }, {}, "Init"],
    ["never triggered", { observedGeneration: 0, phase: "" }, {}, "not started"],
    [
      "to be deleted",
      { observedGeneration: 1, phase: "Succeeded", ...job },
      { deletionTimestamp: created },
      "Succeeded (deletion requested)",
    ],
  ])("shows whether an Installation has a spec that no job has read: %s", (...[_name, status, metadata, phase]) => {
    const subject = installation("root", status);
    const changed = { ...subject, metadata: { ...subject.metadata, generation: 2, ...metadata } };
    const trees = buildTree({ installations: [changed], executions: [], deployItems: [] });
    expect(textOf(formatTree(trees, { now }))).toBe(`Installation root  ${phase}  10m\n`);
    const isChanged = phase.endsWith("(spec changed since)");
    expect(JSON.parse(formatJson(trees, "ns"))).toMatchObject({ installations: [{ changed: isChanged }] });
    expect(formatMermaid(trees)).toContain(`"Installation root<br>${phase}"`);
  });

  it.each([
    [0, "0s"],
    [119_000, "119s"],
    [120_000, "2m"],
    [7_200_000, "2h"],
    [172_800_000, "2d"],
    [-5, "0s"],
  ])("shows %d ms as %s", (ms, text) => expect(formatAge(ms)).toBe(text));
});
