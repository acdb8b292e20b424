import {
  componentOfInstallation,
  drawFrom,
  processorClock,
  startRenderBudget,
  type BlueprintSource,
  type RenderCaches,
  type RenderContext,
} from "@landscaper/blueprint";
import { nameOf, namespaceOf } from "../object-reading.ts";
import type { JobInput } from "./render-task.ts";

export interface RenderContextOptions {
  readonly job: JobInput;
  readonly source: BlueprintSource;
  readonly caches: RenderCaches;
  readonly onStep: (step: string) => void;
  /** Told of private keys that templates make. */
  readonly onKey: (name: string, key: string) => void;
}

/** What every rendering of one job sees: time is the start of the job, random bytes belong to it (design.md §3.2). */
export function buildRenderContext({ job, source, caches, onStep, onKey }: RenderContextOptions): RenderContext {
  const { installation } = job;
  const began = new Date(job.nowMs);
  onStep("component descriptor");
  return {
    source,
    installation: { name: nameOf(installation), namespace: namespaceOf(installation), spec: installation.spec },
    component: componentOfInstallation(installation, source),
    now: () => began,
    ...drawFrom(job.entropy, { onKey }),
    caches,
    onStep,
    budget: startRenderBudget(processorClock),
  };
}
