import { type GoObject, type Value, fromPlain, nilList, strings, stringMap, withType } from "@landscaper/golang";
import type { ChartDependency, ChartMaintainer, ChartMetadata } from "../chart/chart.ts";
import { GoStruct, type StructField } from "./go-struct.ts";

/** A field that JSON leaves out when it is empty; go-yaml knows it by its lower-case name and writes it always. */
function field(name: string, json: string, value: Value): StructField {
  return { name, json, value, omitsEmptyJson: true };
}

function textList(items: readonly string[] | undefined): Value {
  if (items !== undefined) return strings(items);
  return withType([], { name: "[]string", element: "string", isNil: true });
}

/** `.Chart`: a struct, so that fields have Go's names and an unknown one is an error. */
export function chartObject(metadata: ChartMetadata, isRoot: boolean): GoObject {
  const inner = new GoStruct({ typeName: "chart.Metadata", fields: metadataFields(metadata) });
  return new GoStruct({
    typeName: "struct { chart.Metadata; IsRoot bool }",
    fields: [
      { name: "Metadata", value: inner, isEmbedded: true },
      { name: "IsRoot", value: isRoot },
    ],
  });
}

function metadataFields(metadata: ChartMetadata): readonly StructField[] {
  const { annotations, maintainers, dependencies } = metadata;
  return [
    field("Name", "name", metadata.name),
    field("Home", "home", metadata.home ?? ""),
    field("Sources", "sources", textList(metadata.sources)),
    field("Version", "version", metadata.version),
    field("Description", "description", metadata.description ?? ""),
    field("Keywords", "keywords", textList(metadata.keywords)),
    field("Maintainers", "maintainers", pointers("chart.Maintainer", maintainers?.map(maintainerObject))),
    field("Icon", "icon", metadata.icon ?? ""),
    field("APIVersion", "apiVersion", metadata.apiVersion ?? ""),
    field("Condition", "condition", metadata.condition ?? ""),
    field("Tags", "tags", metadata.tags ?? ""),
    field("AppVersion", "appVersion", metadata.appVersion ?? ""),
    field("Deprecated", "deprecated", metadata.deprecated ?? false),
    field("Annotations", "annotations", annotationMap(annotations)),
    field("KubeVersion", "kubeVersion", metadata.kubeVersion ?? ""),
    field("Dependencies", "dependencies", pointers("chart.Dependency", dependencies?.map(dependencyObject))),
    field("Type", "type", metadata.type ?? ""),
  ];
}

function pointers(type: string, items: readonly GoObject[] | undefined): Value {
  const element = `*${type}`;
  return withType([...(items ?? [])], { name: `[]${element}`, element, isNil: items === undefined });
}

function annotationMap(annotations: Readonly<Record<string, string>> | undefined): Value {
  const map = new Map<string, Value>(Object.entries(annotations ?? {}));
  return withType(map, { ...stringMap, isNil: annotations === undefined });
}

function maintainerObject({ name, email, url }: ChartMaintainer): GoObject {
  return new GoStruct({
    typeName: "*chart.Maintainer",
    fields: [field("Name", "name", name ?? ""), field("Email", "email", email ?? ""), field("URL", "url", url ?? "")],
  });
}

function dependencyObject(dependency: ChartDependency): GoObject {
  const { name, version, repository, condition, tags, enabled, importValues, alias } = dependency;
  const optional = (field: string, key: string, value: Value): StructField => {
    return { name: field, json: key, yaml: key, value, omitsEmptyJson: true, omitsEmptyYaml: true };
  };
  const imports = importValues === undefined ? nilList() : importValues.map(fromPlain);
  return new GoStruct({
    typeName: "*chart.Dependency",
    fields: [
      { name: "Name", json: "name", value: name },
      optional("Version", "version", version ?? ""),
      { name: "Repository", json: "repository", value: repository ?? "" },
      optional("Condition", "condition", condition ?? ""),
      optional("Tags", "tags", textList(tags)),
      optional("Enabled", "enabled", enabled ?? false),
      optional("ImportValues", "import-values", imports),
      optional("Alias", "alias", alias ?? ""),
    ],
  });
}
