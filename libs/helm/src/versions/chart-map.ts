import { type GoMap, fromPlain, stringMap, type Value, withType } from "@landscaper/golang";
import type { ChartDependency, ChartMaintainer, ChartMetadata } from "../chart/chart.ts";

/** Returns `.Chart` of Helm 4: a map whose keys are the names of Go's fields. */
export function chartMap(metadata: ChartMetadata, isRoot: boolean): GoMap {
  const { annotations, maintainers = [], dependencies = [] } = metadata;
  return new Map<string, Value>([
    ["APIVersion", metadata.apiVersion ?? ""],
    ["Annotations", annotationMap(annotations)],
    ["AppVersion", metadata.appVersion ?? ""],
    ["Condition", metadata.condition ?? ""],
    ["Dependencies", dependencies.map(dependencyMap)],
    ["Deprecated", metadata.deprecated ?? false],
    ["Description", metadata.description ?? ""],
    ["Home", metadata.home ?? ""],
    ["Icon", metadata.icon ?? ""],
    ["IsRoot", isRoot],
    ["Keywords", [...(metadata.keywords ?? [])]],
    ["KubeVersion", metadata.kubeVersion ?? ""],
    ["Maintainers", maintainers.map(maintainerMap)],
    ["Name", metadata.name],
    ["Sources", [...(metadata.sources ?? [])]],
    ["Tags", metadata.tags ?? ""],
    ["Type", metadata.type ?? ""],
    ["Version", metadata.version],
  ]);
}

function annotationMap(annotations: Readonly<Record<string, string>> | undefined): Value {
  const map = new Map<string, Value>(Object.entries(annotations ?? {}));
  return withType(map, { ...stringMap, isNil: annotations === undefined });
}

function maintainerMap({ name, email, url }: ChartMaintainer): GoMap {
  return new Map<string, Value>([
    ["Email", email ?? ""],
    ["Name", name ?? ""],
    ["URL", url ?? ""],
  ]);
}

function dependencyMap(dependency: ChartDependency): GoMap {
  const { name, version, repository, condition, tags = [], enabled, importValues = [], alias } = dependency;
  return new Map<string, Value>([
    ["Alias", alias ?? ""],
    ["Condition", condition ?? ""],
    ["Enabled", enabled ?? false],
    ["ImportValues", importValues.map(fromPlain)],
    ["Name", name],
    ["Repository", repository ?? ""],
    ["Tags", [...tags]],
    ["Version", version ?? ""],
  ]);
}
