import type { DeployItemTemplate, InstallationTemplate, Target } from "@landscaper/api";
import type { BlueprintSource } from "./blueprint-source.ts";
import type { ImportedValues, ResolvedImports } from "./imported-values.ts";
import type { RenderContext, TemplateStates } from "./render-context.ts";

/** createBlueprint(filesystem, where?): reads an inline file system (nested map, or its YAML text). */
export type CreateBlueprint = (filesystem: unknown, where?: string) => BlueprintSource;

/** resolveImports(options): mappings, defaults, type and schema checks, then import executions. */
export interface ResolveImportsOptions {
  readonly context: RenderContext;
  /** What the Installation imports, by import name. */
  readonly given: ImportedValues;
  readonly mappings?: Readonly<Record<string, unknown>>;
}

/** checkImports({ source, values }): defaults, type and schema checks only. */
export interface CheckImportsOptions {
  readonly source: BlueprintSource;
  readonly values: ImportedValues;
}

export interface RenderDeployItemsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  readonly state?: TemplateStates;
}
export interface RenderedDeployItems {
  /** Complete and valid; `target` is the ObjectRef of the imported Target object (core.md §4.14). */
  readonly deployItems: readonly DeployItemTemplate[];
  /** New state by execution name; executions without a `state` node are absent. */
  readonly state: TemplateStates;
}

export type RenderSubinstallationsOptions = RenderDeployItemsOptions;
export interface RenderedSubinstallations {
  /** Valid templates in dependency order (predecessors first), conditional imports pruned. */
  readonly subinstallations: readonly InstallationTemplate[];
  readonly state: TemplateStates;
}

export interface RenderExportsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  readonly bindings: {
    /** Exports of deploy items by item name. */
    readonly deployItems: Readonly<Record<string, unknown>>;
    /** Data objects and Targets of the Installation's own scope by key. */
    readonly dataObjects: Readonly<Record<string, unknown>>;
    readonly targets: Readonly<Record<string, Target>>;
  };
  /** Names of the exports that the Installation lists and the mappings that it makes (core.md §1.5 D14). */
  readonly wanted: { readonly data: readonly string[]; readonly targets: readonly string[] };
  readonly mappings?: Readonly<Record<string, unknown>>;
  readonly state?: TemplateStates;
}
/** A Target to create for a target export. */
export interface ExportedTarget {
  readonly type: string;
  readonly config?: unknown;
  readonly secretRef?: { readonly name: string; readonly key?: string };
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}
export interface RenderedExports {
  readonly data: Readonly<Record<string, unknown>>;
  readonly targets: Readonly<Record<string, ExportedTarget>>;
  readonly state: TemplateStates;
}
