import * as fc from "fast-check";
import { oneText, text } from "../text-arbitrary.ts";
import { type HelmCommand, usualWords, withShowTemplates } from "./helm-command.ts";

// Values in which the versions of Helm differ: null in every file and at any depth, several YAML documents, aliases of aliases, imports and
// conditions below them, and mixed flags.
const key = fc.constantFrom("a", "b", "s", "al", "t", "in", "global", "exports", "on", "tags");
const leaf = fc.constantFrom(null, null, null, 1, "x", true, false, {}, [null, { a: null }], []);
const { table } = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
  table: fc.dictionary(key, tie("value"), { maxKeys: 4, depthIdentifier: "table" }),
  value: fc.oneof({ depthIdentifier: "table", depthSize: "small", maxDepth: 4 }, leaf, tie("table")),
}));
/** Mostly a table for each dependency: the values of a dependency must be one. */
const tables = fc
  .tuple(table, fc.dictionary(fc.constantFrom("s", "al", "t", "in", "global"), table, { maxKeys: 3 }), fc.nat(15))
  .map(([any, forCharts, dice]) => ({ ...(dice === 0 ? any : withoutLeaves(any)), ...forCharts }));

function withoutLeaves(values: Record<string, unknown>): Record<string, unknown> {
  const isFine = ([name, value]: readonly [string, unknown]): boolean =>
    !["s", "al", "t", "in"].includes(name) || (typeof value === "object" && !Array.isArray(value));
  return Object.fromEntries(Object.entries(values).filter(isFine));
}

const document = fc.oneof(
  { arbitrary: tables.map((values) => `${JSON.stringify(values)}\n`), weight: 12 },
  { arbitrary: oneText("a: 1\n", "b:\n  x: null\n", "a: |\n  text\n\n\n", "a: ~\nb: 1e3\n"), weight: 4 },
  { arbitrary: oneText("", "# only a comment\n", "\n", "  \n", "null\n", "{}\n"), weight: 4 },
  oneText("- x\n", "text\n", "42\n", "a: [\n", "a: 1\na: 2\n", "true\n"),
);
const separator = fc.oneof(
  { arbitrary: fc.constant("---\n"), weight: 8 },
  { arbitrary: oneText("--- \n", "---  # comment\n", "---\t\n", "---\r\n", "---\n---\n", "\n---\n\n"), weight: 4 },
  oneText("--- {a: 5}\n", "---x: 1\n", "----\n", " ---\n", "...\n", "...\n---\n", "%YAML 1.1\n---\n", "---#x\n"),
);
/** Text of a file with several documents. */
const documents = fc
  .tuple(fc.oneof(oneText(""), separator), fc.array(fc.tuple(document, separator), { maxLength: 3 }), document)
  .map(([start, some, last]) => `${start}${some.flat().join("")}${last}`);
const valuesText = fc.oneof(
  { arbitrary: tables.map((values) => JSON.stringify(values)), weight: 4 },
  { arbitrary: documents, weight: 1 },
);

const path = fc.constantFrom("a", "b", "a.b", "s.on", "al.on", "in.on", "t.on", "global.a", "on", "s", "exports.a");
const imports = fc.oneof(
  fc.constantFrom("a", "b"),
  fc.record({ child: path, parent: fc.constantFrom("a", "b.a", ".", "s", "global", "exports.a") }),
);

/** What Chart.yaml says of a dependency, once or under two names. */
function dependencies(name: string, alias: string): fc.Arbitrary<object[]> {
  const one = fc.record(
    {
      name: fc.constant(name),
      version: fc.constantFrom("*", "1.x"),
      condition: fc.oneof(path, fc.constantFrom(`${name}.on`, `${alias}.on`, "a,on")),
      tags: fc.array(fc.constantFrom("a", "b", "on"), { maxLength: 2 }),
      alias: fc.constantFrom(alias, alias, "a"),
      "import-values": fc.array(imports, { maxLength: 2 }),
    },
    { requiredKeys: ["name", "version"] },
  );
  return fc.uniqueArray(one, { maxLength: 3, selector: (item) => ("alias" in item ? item.alias : name) });
}

const schema = fc.constantFrom(
  { properties: { a: { type: "object" } } },
  { properties: { a: { type: ["null", "integer"] }, b: { type: "string" } } },
  { required: ["a"] },
  { properties: { global: { properties: { a: { not: { type: "null" } } } } } },
);

interface Part {
  readonly values: string;
  readonly dependencies: readonly object[];
  readonly schema: object | undefined;
}

function part(child: readonly [name: string, alias: string] | undefined): fc.Arbitrary<Part> {
  return fc.record({
    values: valuesText,
    dependencies: child === undefined ? fc.constant([]) : dependencies(...child),
    schema: fc.option(schema, { nil: undefined, freq: 1 }),
  });
}

function filesOf(
  folder: string,
  name: string,
  { values, dependencies: wanted, schema: rules }: Part,
): HelmCommand["files"] {
  const metadata = {
    apiVersion: "v2",
    name,
    version: "1.2.3",
    ...(wanted.length === 0 ? {} : { dependencies: wanted }),
  };
  return {
    [`${folder}Chart.yaml`]: JSON.stringify(metadata),
    [`${folder}values.yaml`]: values,
    ...(rules === undefined ? {} : { [`${folder}values.schema.json`]: JSON.stringify(rules) }),
  };
}

const setKey = oneText(
  "a",
  "b",
  "s.a",
  "al.b",
  "s.t.a",
  "al.in.b",
  "global.a",
  "tags.on",
  "s.on",
  "a[0]",
  "s.global.a",
  "b.a",
);
const json = fc.oneof(
  tables.map((values) => JSON.stringify(values)),
  oneText("null", "1", "[]", "{", '{"a":', "{}x", " {}"),
);
const flag = fc.oneof(
  text`--set=${setKey}=${oneText("null", "1", "x", "true", "false", "{a,null}", "", "1.5")}`,
  text`--set=${setKey}=null,${setKey}=2`,
  text`--set-string=${setKey}=${oneText("null", "1", "")}`,
  text`--set-literal=${setKey}=${oneText("null", "{}", "a,b")}`,
  text`--set-json=${json}`,
  text`--set-json=${setKey}=${json}`,
  text`--set-json= ${json}`,
  text`--set-file=${setKey}=CHART/given.yaml`,
);

/** A chart with dependencies under aliases, and values of all kinds. */
export const dialectValues: fc.Arbitrary<HelmCommand> = fc
  .record({
    root: part(["s", "al"]),
    middle: part(["t", "in"]),
    inner: part(undefined),
    deepest: fc.option(part(undefined), { nil: undefined, freq: 2 }),
    given: fc.array(valuesText, { maxLength: 2 }),
    flags: fc.array(flag, { maxLength: 2 }),
  })
  .map(({ root, middle, inner, deepest, given, flags }) => ({
    files: withShowTemplates({
      ...filesOf("chart/", "root", root),
      ...filesOf("chart/charts/s/", "s", middle),
      ...filesOf("chart/charts/s/charts/t/", "t", inner),
      ...(deepest === undefined ? {} : filesOf("chart/charts/s/charts/t/charts/u/", "u", deepest)),
      ...Object.fromEntries(given.map((content, at) => [`given${at}.yaml`, content])),
      "given.yaml": "of a file\n",
    }),
    words: [...usualWords, ...given.flatMap((_, at) => ["-f", `CHART/given${at}.yaml`]), ...flags],
  }));
