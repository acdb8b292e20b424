export { createBlueprint, readBlueprint } from "./create-blueprint.ts";
export { filesFromTree } from "./blueprint-files.ts";
export type { BlueprintEntry, BlueprintFiles, BlueprintSource } from "./blueprint-source.ts";
export { exportedNames, importedNames, type ScopedName } from "./import/data-flow.ts";
export { listImportSources, outerScopeOf, type ImportSource } from "./import/import-sources.ts";
export { hashImports, importMissing, loadImports, type ImportReading } from "./import/load-imports.ts";
export { secretsOf } from "./import/secrets-of.ts";
export type { ImportLookup, LoadOptions } from "./import/load-source.ts";
export {
  isPredecessorFinished,
  listDependencies,
  listPredecessors,
  listSuccessors,
  type Dependency,
  type Siblings,
} from "./import/siblings.ts";
export {
  describeComponent,
  readComponents,
  selectRoot,
  type BlueprintComponent,
  type ComponentReading,
} from "./blueprint-component.ts";
export { blueprintOfInstallation } from "./installation/installation-blueprint.ts";
export { blueprintResources, findBlueprintResource, nameOfBlueprint } from "./blueprint-resource.ts";
export { warnOfInstallation } from "./installation/warn-of-installation.ts";
export { checkInstallation } from "./installation/check-installation.ts";
export { checkImports, type CheckedImports, type CheckImportsOptions } from "./import/check-imports.ts";
export { resolveImports, type ResolvedImports, type ResolveImportsOptions } from "./import/resolve-imports.ts";
export type { ImportedValues, ParameterType, ParameterValue } from "./parameter/parameter-value.ts";
export { parameterType, qualifyTargetType } from "./parameter/parameter-type.ts";
export {
  renderDeployItems,
  type RenderDeployItemsOptions,
  type RenderedDeployItems,
} from "./deploy-item/render-deploy-items.ts";
export { checkDeployItems } from "./deploy-item/check-deploy-items.ts";
export { renderExports, type RenderedExports, type RenderExportsOptions } from "./export/render-exports.ts";
export type { ExportedTarget } from "./export/check-exports.ts";
export {
  renderSubinstallations,
  type RenderedSubinstallations,
  type RenderSubinstallationsOptions,
} from "./subinstallation/render-subinstallations.ts";
export { sourceOfTemplate, type SubinstallationSource } from "./subinstallation/subinstallation-source.ts";
export { orderSubinstallations, predecessorsOf } from "./subinstallation/order-subinstallations.ts";
export { createRenderCaches, type RenderCaches } from "./render-caches.ts";
export { processorClock } from "@landscaper/budget";
export { startRenderBudget, type RenderContext, type TemplateStates } from "./render-context.ts";
export {
  hostFunctionNames,
  type HostFunction,
  type HostFunctionName,
  type ResourceContent,
  type TemplateHost,
} from "./template-host.ts";
export type { JsonSchema, SchemaSource } from "./schema/resolve-schema-refs.ts";
export { findRing, ringText } from "./dependency-ring.ts";
export { pureTemplateFunctions } from "./template/go-template-functions.ts";
export { findMeantName } from "./template/find-meant-name.ts";
export { sourceSnippet } from "./template/source-snippet.ts";
export {
  traceExports,
  traceImports,
  traceRendering,
  type RenderInput,
  type TraceExportsOptions,
} from "./provenance/trace-installation.ts";
export type { Traced } from "./provenance/trace-secrets.ts";
export { checkSecretNames } from "./provenance/check-secret-names.ts";
export { sensitiveConfigs, sensitiveExportData, sensitiveImports } from "./provenance/sensitive-results.ts";
export { createJobEntropy, drawFrom, type Entropy, type EntropySeed, type JobEntropy } from "./job-entropy.ts";
export { prerequisiteError } from "./blueprint-error.ts";
