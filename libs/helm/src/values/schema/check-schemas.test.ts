import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import { type GoMap, fromPlain, isMap } from "@landscaper/golang";
import { ChartError } from "../../chart/chart-error.ts";
import { checkSchemas } from "./check-schemas.ts";
import { type FetchSchema, type RemoteSchema, type RemoteSchemas, withRemoteSchemas } from "./remote-schemas.ts";
import { SchemaDocuments, SchemaError } from "./schema-documents.ts";
import { numberText } from "./schema-failure.ts";
import { Validator } from "./validate-value.ts";

function check(schema: unknown, values: unknown): string {
  const given = fromPlain(values);
  const map: GoMap = isMap(given) ? given : new Map();
  const chart = { metadata: { name: "c", version: "1.0.0" }, templates: [], files: [], raw: [], dependencies: [] };
  try {
    checkSchemas({ ...chart, values: new Map(), schema: Buffer.from(JSON.stringify(schema)) }, map);
    return "ok";
  } catch (error) {
    if (error instanceof ChartError) return error.message;
    throw error;
  }
}

describe("withRemoteSchemas", () => {
  const pages: Readonly<Record<string, RemoteSchema>> = {
    "https://schemas.example/a.json": {
      text: '{"$ref": "b.json#/definitions/port", "definitions": {"c": {"$ref": "c.json"}}}',
    },
    "https://schemas.example/b.json": { text: '{"definitions": {"port": {"type": "integer", "maximum": 9}}}' },
    "https://schemas.example/broken.json": { text: "<html>" },
    "https://schemas.example/wrong.json": { text: '{"type": 1}' },
    "https://schemas.example/gone.json": { problem: "HTTP request returned status 404 (Not Found)" },
  };

  async function checkWith(reference: string, values: unknown): Promise<{ outcome: string; asked: string[] }> {
    const asked: string[] = [];
    const fetch: FetchSchema = async (url) => {
      asked.push(url);
      return await Promise.resolve(pages[url] ?? { text: JSON.stringify({ $ref: `${url}x` }) });
    };
    const chart = { metadata: { name: "c", version: "1.0.0" }, templates: [], files: [], raw: [], dependencies: [] };
    const schema = Buffer.from(JSON.stringify({ properties: { a: { $ref: reference } } }));
    const given = fromPlain(values) as GoMap; // a map in all cases
    const run = (remote: RemoteSchemas): void =>
      checkSchemas({ ...chart, values: new Map(), schema }, given, { remote });
    try {
      await withRemoteSchemas(run, { fetch });
      return { outcome: "ok", asked };
    } catch (error) {
      if (error instanceof ChartError) return { outcome: error.message, asked };
      throw error;
    }
  }

  it("fetches the documents that values need, relative to the document with the reference", async () => {
    const asked = ["https://schemas.example/a.json", "https://schemas.example/b.json"];
    expect(await checkWith("https://schemas.example/a.json", { a: 5 })).toEqual({ outcome: "ok", asked });
    expect(await checkWith("https://schemas.example/a.json", { a: 10 })).toEqual({
      outcome: "c:\n- at '/a': maximum: got 10, want 9\n",
      asked,
    });
    expect(await checkWith("https://schemas.example/a.json", {})).toEqual({ outcome: "ok", asked: [] });
  });

  it.each([
    [
      "gone.json",
      'c:\nfailing loading "https://schemas.example/gone.json": HTTP request returned status 404 (Not Found)',
    ],
    ["broken.json", /^c:\n.*invalid character/],
    ["wrong.json", /^c:\n"https:\/\/schemas\.example\/wrong\.json#" is not valid against metaschema: /],
    ["endless.json", "values.schema.json needs more than 32 schemas of other hosts"],
  ])("says what is wrong with %s", async (page, message) => {
    const { outcome } = await checkWith(`https://schemas.example/${page}`, { a: 1 });
    if (typeof message === "string") expect(outcome).toBe(message);
    else expect(outcome).toMatch(message);
  });
});

