/** Kinds by "apiVersion/Kind", types by name; see libs/local-cluster/src/managed-fields/parse-field-types.ts for the texts. */
export interface FieldTypes {
  readonly kinds: Readonly<Record<string, string>>;
  readonly types: Readonly<Record<string, string | readonly string[]>>;
}

type Json = Readonly<Record<string, unknown>>;

const groups =
  /^apis?\/(v1|(admissionregistration|apiextensions|apiregistration|authorization|authentication|coordination|discovery|events|networking|rbac\.authorization|scheduling|storage)\.k8s\.io\/v1|(apps|batch|policy)\/v1|autoscaling\/v[12])$/;

/** Reads the documents below /openapi/v3 and puts the types of all kinds of the groups that the embedded server has into one table. */
export async function createFieldTypes(read: (path: string) => Promise<unknown>): Promise<FieldTypes> {
  const table: Table = { schemas: new Map(), types: {} };
  const kinds: Record<string, string> = {};
  const paths = recordOf(recordOf(await read("/openapi/v3"))["paths"]);
  for (const [path, entry] of Object.entries(paths).filter(([name]) => groups.test(name))) {
    const document = recordOf(await read(String(recordOf(entry)["serverRelativeURL"])));
    const schemas = recordOf(recordOf(document["components"])["schemas"]);
    for (const [name, schema] of Object.entries(schemas)) table.schemas.set(name, recordOf(schema));
    for (const [name, schema] of Object.entries(schemas)) {
      for (const key of kindsOf(recordOf(schema), path.replace(/^apis?\//, ""))) kinds[key] = addType(table, name);
    }
  }
  return { kinds, types: table.types };
}

interface Table {
  readonly schemas: Map<string, Json>;
  readonly types: Record<string, string | readonly string[]>;
}

/** Only the kinds of the document's own group and version: it names those of others, too. */
function kindsOf(schema: Json, apiVersion: string): readonly string[] {
  const kinds = schema["x-kubernetes-group-version-kind"];
  const properties = recordOf(schema["properties"]);
  if (!Array.isArray(kinds) || kinds.length !== 1 || !("metadata" in properties) || "items" in properties) return [];
  const { group, version, kind } = recordOf(kinds[0]);
  const own = group === "" ? String(version) : `${String(group)}/${String(version)}`;
  return own === apiVersion ? [`${own}/${String(kind)}`] : [];
}

/** Enters the type of a schema and answers its short name: "io.k8s.api.apps.v1.Deployment" is "apps.v1.Deployment". */
function addType(table: Table, schemaName: string): string {
  const name = schemaName.split(".").slice(-3).join(".");
  if (table.types[name] === undefined) {
    table.types[name] = ""; // known from here on: types may contain themselves
    table.types[name] = describeType(table, table.schemas.get(schemaName) ?? {});
  }
  return name;
}

function describeType(table: Table, schema: Json): string | readonly string[] {
  const properties = recordOf(schema["properties"]);
  if (Object.keys(properties).length === 0) return typeText(table, schema);
  const mark = schema["x-kubernetes-map-type"] === "atomic" ? ["!"] : [];
  const fields = Object.entries(properties).map(([name, field]) => `${name}|${typeText(table, recordOf(field))}`);
  return [...mark, ...fields];
}

function typeText(table: Table, schema: Json): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return `@${addType(table, reference)}`;
  switch (schema["type"]) {
    case "string":
      return schema["format"] === "date-time" || schema["format"] === "int-or-string" ? "u" : "s";
    case "integer":
    case "number":
      return "n";
    case "boolean":
      return "b";
    case "array":
      return `[${relationText(table, schema)}]${typeText(table, recordOf(schema["items"]))}`;
    case "object": {
      const values = schema["additionalProperties"];
      const mark = schema["x-kubernetes-map-type"] === "atomic" ? "a" : "";
      return values === undefined ? "?" : `{${mark}}${typeText(table, recordOf(values))}`;
    }
    default:
      return "oneOf" in schema ? "u" : "?";
  }
}

function referenceOf(schema: Json): string | undefined {
  const all = schema["allOf"];
  const found = schema["$ref"] ?? (Array.isArray(all) ? recordOf(all[0])["$ref"] : undefined);
  return typeof found === "string" ? found.split("/").at(-1) : undefined;
}

/** "" for a list that is one value, "s" for a set, "k" and the keys with their defaults for a list by key. */
function relationText(table: Table, schema: Json): string {
  switch (schema["x-kubernetes-list-type"]) {
    case "set":
      return "s";
    case "map": {
      const keys = schema["x-kubernetes-list-map-keys"];
      const item = table.schemas.get(referenceOf(recordOf(schema["items"])) ?? "") ?? {};
      const properties = recordOf(item["properties"]);
      const named = Array.isArray(keys) ? keys.map(String) : [];
      return `k${named.map((key) => keyText(key, recordOf(properties[key])["default"])).join(",")}`;
    }
    default:
      return "";
  }
}

/** "name=text", "name#number", or the name of a key without a default. */
function keyText(key: string, defaultValue: unknown): string {
  if (typeof defaultValue === "string") return `${key}=${defaultValue}`;
  return typeof defaultValue === "number" ? `${key}#${defaultValue}` : key;
}

function recordOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
