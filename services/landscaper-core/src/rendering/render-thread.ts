// A thread of the Renderer: it has neither the cluster nor its credentials, and asks the main thread for what they give.
import { createRenderCaches } from "@landscaper/blueprint";
import { serveTasks } from "@landscaper/threads";
import { performRenderTask } from "./perform-render-task.ts";
import type { RenderTask } from "./render-task.ts";
import { warmUp } from "./warm-up.ts";

const caches = createRenderCaches();
serveTasks(
  async (task, { ask, note }) =>
    // The pool of the Renderer gives no others.
    await performRenderTask(task as RenderTask, { caches, ask, note }),
  { warmUp: async () => void (await warmUp()) },
);
