import { toPlain } from "@landscaper/golang";
import type { Chart, ChartDependency, ChartFile, ChartLock, ChartMetadata } from "./chart.ts";

/** A chart as a release record keeps it: without the dependencies' files, which Helm 3 does not keep either. */
export function chartRecord(chart: Chart): Record<string, unknown> {
  return {
    metadata: metadataRecord(chart.metadata),
    lock: chart.lock === undefined ? null : lockRecord(chart.lock),
    templates: chart.templates.map(fileRecord),
    values: toPlain(chart.values),
    schema: chart.schema === undefined ? null : base64(chart.schema),
    files: chart.files.map(fileRecord),
  };
}

function fileRecord({ name, data }: ChartFile): Record<string, unknown> {
  return { name, data: base64(data) };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** In the order of Helm's fields; empty ones are left out. */
function metadataRecord(metadata: ChartMetadata): Record<string, unknown> {
  return withoutEmpty({
    name: metadata.name,
    home: metadata.home,
    sources: metadata.sources,
    version: metadata.version,
    description: metadata.description,
    keywords: metadata.keywords,
    maintainers: metadata.maintainers?.map((maintainer) => withoutEmpty({ ...maintainer })),
    icon: metadata.icon,
    apiVersion: metadata.apiVersion,
    condition: metadata.condition,
    tags: metadata.tags,
    appVersion: metadata.appVersion,
    deprecated: metadata.deprecated,
    annotations: metadata.annotations,
    kubeVersion: metadata.kubeVersion,
    dependencies: metadata.dependencies?.map(dependencyRecord),
    type: metadata.type,
  });
}

function lockRecord({ generated, digest, dependencies }: ChartLock): Record<string, unknown> {
  return {
    generated: generated === "" ? "0001-01-01T00:00:00Z" : generated,
    digest,
    dependencies: (dependencies ?? []).map(dependencyRecord),
  };
}

function dependencyRecord(dependency: ChartDependency): Record<string, unknown> {
  const { name, version, repository = "", condition, tags, enabled, importValues, alias } = dependency;
  return {
    name,
    ...withoutEmpty({ version }),
    repository,
    ...withoutEmpty({ condition, tags, enabled, "import-values": importValues, alias }),
  };
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
