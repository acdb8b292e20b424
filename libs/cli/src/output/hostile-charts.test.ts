import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "@landscaper/components/testing";
import { escaped, expectClean, forbiddenIn, hostile, shown } from "../../test/hostile.ts";
import { runProgram } from "../../test/program.ts";

const terminal = { rows: () => 24 };
const folder = newFolder();
const inFolder = (name: string): string => join(folder, name);
/** Unsafe characters that YAML allows unescaped: it forbids controls. */
const invisible = "c\u202Ed\u200Be";
const manifest = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n# ${invisible}\n`;

const blueprint = `deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems: [{ name: web, type: test/mock, config: { apiVersion: test/v1, kind: Config, text: "${invisible}" } }]
`;

function writeChart(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(inFolder(`${name}/templates`), { recursive: true });
  const chart = `apiVersion: v2\nname: web\nversion: 0.1.0\ndescription: "${escaped}"\n`;
  for (const [path, text] of Object.entries({ "Chart.yaml": chart, ...files }))
    writeFileSync(join(folder, name, path), text);
  return inFolder(name);
}

let chart: string;
beforeAll(() => {
  chart = writeChart("chart", { "templates/web.yaml": manifest, "templates/NOTES.txt": `${hostile}\n` });
  writeFileSync(inFolder("template.yaml"), `text: "${invisible}"\n`);
  writeFileSync(inFolder("template.tpl"), hostile);
  mkdirSync(inFolder("blueprint"));
  writeFileSync(inFolder("blueprint/blueprint.yaml"), blueprint);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (words: readonly string[], options: Parameters<typeof runProgram>[1] = {}) =>
  await runProgram(words, { environment: { HOME: folder }, now: Date.now, ...options });

describe("a hostile chart", () => {
  it.each([[""], ["--debug"]])('is harmless if its NOTES fail, with the flags "%s"', async (flag) => {
    const notes = `{{ fail "${escaped}" }}\n`;
    const failing = writeChart("failing", { "templates/web.yaml": manifest, "templates/NOTES.txt": notes });
    const outcome = await run(["helm", "template", failing, ...(flag === "" ? [] : [flag])]);
    expect(outcome.exitCode).toBe(1);
    expectClean(outcome);
  });

  it("is harmless on a terminal if it renders invalid YAML, which --debug prints", async () => {
    const invalid = writeChart("invalid", { "templates/web.yaml": `a: b: ${hostile}\n` });
    expectClean(await run(["helm", "template", invalid, "--debug"], { terminal }));
  });

  it("reaches the files of --output-dir unchanged, and their names are harmless on the terminal", async () => {
    const named = writeChart("named", { [`templates/${hostile}.yaml`]: manifest });
    const outcome = await run(["helm", "template", named, "--output-dir", inFolder("out")]);
    expectClean(outcome);
    expect(outcome.stdout).toContain(shown);
    const written = readFileSync(inFolder(`out/web/templates/${hostile}.yaml`), "utf8");
    expect(written).toContain(`# ${invisible}`);
  });
});

describe("requested content", () => {
  const commands: readonly (readonly [string, () => readonly string[], string])[] = [
    ["helm template", () => [chart], "c<U+202E>d<U+200B>e"],
    ["spiff merge --json", () => [inFolder("template.yaml")], String.raw`{"text":"c\u202ed\u200be"}`],
    ["gotemplate", () => ["--file", inFolder("template.tpl")], shown],
    ["render", () => [inFolder("blueprint")], String.raw`"c\u202ed\u200be"`],
  ];

  it.each(commands)("of landscaper %s is unchanged in a pipe, and on a terminal with --raw", async (name, words) => {
    const command = [...name.split(" "), ...words()];
    const piped = await run(command);
    expect(piped).toMatchObject({ stderr: "", exitCode: 0 });
    expect(piped.stdout).toContain(invisible);
    expect(await run([...command, "--raw"], { terminal })).toEqual(piped);
  });

  it.each(commands)("of landscaper %s is harmless on a terminal", async (name, words, expected) => {
    const { stdout } = await run([...name.split(" "), ...words()], { terminal });
    expect(stdout).toContain(expected);
    expect(forbiddenIn(stdout)).toEqual([]);
  });
});

describe("--raw", () => {
  it.each(["tree", "why inst/a", "install .", "diff a", "helm diff a b", "component list .", "version"])(
    "is refused by landscaper %s, which prints no requested content",
    async (words) => {
      const { exitCode, stderr } = await run([...words.split(" "), "--raw"]);
      expect(stderr).toMatch(/unknown (?:option '--raw'|flag: --raw)/);
      expect(exitCode).not.toBe(0);
    },
  );
});
