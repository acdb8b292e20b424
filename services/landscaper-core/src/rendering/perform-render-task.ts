import { LandscaperError, redactLeaves } from "@landscaper/api";
import { hashImports, type RenderCaches } from "@landscaper/blueprint";
import { findInIndex } from "@landscaper/chart-source";
import { SuppliesLacking } from "@landscaper/components";
import { collectItemExports } from "./collect-exports-task.ts";
import { lookupOf } from "./import-objects.ts";
import { explainEngineError } from "./render-failure.ts";
import { readSecrets, renderComplete, renderInit } from "./render-parts.ts";
import type { RenderQuestion, RenderResults, RenderTask } from "./render-task.ts";

/** What a task has from the thread that it runs in. */
export interface TaskSurroundings {
  readonly caches: RenderCaches;
  readonly ask: (question: RenderQuestion) => Promise<unknown>;
  /** Says what the task is at, for the message when it is ended. */
  readonly note: (step: string) => void;
}

/** Everything of the core that depends on what users have written. Throws LandscaperErrors that may be told. */
export async function performRenderTask(
  task: RenderTask,
  { caches, ask, note }: TaskSurroundings,
): Promise<RenderResults[RenderTask["type"]]> {
  let step = "rendering";
  const onStep = (next: string): void => {
    step = next;
    note(next);
  };
  const surroundings = {
    caches,
    onStep,
    // The main thread answers each question with what belongs to it.
    findStates: async (names: readonly string[]) =>
      (await ask({ type: "states", names })) as readonly (string | undefined)[],
    askCluster: async (question: Omit<Extract<RenderQuestion, { type: "cluster" }>, "type">) =>
      await ask({ type: "cluster", ...question }),
  };
  try {
    switch (task.type) {
      case "init":
        return await renderInit(task, surroundings);
      case "complete":
        return await renderComplete(task, surroundings);
      case "hash":
        return await hashImports(task.installation, lookupOf(task.imports), task.options);
      case "index":
        onStep(`index of ${task.query.where}`);
        return findInIndex(task.index, task.query);
      case "collect":
        return collectItemExports(task.exports, onStep);
      case "mask": {
        const secrets = await readSecrets(task.job);
        return task.texts.map((text) => redactLeaves(text, secrets));
      }
    }
  } catch (error) {
    if (error instanceof SuppliesLacking) return { lacking: error.requests };
    throw error instanceof LandscaperError ? error : explainEngineError(error, step);
  }
}
