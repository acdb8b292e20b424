export { chartBelow, chartCrds, isCrdFile, rootPlace, walkCharts } from "./chart/chart.ts";
export type {
  Chart,
  ChartAt,
  ChartCrd,
  ChartDependency,
  ChartFile,
  ChartLock,
  ChartMaintainer,
  ChartMetadata,
} from "./chart/chart.ts";
export { chartRecord } from "./chart/chart-record.ts";
export { ChartError, type ChartErrorPlace } from "./chart/chart-error.ts";
export { contentTypeOf } from "./chart/content-type.ts";
export { type ChartFolder, type FolderEntry, folderOf, type ListedEntry } from "./chart/chart-folder.ts";
export {
  loadChart,
  loadChartArchive,
  loadChartFolder,
  type LoadChartOptions,
  loadFolderFiles,
} from "./chart/load-chart.ts";
export { isGzip } from "./chart/read-archive.ts";
export type { ChartLimits } from "./chart/load-budget.ts";
export { checkDependencies, processDependencies } from "./dependencies/process-dependencies.ts";
export { helmFunctionNames, helmFunctions } from "./functions/helm-functions.ts";
export type { Lookup, LookupQuery } from "./functions/helm-environment.ts";
export type { Capabilities } from "./objects/capabilities.ts";
export type { ChartFiles } from "./objects/chart-files.ts";
export { chartScope, releaseScope } from "./objects/chart-scope.ts";
export type { ChartScope, Release, ReleaseScope } from "./objects/chart-scope.ts";
export {
  formatDocument,
  formatManifests,
  formatTemplate,
  type FormatTemplateOptions,
  shownHooks,
} from "./manifests/format-template.ts";
export { type Hook, type HookEvent, hookEvents, hooksOf } from "./manifests/hook.ts";
export { installOrder, type KindOrder, sortByKind } from "./manifests/kind-order.ts";
export { type Manifest, sortManifests, type SortedManifests } from "./manifests/sort-manifests.ts";
export { splitKeepingSpace } from "./manifests/split-keeping-space.ts";
export { splitManifests } from "./manifests/split-manifests.ts";
export { defaultApiVersions } from "./objects/default-api-versions.ts";
export { parseKubeVersion } from "./objects/parse-kube-version.ts";
export { CompiledCharts } from "./rendering/compiled-charts.ts";
export {
  type AttemptSources,
  type FetchObject,
  type LiveLookupOptions,
  renderWithLookups,
} from "./rendering/live-lookups.ts";
export {
  ManifestError,
  renderChart,
  type RenderChartOptions,
  type RenderedChart,
  renderFiles,
} from "./rendering/render-chart.ts";
export { renderTemplates } from "./rendering/render-templates.ts";
export type { ChartTemplate, RenderTemplatesOptions } from "./rendering/render-templates.ts";
export { type CoalesceOptions, coalesceValues } from "./values/coalesce-values.ts";
export { mergeValues } from "./values/merge-values.ts";
export { parseValues } from "./values/parse-values.ts";
export { type RenderValuesOptions, renderValues } from "./values/render-values.ts";
export {
  type FetchSchema,
  type RemoteSchema,
  type RemoteSchemas,
  withRemoteSchemas,
} from "./values/schema/remote-schemas.ts";
export { type ValueFlags, valuesOfFlags } from "./values/flag-values.ts";
export { type HelmVersion, helmVersions } from "./versions/helm-version.ts";
export type { HelmDialect } from "./versions/helm-dialect.ts";
export {
  changesLoading,
  dialectDifferences,
  type DifferenceName,
  loadHybrid,
  otherVersion,
} from "./versions/dialect-differences.ts";
export { explainChanges, type HybridRequest, idsThatDiffer, type ObjectTexts } from "./versions/explain-changes.ts";
export { loadDialect } from "./versions/load-dialect.ts";
export { setValues, type SetKind } from "./values/set/set-values.ts";
