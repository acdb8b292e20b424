import type { Installation } from "@landscaper/api";
import {
  describeComponent,
  drawFrom,
  processorClock,
  startRenderBudget,
  type BlueprintSource,
  type RenderCaches,
  type RenderContext,
} from "@landscaper/blueprint";
import type { Closure } from "@landscaper/components";
import { nameOf, namespaceOf } from "../object-reading.ts";
import type { JobInput } from "./render-task.ts";

export interface RenderContextOptions {
  readonly job: JobInput;
  readonly source: BlueprintSource;
  /** The component of the Installation with all that it refers to. */
  readonly closure: Closure | undefined;
  readonly caches: RenderCaches;
  readonly onStep: (step: string) => void;
  /** Told of private keys that templates make. */
  readonly onKey: (name: string, key: string) => void;
}

/** What every rendering of one job sees: time is the start of the job, random bytes belong to it (design.md §3.2). */
export function buildRenderContext({
  job,
  source,
  closure,
  caches,
  onStep,
  onKey,
}: RenderContextOptions): RenderContext {
  const { installation } = job;
  const began = new Date(job.nowMs);
  return {
    source,
    installation: { name: nameOf(installation), namespace: namespaceOf(installation), spec: installation.spec },
    component: describeComponent(closure, source),
    componentDescriptorDefinition: definitionOf(installation, closure),
    now: () => began,
    ...drawFrom(job.entropy, { onKey }),
    caches,
    onStep,
    budget: startRenderBudget(processorClock),
  };
}

/** The section of the Installation, with the reference that counts (core.md §3.7). */
function definitionOf({ spec }: Installation, closure: Closure | undefined): unknown {
  const { componentDescriptor } = spec;
  if (componentDescriptor?.ref === undefined || closure === undefined) return componentDescriptor ?? null;
  const { root, context } = closure;
  const repository = context === undefined ? {} : { repositoryContext: context };
  return { ...componentDescriptor, ref: { ...repository, componentName: root.name, version: root.version } };
}
