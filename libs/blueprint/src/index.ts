export type * from "./blueprint-source.ts";
export type * from "./imported-values.ts";
export type * from "./data-mapper.ts";
export type * from "./render-context.ts";
export type * from "./template-host.ts";
export type * from "./spiff-engine.ts";
export type * from "./rendering.ts";
// Functions, all synchronous and pure; each throws LandscaperError:
//   createBlueprint(filesystem, where?): BlueprintSource
//   checkImports(options: CheckImportsOptions): ImportedValues
//   resolveImports(options: ResolveImportsOptions): ResolvedImports
//   renderDeployItems(options: RenderDeployItemsOptions): RenderedDeployItems
//   renderSubinstallations(options: RenderSubinstallationsOptions): RenderedSubinstallations
//   renderExports(options: RenderExportsOptions): RenderedExports
//   orderSubinstallations(templates: readonly InstallationTemplate[]): readonly InstallationTemplate[]   (cycle, double export)
