import {
  type CollectionType,
  collectionType,
  FunctionError,
  type GoMap,
  NamedMap,
  type Value,
  define,
  isMap,
  quote,
} from "@landscaper/golang";
import { toYaml, YamlError } from "@landscaper/goyaml";

const methods: NonNullable<CollectionType["methods"]> = {
  AsMap: (values) => define([], () => asMap(values)),
  YAML: (values) => define([], () => yamlOf(values)),
  Table: (values) => define(["string"], ([path]) => chartValues(tableAt(asMap(values), path), typeNameOf(values))),
  PathValue: (values) => define(["string"], ([path]) => valueAt(asMap(values), path)),
};

/** Helm's type of values, by its name in each version. */
const valuesTypes = new Map<string, CollectionType>(
  ["chartutil.Values", "common.Values"].map((name) => [name, { name, element: "interface {}", methods }]),
);
const defaultType = "chartutil.Values";

/** Returns a map as Helm's type of values, with its methods AsMap, YAML, Table and PathValue. `typeName`: name of the Go type. */
export function chartValues(values: GoMap, typeName = defaultType): NamedMap {
  if (values instanceof NamedMap) return values;
  return new NamedMap(values, valuesTypes.get(typeName) ?? { name: typeName, element: "interface {}", methods });
}

/** Returns the name of the type of values, e.g. "chartutil.Values". */
export function typeNameOf(values: Value): string {
  return values instanceof NamedMap ? values[collectionType].name : defaultType;
}

function yamlOf(values: Value): string {
  try {
    return toYaml(values);
  } catch (error) {
    throw error instanceof YamlError ? new FunctionError(error.message) : error;
  }
}

function asMap(values: Value): GoMap {
  if (values instanceof NamedMap) return values.underlying;
  return isMap(values) ? values : new Map<string, Value>();
}

/** Follows a dotted path of tables; an error names the step that is none. */
function tableAt(values: GoMap, path: string): GoMap {
  let table = values;
  for (const name of path.split(".")) {
    const next = table.get(name);
    if (!isMap(next)) throw new FunctionError(`${quote(name)} is not a table`);
    table = asMap(next);
  }
  return table;
}

function valueAt(values: GoMap, path: string): Value {
  if (path === "") throw new FunctionError("YAML path cannot be empty");
  const names = path.split(".");
  const key = names.pop() ?? "";
  const value = parentTable(values, names)?.get(key);
  if (value === undefined || isMap(value)) throw new FunctionError(`${quote(key)} is not a value`);
  return value;
}

function parentTable(values: GoMap, names: readonly string[]): GoMap | undefined {
  try {
    return names.length === 0 ? values : tableAt(values, names.join("."));
  } catch (error) {
    if (error instanceof FunctionError) return undefined;
    throw error;
  }
}
