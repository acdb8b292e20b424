export { helmFunctions } from "./functions/helm-functions.ts";
export type { Lookup, LookupQuery } from "./functions/helm-environment.ts";
export type { Capabilities } from "./objects/capabilities.ts";
export type { ChartFiles } from "./objects/chart-files.ts";
export type { ChartDependency, ChartMaintainer, ChartMetadata } from "./objects/chart-metadata.ts";
export { chartScope, releaseScope } from "./objects/chart-scope.ts";
export type { ChartScope, Release, ReleaseScope } from "./objects/chart-scope.ts";
export { renderTemplates } from "./render/render-templates.ts";
export type { ChartTemplate, RenderTemplatesOptions } from "./render/render-templates.ts";
