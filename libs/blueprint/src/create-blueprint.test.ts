import { LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { createBlueprint } from "./create-blueprint.ts";
import { createRenderCaches } from "./render-caches.ts";

function failure(filesystem: unknown): string {
  try {
    createBlueprint(filesystem, "fs");
  } catch (error) {
    if (error instanceof LandscaperError) return error.message;
    throw error;
  }
  return "no error";
}

describe("createBlueprint", () => {
  it("reads nested maps of texts, bytes and maps", () => {
    const { definition, files } = createBlueprint({
      "blueprint.yaml": "imports:\n- name: a\n  schema: {type: string}\n",
      dir: { "file.txt": "text", deeper: { bytes: Uint8Array.from([1, 2, 3]) } },
    });
    expect(definition.imports).toEqual([{ name: "a", schema: { type: "string" }, required: true }]);
    expect(files.readText("dir/file.txt")).toBe("text");
    expect([...files.readFile("/dir/deeper/bytes")]).toEqual([1, 2, 3]);
    expect(files.readDir("dir")).toEqual([
      { name: "deeper", isDirectory: true, size: 0 },
      { name: "file.txt", isDirectory: false, size: 4 },
    ]);
  });

  it("reads the YAML text of such a map", () => {
    const { files } = createBlueprint("blueprint.yaml: |\n  kind: Blueprint\na:\n  b: c\n");
    expect(files.readText("a/b")).toBe("c");
  });

  it("reads a blueprint.yaml that is written as structure instead of text", () => {
    const { definition } = createBlueprint({ "blueprint.yaml": { exports: [{ name: "x", schema: {} }] } });
    expect(definition.exports).toEqual([{ name: "x", schema: {} }]);
  });

  it("tells of unknown keys, and takes known ones in any case", () => {
    const { definition, warnings } = createBlueprint({
      "blueprint.yaml": `
jsonSchema: stray
Imports:
- Name: a
  SCHEMA: {type: string}
  Required: false
  imports:
  - NAME: b
    schema: {}
DeployExecutions:
- name: d
  Type: GoTemplate
  Template: x
`,
    });
    expect(definition.imports).toEqual([
      { name: "a", schema: { type: "string" }, required: false, imports: [{ name: "b", schema: {}, required: true }] },
    ]);
    expect(warnings).toEqual([
      {
        reason: "UnknownField",
        message: 'blueprint/blueprint.yaml: unknown field "jsonSchema", did you mean "jsonSchemaVersion"?',
      },
    ]);
    expect(definition.deployExecutions).toEqual([{ name: "d", type: "GoTemplate", template: "x" }]);
  });

  const twice = (place: string, key: string): unknown => ({
    reason: "RepeatedKey",
    message: `${place}: the key "${key}" is given twice; the first one has no effect`,
  });

  it("takes the last of repeated keys, and warns with file, line and key", () => {
    const content = "imports:\n- name: a\n  name: b\n  schema: {}\ndeployExecutions: [{}]\ndeployExecutions: []\n";
    const { definition, warnings } = createBlueprint({ "blueprint.yaml": content }, "fs");
    expect(definition).toMatchObject({ imports: [{ name: "b" }], deployExecutions: [] });
    expect(warnings).toEqual([twice("fs/blueprint.yaml:6", "deployExecutions"), twice("fs/blueprint.yaml:3", "name")]);
  });

  it("warns of repeated keys of a file system that is YAML text, and bounds the warnings", () => {
    const content = 'blueprint.yaml: ""\nblueprint.yaml: ""\n';
    expect(createBlueprint(content, "fs").warnings).toEqual([twice("fs:2", "blueprint.yaml")]);
    const many = `annotations:\n${Array.from({ length: 60 }, (_, i) => `  k${i}: a\n  k${i}: b\n`).join("")}  k0: c\n`;
    const { warnings } = createBlueprint({ "blueprint.yaml": many }, "fs");
    expect(warnings.filter(({ reason }) => reason === "RepeatedKey")).toHaveLength(50);
    expect(warnings[0]?.message).toBe(
      'fs/blueprint.yaml:122: the key "k0" is given 3 times; only the last one has an effect',
    );
  });

  it.each<[unknown, string]>([
    [5, "fs: expected a map of files and folders, found a number"],
    [[], "fs: expected a map of files and folders, found a list"],
    [null, "fs: expected a map of files and folders, found null"],
    [{}, "fs: expected a file blueprint.yaml, found none"],
    [{ "blueprint.yaml": "", "a/b": "x" }, 'fs: "a/b" is not a valid name of a file or folder'],
    [{ "blueprint.yaml": "", "..": "x" }, 'fs: ".." is not a valid name of a file or folder'],
    [{ "blueprint.yaml": "", a: { b: 5 } }, "fs/a/b: expected text or a map, found a number"],
    [
      { "blueprint.yaml": "imports:\n- name: ''\n  schema: {}" },
      "fs/blueprint.yaml: imports: every import must have a name",
    ],
    [
      { "blueprint.yaml": "imports: [{name: a, schema: {}}, {name: a, schema: {}}]" },
      'fs/blueprint.yaml: imports: the name "a" must be unique',
    ],
    [
      { "blueprint.yaml": "imports: [{name: a, schema: {}, required: false, imports: [{name: a, schema: {}}]}]" },
      'fs/blueprint.yaml: imports: the name "a" must be unique',
    ],
    [
      { "blueprint.yaml": "imports: [{name: a, schema: {}, imports: [{name: b, schema: {}}]}]" },
      'fs/blueprint.yaml: import "a": conditional imports need an import with required: false',
    ],
    [
      { "blueprint.yaml": "exports: [{name: a}, {name: a}]" },
      'fs/blueprint.yaml: exports: the name "a" must be unique',
    ],
    [
      { "blueprint.yaml": "deployExecutions: [{name: d, type: GoTemplate}]" },
      'fs/blueprint.yaml: deployExecutions "d": expected file or template, found neither',
    ],
    [
      { "blueprint.yaml": "deployExecutions: [{type: Spiff, template: t}, {type: GoTemplate}]" },
      "fs/blueprint.yaml: deployExecutions[1]: expected file or template, found neither",
    ],
    [
      { "blueprint.yaml": "deployExecutions: [{name: d, type: GoTemplate, template: {deployItems: []}}]" },
      'fs/blueprint.yaml: deployExecutions "d": template: expected the text of a Go template, found a map',
    ],
    [
      { "blueprint.yaml": `imports: [{name: ${"n".repeat(64)}, type: data, schema: true}]` },
      `fs/blueprint.yaml: import "${"n".repeat(64)}": the name must have at most 63 characters`,
    ],
    [
      { "blueprint.yaml": 'imports: [{name: "a b", type: data, schema: true}]' },
      'fs/blueprint.yaml: import "a b": the name must have only letters, digits, -, _ and ., with a letter or digit at both ends',
    ],
  ])("refuses %j", (filesystem, message) => {
    expect(failure(filesystem)).toBe(message);
  });

  it("takes the template of an execution that has a file, too, and says so", () => {
    const content =
      "deployExecutions: [{type: GoTemplate, file: f}, {name: d, type: GoTemplate, file: f, template: t}]";
    const { definition, warnings } = createBlueprint({ "blueprint.yaml": content });
    expect(definition.deployExecutions).toEqual([
      { name: "", type: "GoTemplate", file: "f" },
      { name: "d", type: "GoTemplate", template: "t" },
    ]);
    expect(warnings).toEqual([
      {
        reason: "WithoutEffect",
        message: 'blueprint/blueprint.yaml: field "deployExecutions[1].file" has no effect: template is set, too',
      },
    ]);
  });

  it.each<[string, string, string]>([
    ["imports: [{name: a, type: data}]", "MissingSchema", 'imports[0] "a": has no schema, so that every value fits'],
    [
      "imports: [{name: a, schema: true, required: false, imports: [{name: b, type: data}]}]",
      "MissingSchema",
      'imports[0].imports[0] "b": has no schema, so that every value fits',
    ],
    ["exports: [{name: a, type: data}]", "MissingSchema", 'exports[0] "a": has no schema, so that every value fits'],
    [
      "imports: [{name: a, schema: true, targetType: t}]",
      "SchemaAndTargetType",
      'imports[0] "a": has schema and targetType; targetType has no effect',
    ],
    [
      "imports: [{name: a, type: targetList, schema: true, targetType: t}]",
      "SchemaAndTargetType",
      'imports[0] "a": has schema and targetType; schema has no effect',
    ],
    [
      "subinstallations: [{file: sub.yaml, name: a, imports: {}}]",
      "WithoutEffect",
      'subinstallations[0]: "name", "imports" have no effect: everything is read from the file "sub.yaml"',
    ],
  ])("warns of %s", (content, reason, message) => {
    const { warnings } = createBlueprint({ "blueprint.yaml": content });
    expect(warnings).toEqual([{ reason, message: `blueprint/blueprint.yaml: ${message}` }]);
  });

  it.each([
    "imports: [{name: a, type: data, schema: true}, {name: b, type: target, targetType: t}]",
    "imports: [{name: a, schema: {type: string}}, {name: b, targetType: t}]",
    "subinstallations: [{file: sub.yaml}]",
  ])("has nothing to say of %s", (content) => {
    expect(createBlueprint({ "blueprint.yaml": content }).warnings).toEqual([]);
  });

  it("names the place of broken YAML", () => {
    try {
      createBlueprint({ "blueprint.yaml": "a: 1\n  b: c\n" }, "fs");
      throw new Error("no error");
    } catch (error) {
      expect(error).toMatchObject({ reason: "InvalidInput", at: [{ file: "fs/blueprint.yaml", line: 2 }] });
    }
  });

  it("reads an equal file system once with caches", () => {
    const caches = createRenderCaches();
    const first = createBlueprint({ "blueprint.yaml": "", a: "x" }, "fs", caches);
    expect(createBlueprint({ a: "x", "blueprint.yaml": "" }, "fs", caches)).toBe(first);
    expect(createBlueprint({ a: "y", "blueprint.yaml": "" }, "fs", caches)).not.toBe(first);
    expect(createBlueprint({ a: "x", "blueprint.yaml": "" }, "other", caches)).not.toBe(first);
  });

  it("keeps paths inside the blueprint", () => {
    const { files } = createBlueprint({ "blueprint.yaml": "", a: { b: "x" } });
    expect(files.readText("./a/../a//b")).toBe("x");
    expect([files.has("a"), files.has("a/b"), files.has("a/b/c"), files.has("nope"), files.has("/")]).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    const messages = ["../x", "a/../../x", "/.."].map((path) => {
      try {
        return files.readText(path);
      } catch (error) {
        return error instanceof LandscaperError ? error.message : "?";
      }
    });
    expect(messages).toEqual([
      '"../x": the path leaves the blueprint',
      '"a/../../x": the path leaves the blueprint',
      '"/..": the path leaves the blueprint',
    ]);
    expect(() => files.readFile("a")).toThrow('"a": it is a folder, expected a file');
    expect(() => files.readDir("a/b")).toThrow('"a/b": it is a file, expected a folder');
    expect(() => files.readDir("zz")).toThrow('"zz": the blueprint has no such folder');
    expect(() => files.readFile("a/c")).toThrow('"a/c": the blueprint has no such file');
    expect(() => files.readFile("blueprint.yml")).toThrow(
      '"blueprint.yml": the blueprint has no such file: did you mean "blueprint.yaml"?',
    );
    expect(() => files.readFile("constructor")).toThrow('"constructor": the blueprint has no such file');
  });
});
