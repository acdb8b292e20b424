import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { apiVersion, type DeployItem, type Installation, type KubeObject } from "@landscaper/api";
import { createMetrics, type Informer } from "@landscaper/controller-runtime";
import { createJobObserver } from "@landscaper/deployer";
import { createTestLogger } from "@landscaper/testkit";
import { reportSharedNamespace } from "../deployer-management/shared-namespace.ts";
import { addEventMetrics, addObjectGauges } from "./core-metrics.ts";

/** As much of an informer as the gauges look at. */
function informerOf<T extends KubeObject>(objects: () => readonly T[]): Informer<T> {
  return { lister: { list: objects } } as unknown as Informer<T>;
}

const installation = (phase?: string): Installation => ({
  apiVersion,
  kind: "Installation",
  metadata: { name: "a" },
  spec: { blueprint: {} },
  ...(phase === undefined ? {} : { status: { phase } }),
});
const item = (type: string, status: DeployItem["status"]): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: { name: "a" },
  spec: { type },
  ...(status === undefined ? {} : { status }),
});

async function setUp() {
  let installations: readonly Installation[] = [];
  let deployItems: readonly DeployItem[] = [];
  const metrics = await createMetrics();
  addObjectGauges(metrics.define, {
    installations: informerOf(() => installations),
    deployItems: informerOf(() => deployItems),
  });
  return {
    metrics,
    linesOf: async (objects: readonly Installation[], items: readonly DeployItem[] = []): Promise<string[]> => {
      installations = objects;
      deployItems = items;
      const { text } = await metrics.render();
      return text.split("\n").filter((line) => /^landscaper_(installations|deploy_items_waiting)\{/.test(line));
    },
  };
}

describe("metrics of the core", () => {
  it("count Installations by phase, and forget phases that none is in any more", async () => {
    const { linesOf } = await setUp();
    expect(await linesOf([installation("Failed"), installation(), installation("Failed")])).toEqual([
      'landscaper_installations{phase="Failed"} 2',
      'landscaper_installations{phase="New"} 1',
    ]);
    expect(await linesOf([installation("Succeeded")])).toEqual(['landscaper_installations{phase="Succeeded"} 1']);
  });

  it("count items that nobody has picked up, by no more types than a hundred", async () => {
    const { linesOf } = await setUp();
    const waiting = { jobID: "2", jobIDFinished: "1" };
    const items = [
      item("a", waiting),
      item("a", waiting),
      item("b", { ...waiting, phase: "Progressing" }),
      item("c", { jobID: "1", jobIDFinished: "1" }),
      item("d", undefined),
    ];
    expect(await linesOf([], items)).toEqual(['landscaper_deploy_items_waiting{type="a"} 2']);
    const many = Array.from({ length: 103 }, (_, index) => item(`type-${index}`, waiting));
    const lines = await linesOf([], [item("type-0", waiting), ...many]);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([
      101,
      'landscaper_deploy_items_waiting{type="type-0"} 2',
      'landscaper_deploy_items_waiting{type="other"} 3',
    ]);
  });

  it("and those of the runtime stand in docs/reference/metrics.md", async () => {
    const { metrics } = await setUp();
    createJobObserver(metrics.define, { now: Date.now });
    const manager = { log: createTestLogger(), reportNote: () => {} };
    reportSharedNamespace(manager, { define: metrics.define, namespace: undefined, management: undefined });
    const stats = { isStarted: true, published: 0, refused: 0, gaps: 0, waiting: 0, lagSeconds: 0, problem: undefined };
    addEventMetrics(metrics.define, () => stats);
    const { text } = await metrics.render();
    const told = [...text.matchAll(/^# HELP (\S+) (.+)$/gm)].filter(
      ([, name = ""]) => !/^(process|nodejs)_/.test(name),
    );
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/reference/metrics.md"), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \| (.*) \| (.+) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, name, , what]) => [name, what]))).toEqual(
      Object.fromEntries(told.map(([, name, help]) => [name, help])),
    );
  });
});
