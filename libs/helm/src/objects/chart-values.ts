import {
  type CollectionType,
  FunctionError,
  type GoMap,
  NamedMap,
  type Value,
  define,
  isMap,
  quote,
} from "@landscaper/golang";
import { toYaml, YamlError } from "@landscaper/goyaml";

const valuesType: CollectionType = {
  name: "chartutil.Values",
  element: "interface {}",
  methods: {
    AsMap: (values) => define([], () => asMap(values)),
    YAML: (values) => define([], () => yamlOf(values)),
    Table: (values) => define(["string"], ([path]) => chartValues(tableAt(asMap(values), path))),
    PathValue: (values) => define(["string"], ([path]) => valueAt(asMap(values), path)),
  },
};

/** A map as Helm's type of values, chartutil.Values, with its methods AsMap, YAML, Table and PathValue. */
export function chartValues(values: GoMap): NamedMap {
  return values instanceof NamedMap ? values : new NamedMap(values, valuesType);
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
