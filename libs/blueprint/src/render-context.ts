import type { InstallationSpec } from "@landscaper/api";
import type { Budget } from "@landscaper/gotemplate";
import type { BlueprintSource } from "./blueprint-source.ts";
import type { DataMapper } from "./data-mapper.ts";
import type { RenderCaches } from "./render-caches.ts";
import type { SpiffEngine } from "./spiff-engine.ts";
import type { TemplateHost } from "./template-host.ts";

/** Everything that rendering depends on. No I/O, no clock and no randomness but what is given here. */
export interface RenderContext {
  readonly source: BlueprintSource;
  readonly installation: {
    readonly name: string;
    readonly namespace: string;
    /** Bindings blueprint, blueprintDef and componentDescriptorDef. */
    readonly spec: Pick<InstallationSpec, "blueprint" | "componentDescriptor">;
  };
  /** Binding cd: the component descriptor that owns the blueprint; absent for an inline blueprint without one. */
  readonly componentDescriptor?: unknown;
  /** Binding components: the descriptors of all referenced components, in the form of the descriptor's schema. */
  readonly components?: unknown;
  /** Binding componentDescriptorDef where it differs from the Installation's own section (effective reference). */
  readonly componentDescriptorDefinition?: unknown;
  /** Component and cluster functions of templates. Without one they are errors that say so. */
  readonly host?: TemplateHost;
  /** The language of data mappings. Without one only constants can be mapped. */
  readonly mapper?: DataMapper;
  /** The language of executions of type Spiff. Without one they are errors that say so. */
  readonly spiff?: SpiffEngine;
  /** Time and random bytes; they must be the same for every attempt of a job (design.md §3.2). */
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  readonly caches?: RenderCaches;
  /** Limits of each template execution. */
  readonly budget?: Budget;
}

/** State of template executions by execution name; subinstallation executions share the deploy state (core.md §4.47). */
export type TemplateStates = Readonly<Record<string, unknown>>;

/** The bindings that all templates get (core.md §3.7). */
export function standardBindings(
  context: RenderContext,
  imports: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { spec } = context.installation;
  return {
    imports,
    cd: context.componentDescriptor ?? null,
    components: context.components ?? null,
    blueprint: spec.blueprint,
    blueprintDef: spec.blueprint,
    componentDescriptorDef: context.componentDescriptorDefinition ?? spec.componentDescriptor ?? null,
  };
}
