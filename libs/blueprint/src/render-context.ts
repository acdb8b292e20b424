import type { InstallationSpec } from "@landscaper/api";
import type { BlueprintSource } from "./blueprint-source.ts";
import type { DataMapper } from "./data-mapper.ts";
import type { TemplateHost } from "./template-host.ts";
import type { SpiffEngine } from "./spiff-engine.ts";

/** Everything that rendering depends on. No I/O, no clock and no randomness but what is given here. */
export interface RenderContext {
  readonly source: BlueprintSource;
  readonly installation: {
    readonly name: string;
    readonly namespace: string;
    readonly spec: Pick<InstallationSpec, "blueprint" | "componentDescriptor">;
  };
  /** Binding `cd`: the component descriptor that owns the blueprint; absent for an inline blueprint without one. */
  readonly componentDescriptor?: unknown;
  /** Binding `components`: the descriptors of all components referenced, in the form of the descriptor's schema. */
  readonly components?: unknown;
  /** Binding `componentDescriptorDef`, when it differs from the Installation's own section (effective reference). */
  readonly componentDescriptorDefinition?: unknown;
  /** Component and cluster functions of the templates. Without one they are errors that say so. */
  readonly host?: TemplateHost;
  /** The language of data mappings. Without one only constants can be mapped. */
  readonly mapper?: DataMapper;
  /** The language of executions of type Spiff. Without one they are errors that say so. */
  readonly spiff?: SpiffEngine;
  /** Time and random bytes; must give the same answers to every attempt of a job (design.md §3.2). */
  readonly now: () => Date;
  readonly random: (bytes: number) => Uint8Array;
}

/** State of template executions by execution name; "deploy" state also serves subinstallation executions. */
export type TemplateStates = Readonly<Record<string, unknown>>;
