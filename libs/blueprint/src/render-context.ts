import type { InstallationSpec, Warning } from "@landscaper/api";
import { ContentBudget } from "@landscaper/budget";
import type { Budget } from "@landscaper/gotemplate";
import type { CreateKey } from "@landscaper/x509";
import { componentBindings, type BlueprintComponent } from "./blueprint-component.ts";
import type { BlueprintSource } from "./blueprint-source.ts";
import type { RenderCaches } from "./render-caches.ts";
import type { SecretWatch } from "./provenance/secret-watch.ts";
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
  /** Bindings cd and components: the component that owns the blueprint; absent for an inline blueprint without one. */
  readonly component?: BlueprintComponent | undefined;
  /** Binding componentDescriptorDef where it differs from the Installation's own section (effective reference). */
  readonly componentDescriptorDefinition?: unknown;
  /** Functions of templates that need repositories or clusters. Without one they are errors that say so. */
  readonly host?: TemplateHost;
  /** Time and random bytes; they must be the same for every attempt of a job (design.md §3.2). */
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
  /** Private keys that templates make; they, too, must be the same for every attempt of a job. Default: a new one each time. */
  readonly createKey?: CreateKey;
  readonly caches?: RenderCaches;
  /** Learns when a template reads what is secret. */
  readonly secretWatch?: SecretWatch;
  /** In the second rendering of `traceSecrets`, whose values need not fit the schemas. */
  readonly isShadow?: boolean;
  /** Learns what templates give that nobody knows. */
  readonly onWarning?: (warning: Warning) => void;
  /** Called before each part of the work with its name, for whoever ends it. */
  readonly onStep?: (step: string) => void;
  /** Limits of all template executions, data mappings and schemas of this context, in both languages. */
  readonly budget?: Budget;
}

/**
 * The limits of services and commands for one job: those of the languages, and ten seconds by a steady clock in ms and 256 MiB for all
 * of its templates, mappings and schemas. Every job needs one of its own.
 */
export function startRenderBudget(clock: () => number): Budget {
  return { content: new ContentBudget({ clock }) };
}

/** State of template executions by execution name. */
export type TemplateStates = Readonly<Record<string, unknown>>;

/** The bindings that all templates get (core.md §3.7). */
export function standardBindings(
  context: RenderContext,
  imports: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { spec } = context.installation;
  return {
    imports,
    ...componentBindings(context.component),
    blueprint: spec.blueprint,
    blueprintDef: spec.blueprint,
    componentDescriptorDef: context.componentDescriptorDefinition ?? spec.componentDescriptor ?? null,
  };
}
