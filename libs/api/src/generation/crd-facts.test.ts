// What of the original's CRDs is wire format: names, subresources, required fields, printer columns.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { generateCrds } from "./crds.ts";
import type { StructuralSchema } from "../objects/foreign-kinds.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
}

/** `required`: by the path of each object in the schema; `[]` = items of a list, `{}` = values of a map, `.` = the object itself. */
interface Facts {
  readonly names: Readonly<Record<string, unknown>>;
  readonly scope: string;
  readonly version: string;
  readonly subresources: readonly string[];
  readonly columns: readonly Column[];
  readonly required: Readonly<Record<string, readonly string[]>>;
}

const file = join(import.meta.dirname, "../../testdata/crd-facts.json");
const facts = Object.entries(JSON.parse(readFileSync(file, "utf8")) as Record<string, Facts>);

function requiredOf(schema: StructuralSchema, path = ""): [string, readonly string[]][] {
  const { required = [], properties = {}, items, additionalProperties } = schema;
  const own: [string, readonly string[]][] = required.length === 0 ? [] : [[path || ".", required.toSorted()]];
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, below]) => requiredOf(below, path === "" ? name : `${path}.${name}`)),
    ...(items === undefined ? [] : requiredOf(items, `${path}[]`)),
    ...(typeof additionalProperties === "object" ? requiredOf(additionalProperties, `${path}{}`) : []),
  ];
}

describe.each(facts)("%s", (kind, fact) => {
  const crd = generateCrds().find(({ spec }) => spec.names.kind === kind);
  const [version] = crd?.spec.versions ?? [];

  it("has the names, the scope, the version and the subresources of the original", () => {
    expect({
      names: crd?.spec.names,
      scope: crd?.spec.scope,
      version: version?.name,
      subresources: Object.keys(version?.subresources ?? {}),
    }).toEqual({ names: fact.names, scope: fact.scope, version: fact.version, subresources: fact.subresources });
  });

  it("requires what the original requires", () => {
    const schema = version?.schema?.openAPIV3Schema ?? {};
    expect(Object.fromEntries(requiredOf(schema))).toEqual(fact.required);
  });

  it("has the columns of the original, perhaps among others", () => {
    const columns = (version?.additionalPrinterColumns ?? []).map(({ name, type, jsonPath }) => ({
      name,
      type,
      jsonPath,
    }));
    expect(columns).toEqual(expect.arrayContaining(fact.columns.map((column) => expect.objectContaining(column))));
  });
});
