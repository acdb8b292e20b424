// What both real versions of Helm wait for: testdata/helm-waiting.json, which test-e2e/suites/oracles/helm-waiting.test.ts compares with them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { checkForHelm } from "./helm-wait.ts";

type Answer = "ready" | "waits" | "fails";

interface WaitingCase {
  readonly name: string;
  readonly object: UnstructuredObject;
  /** Of Helm 3, Helm 4's legacy (the same), and watcher; the others with --wait-for-jobs. */
  readonly answers: Readonly<Partial<Record<string, Answer>>>;
}

const file = join(import.meta.dirname, "../../testdata/helm-waiting.json");
const cases = JSON.parse(readFileSync(file, "utf8")) as readonly WaitingCase[];
const words = { current: "ready", inProgress: "waits", failed: "fails" } as const;

/** Intended differences, which docs/guide/helm.md explains. */
const ours: Readonly<Record<string, Answer>> = {
  "ReplicationController, no pods: legacy": "waits",
  "Pod, failed: watcher": "fails",
  "Pod, failed, no conditions: watcher": "fails",
  "Pod, unschedulable: watcher": "waits",
};

const rows = cases.flatMap(({ name, object, answers }) =>
  (["legacy", "watcher"] as const).flatMap((strategy) =>
    [false, true].flatMap((waitForJobs) => {
      const answer = answers[`${strategy}${waitForJobs ? "WithJobs" : ""}`];
      return answer === undefined ? [] : [{ name, object, strategy, waitForJobs, answer }];
    }),
  ),
);

describe("checkForHelm", () => {
  it.each(rows)("$name: $answer by $strategy (with Jobs: $waitForJobs)", ({ name, object, answer, ...wait }) => {
    const expected = ours[`${name}: ${wait.strategy}`] ?? answer;
    expect(words[checkForHelm(object, wait).status]).toBe(expected);
  });

  it("has no intended difference that no case shows", () => {
    const known = new Set(rows.map(({ name, strategy }) => `${name}: ${strategy}`));
    expect(Object.keys(ours).filter((key) => !known.has(key))).toEqual([]);
  });

  it("never finds a deleted object ready by watcher", () => {
    const metadata = { name: "a", deletionTimestamp: "2026-01-01T00:00:00Z" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata };
    expect(checkForHelm(object, { strategy: "watcher", waitForJobs: false }).status).toBe("inProgress");
  });
});
