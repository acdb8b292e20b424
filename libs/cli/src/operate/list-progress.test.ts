import { describe, expect, it } from "@jest/globals";
import { deployItem, ended, execution, installation, open } from "../../test/objects.ts";
import { buildTree } from "../tree/build-tree.ts";
import { listProgress } from "./list-progress.ts";

describe("listProgress", () => {
  const look = (phases: Parameters<typeof ended>[0], item: ReturnType<typeof ended> | ReturnType<typeof open>) => {
    const root = installation({ name: "app", status: phases === "Progressing" ? open(phases) : ended(phases, "j2") });
    const own = execution(root, { phase: "Succeeded" });
    const objects = {
      installations: [root],
      executions: [own],
      deployItems: [deployItem(own, { item: "a", status: item })],
    };
    return buildTree(objects);
  };

  it("tells of new phases once, and of final ones only when the job has ended", () => {
    const first = listProgress(look("Progressing", ended("Succeeded")), undefined);
    expect(first.lines).toEqual(["Installation app: Progressing"]);
    const begun = listProgress(look("Progressing", open("Succeeded")), first.seen);
    expect(begun.lines).toEqual([]);
    const picked = listProgress(look("Progressing", open("Progressing")), begun.seen);
    expect(picked.lines).toEqual(["DeployItem a (app-a): Progressing"]);
    const last = listProgress(look("Succeeded", ended("Succeeded", "j2")), picked.seen);
    expect(last.lines).toEqual(["Installation app: Succeeded", "DeployItem a (app-a): Succeeded"]);
  });

  it("leaves out the final phase of the job before, and objects without a phase", () => {
    const running = installation({ name: "app", status: open("Succeeded") });
    const { phase: _, ...withoutPhase } = open("Succeeded");
    const waiting = installation({ name: "next", status: withoutPhase });
    const trees = buildTree({ installations: [running, waiting], executions: [], deployItems: [] });
    expect(trees.map(({ isRunning }) => isRunning)).toEqual([true, true]);
    expect(listProgress(trees, undefined).lines).toEqual([]);
  });

  it("tells of a phase that is the same as in the job before", () => {
    const before = listProgress(look("Progressing", ended("Succeeded")), undefined);
    const after = listProgress(look("Progressing", ended("Succeeded", "j2")), before.seen);
    expect(after.lines).toEqual(["DeployItem a (app-a): Succeeded"]);
  });
});
