import type { ChartCase } from "@landscaper/helm/testing";
import * as fc from "fast-check";

const key = fc.constantFrom("a", "b", "s", "t", "global", "tags", "exports", "on");
const leaf = fc.constantFrom(null, 1, "x", true, false, [], [null, { a: null }]);
const { table } = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
  table: fc.dictionary(key, tie("value"), { maxKeys: 4, depthIdentifier: "table" }),
  value: fc.oneof({ depthIdentifier: "table", depthSize: "small", maxDepth: 4 }, leaf, tie("table")),
}));

const path = fc.constantFrom("a", "b", "a.b", "s.on", "t.on", "al.on", "global.a", "on", "s", "exports.a");
const imports = fc.oneof(
  path,
  fc.constantFrom("a", "b"),
  fc.record({ child: path, parent: fc.constantFrom("a", "b.a", ".", "s", "global") }),
);

function dependency(name: string): fc.Arbitrary<object> {
  return fc.record(
    {
      name: fc.constant(name),
      version: fc.constantFrom("*", "1.x", ">=2", ""),
      condition: fc.oneof(path, fc.constantFrom("a,b", "s.on, t.on", "")),
      tags: fc.array(fc.constantFrom("a", "b", "on"), { maxLength: 2 }),
      alias: fc.constantFrom("al", "a", "b"),
      "import-values": fc.array(imports, { maxLength: 2 }),
    },
    { requiredKeys: ["name", "version"] },
  );
}

/** Different names or aliases; Chart.yaml must not repeat them. */
function dependencies(name: string): fc.Arbitrary<object[]> {
  return fc.uniqueArray(dependency(name), {
    maxLength: 2,
    selector: (item) => ("alias" in item ? item.alias : name),
  });
}

interface Chart {
  readonly values: object;
  readonly dependencies: readonly object[];
}

function chart(child: string | undefined): fc.Arbitrary<Chart> {
  return fc.record({ values: table, dependencies: child === undefined ? fc.constant([]) : dependencies(child) });
}

function filesOf(folder: string, name: string, { values, dependencies: wanted }: Chart): Record<string, string> {
  const metadata = { apiVersion: "v2", name, version: "1.2.3", dependencies: wanted };
  return { [`${folder}Chart.yaml`]: JSON.stringify(metadata), [`${folder}values.yaml`]: JSON.stringify(values) };
}

/** A chart with a dependency that has one itself, and values for it. */
export const helmChartCase: fc.Arbitrary<ChartCase> = fc
  .record({
    root: chart("s"),
    middle: fc.option(chart("t"), { nil: undefined }),
    inner: fc.option(chart(undefined), { nil: undefined }),
    given: table,
    steps: fc.constantFrom<ChartCase["steps"]>(
      ["process", "coalesce"],
      ["process", "coalesce"],
      ["coalesce"],
      ["merge"],
      ["check", "process", "merge"],
    ),
  })
  .map(({ root, middle, inner, given, steps }) => ({
    name: "generated",
    files: {
      ...filesOf("chart/", "root", root),
      ...(middle === undefined ? {} : filesOf("chart/charts/s/", "s", middle)),
      ...(middle === undefined || inner === undefined ? {} : filesOf("chart/charts/s/charts/t/", "t", inner)),
      "given.yaml": JSON.stringify(given),
    },
    flags: { files: ["given.yaml"] },
    steps: steps ?? [],
    show: ["metadata", "values", "sorted"],
  }));