// What Helm says is in testdata/loading/schemas.json; this is where we say something else.
describe("checkSchemas", () => {
  it.each([
    [
      "http://192.0.2.1/x.json",
      'c:\nfailing loading "http://192.0.2.1/x.json": schemas of other hosts are not loaded; put it into values.schema.json',
    ],
    ["file:///etc/passwd", 'c:\nfailing loading "file:///etc/passwd": values.schema.json may not refer to other files'],
    ["other.json", 'c:\nfailing loading "file:///other.json": values.schema.json may not refer to other files'],
    ["gopher://x", 'c:\nfailing loading "gopher://x": no URLLoader registered for "gopher://x"'],
    ["#nowhere", 'c:\nanchor in "file:///values.schema.json#nowhere" not found in schema "file:///values.schema.json"'],
  ])("loads nothing for %s", (reference, message) => {
    expect(check({ properties: { a: { $ref: reference } } }, { a: 1 })).toBe(message);
  });

  it.each([
    ["other.json", 'c:\nfailing loading "file:///other.json": values.schema.json may not refer to other files'],
    ["http://192.0.2.1/x.json", "ok"],
  ])("checks a reference to %s in a property that the values lack only in the chart itself", (reference, message) => {
    expect(check({ properties: { zz: { $ref: reference } } }, { a: 1 })).toBe(message);
  });

  const draft4 = { $schema: "http://json-schema.org/draft-04/schema#" };
  const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };
  const duplicate = (what: string, first: string, second: string): string =>
    `c:\nduplicate ${what} in "file:///values.schema.json" at "${first}" and "${second}"`;
  // Helm names the two places in random order.
  it.each([
    [{ $defs: { a: { $id: "x" }, b: { $id: "x" } } }, duplicate('id "file:///x"', "/$defs/b", "/$defs/a")],
    [{ $defs: { a: { $id: "q" }, b: { $id: "./q" } } }, duplicate('id "file:///q"', "/$defs/b", "/$defs/a")],
    [{ $defs: { a: { $id: "values.schema.json" } } }, duplicate('id "file:///values.schema.json"', "/$defs/a", "")],
    [{ $id: "z", properties: { b: { $id: "z" } } }, duplicate('id "file:///z"', "/properties/b", "")],
    [
      { ...draft4, definitions: { a: { id: "x" }, b: { id: "x" } } },
      duplicate('id "file:///x"', "/definitions/b", "/definitions/a"),
    ],
    [
      { ...draft7, definitions: { a: { $id: "#x" }, "b/c": { $id: "#x" } } },
      duplicate('anchor "x"', "/definitions/a", "/definitions/b~1c"),
    ],
    [{ ...draft7, items: [{ $id: "#x" }], not: { $id: "#x" } }, duplicate('anchor "x"', "/items/0", "/not")],
    [{ $defs: { a: { $anchor: "x" }, b: { $dynamicAnchor: "x" } } }, duplicate('anchor "x"', "/$defs/a", "/$defs/b")],
    [{ else: { $anchor: "x" }, contentSchema: { $anchor: "x" } }, duplicate('anchor "x"', "/else", "/contentSchema")],
    [
      { $anchor: "w", not: { $ref: "#/unknown/q" }, unknown: { q: { $anchor: "w" } } },
      duplicate('anchor "w"', "", "/unknown/q"),
    ],
  ])("refuses a schema in which two parts have the same identity: %j", (schema, message) => {
    expect(check(schema, { a: 1 })).toBe(message);
  });

  it.each([
    { ...draft7, definitions: { a: { $ref: "#/definitions/b", $id: "#x" }, b: { $id: "#x" } } },
    { ...draft4, properties: { z: { propertyNames: { id: "#x" }, not: { id: "#x" } } } },
    { $defs: { a: { $id: "q", $defs: { c: { $anchor: "w" } } }, b: { $id: "r", $anchor: "w" } } },
  ])("accepts parts that have the same identity only in another draft, or in another resource: %j", (schema) => {
    expect(check(schema, { a: 1 })).toBe("ok");
  });

  it("loads no draft that it does not know", () => {
    expect(check({ $schema: "http://example.com/schema#" }, {})).toBe(
      'c:\nfailing loading "http://example.com/schema": schemas of other hosts are not loaded; put it into values.schema.json',
    );
  });

  it("ends references in a ring", () => {
    const ring = { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
    expect(check(ring, {})).toBe("c:\n- at '': '#/$defs/a' refers to a schema that refers to it\n");
  });

  it("takes linear time for patterns that others do not", () => {
    const schema = { properties: { a: { pattern: "^(a+)+$" } } };
    const started = processorClock();
    expect(check(schema, { a: `${"a".repeat(50_000)}!` })).toContain("does not match pattern '^(a+)+$'");
    expect(processorClock() - started).toBeLessThan(5000);
  });

  const nested = (depth: number): unknown => {
    let values: unknown = "x";
    for (let level = 0; level < depth; level++) values = { a: values };
    return values;
  };

  it("goes through deep values, and ends where they are too deep", () => {
    const schema = { properties: { a: { anyOf: [{ $ref: "#" }, { const: "x" }] } } };
    expect(check(schema, nested(150))).toBe("ok");
    expect(check(schema, nested(900))).toBe("c:\nschemas and values are nested deeper than 500");
  });

  it("ends schemas that multiply", () => {
    const twice = fromPlain({ allOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }] });
    const documents = new SchemaDocuments();
    const resource = documents.add("file:///values.schema.json", twice, 2020);
    const validator = new Validator({ documents, maxChecks: 5000 });
    expect(() => validator.validate(fromPlain(nested(60)), { schema: twice, resource })).toThrow(
      new SchemaError("the schema needs more than 5000 checks for these values"),
    );
  });
});

describe("numberText", () => {
  it.each([
    [0, "0"],
    [-0, "0"],
    [999, "999"],
    [1234, "1,234"],
    [-123456.5, "-123,456.5"],
    [1e6, "1×10⁰⁶"],
    [1.5e-7, "1.5×10⁻⁰⁷"],
    [1e300, "1×10³⁰⁰"],
  ])("%s", (value, text) => {
    expect(numberText(value)).toBe(text);
  });
});
