import { mkdtempSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import type { CommandContext } from "../command.ts";
import { renderCommand } from "../commands/render.ts";
import { UsageError } from "../usage-error.ts";
import { parseRenderImports } from "./parse-render-imports.ts";
import { readFolder } from "./read-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-render-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("parseRenderImports", () => {
  it("tells data, one target, lists and maps of targets apart", () => {
    const cluster = { type: "example.org/cluster", config: { a: 1 } };
    const input = {
      data: { greeting: "hello", nothing: null },
      targets: { one: cluster, list: [cluster], map: { blue: cluster } },
      mappings: { greeting: "constant" },
    };
    const { given, mappings } = parseRenderImports(input);
    expect(mappings).toEqual({ greeting: "constant" });
    expect(given["greeting"]).toEqual({ type: "data", value: "hello" });
    expect(given["nothing"]).toEqual({ type: "data", value: null });
    expect(given["one"]).toMatchObject({
      type: "target",
      target: { spec: cluster, metadata: { name: "targets.one" } },
    });
    expect(given["list"]).toMatchObject({ type: "targetList", targets: [{ spec: cluster }] });
    expect(given["map"]).toMatchObject({ type: "targetMap", targets: { blue: { spec: cluster } } });
  });

  it.each([
    ["no map", "text", "expected a map with data, targets and mappings"],
    ["an unknown field", { values: {} }, "values: expected data, targets or mappings"],
    ["data that is no map", { data: [] }, "data: expected a map by import name"],
    ["a target without type", { targets: { a: [{}] } }, "targets.a[0]: expected a target with a type"],
    ["a target that is text", { targets: { a: "x" } }, "targets.a: expected a target, a list or a map of targets"],
  ])("refuses %s", (...[_name, input, message]) => {
    expect(() => parseRenderImports(input)).toThrow(new UsageError(message));
  });

  it("takes nothing as no imports", () => {
    expect(parseRenderImports(null)).toEqual({ given: {}, mappings: {} });
  });
});

describe("readFolder", () => {
  it("reads files and folders, and leaves links alone", () => {
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "sub/a.txt"), "a");
    symlinkSync("/etc", join(folder, "link"));
    expect(readFolder(folder)).toEqual({ sub: { "a.txt": Buffer.from("a") } });
  });

  it("says what is wrong with the path", () => {
    const missing = join(folder, "missing");
    expect(() => readFolder(missing)).toThrow(new UsageError(`${missing}: there is no such folder`));
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(() => readFolder(file)).toThrow(new UsageError(`${file}: expected the folder of a blueprint, found a file`));
  });
});

describe("landscaper render", () => {
  async function run(options: Record<string, string> = {}): Promise<string> {
    let output = "";
    const context: CommandContext = {
      write: (text) => {
        output += text;
      },
      writeError: (text) => {
        throw new Error(text);
      },
      readStdin: () => Promise.resolve(""),
      signal: new AbortController().signal,
      environment: {},
      now: () => Date.parse("2026-01-02T03:04:05Z"),
    };
    await renderCommand.run({ argument: folder, options, words: [], help: "" }, context);
    return output;
  }

  const blueprint = `
imports:
  - { name: greeting, type: data, schema: { type: string } }
  - { name: cluster, type: target, targetType: example.org/cluster }
deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems:
        - name: item
          type: example.org/thing
          target: { import: cluster }
          config: { apiVersion: v1, kind: Thing, text: "{{ .imports.greeting }} at {{ now | date "2006" }}" }
`;
  const imports = 'data: { greeting: hello }\ntargets: { cluster: { type: "example.org/cluster" } }\n';

  it("prints what the core would make of the blueprint", async () => {
    writeFileSync(join(folder, "blueprint.yaml"), blueprint);
    const file = join(folder, "imports.yaml");
    writeFileSync(file, imports);
    expect(await run({ imports: file, namespace: "ns" })).toBe(`deployItems:
  - name: item
    type: example.org/thing
    target:
      name: targets.cluster
      namespace: default
    config:
      apiVersion: v1
      kind: Thing
      text: hello at 2026
subinstallations: []
`);
  });

  it("evaluates data mappings and Spiff executions, which may read files of the blueprint", async () => {
    writeFileSync(join(folder, "VERSION"), "v1");
    writeFileSync(
      join(folder, "blueprint.yaml"),
      `
imports:
  - { name: greeting, type: data, schema: { type: string } }
importExecutions:
  - { name: more, type: Spiff, template: { bindings: { version: '(( read("VERSION", "text") ))' } } }
deployExecutions:
  - name: default
    type: Spiff
    template:
      deployItems:
        - name: (( "item-" imports.version ))
          type: example.org/thing
          config: { apiVersion: v1, kind: Thing, text: (( imports.greeting )) }
`,
    );
    const file = join(folder, "imports.yaml");
    writeFileSync(file, 'data: { name: world }\nmappings: { greeting: (( "hello " name )) }\n');
    expect(await run({ imports: file })).toBe(`deployItems:
  - name: item-v1
    type: example.org/thing
    config:
      apiVersion: v1
      kind: Thing
      text: hello world
subinstallations: []
`);
    writeFileSync(file, "mappings: { greeting: (( name )) }\n");
    await expect(run({ imports: file })).rejects.toThrow(
      "importDataMappings.greeting: unresolved nodes:\n\t(( name ))",
    );
  });

  it("names the import that is missing", async () => {
    writeFileSync(join(folder, "blueprint.yaml"), blueprint);
    await expect(run()).rejects.toThrow(LandscaperError);
  });

  it("says where the imports are broken", async () => {
    writeFileSync(join(folder, "blueprint.yaml"), blueprint);
    const file = join(folder, "imports.yaml");
    writeFileSync(file, "data: [");
    await expect(run({ imports: file })).rejects.toThrow(`${file}: Flow sequence`);
    await expect(run({ imports: join(folder, "none.yaml") })).rejects.toThrow("no such file");
  });
});
