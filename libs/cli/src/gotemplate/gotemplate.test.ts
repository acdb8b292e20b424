import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { runProgram, type Outcome } from "../../test/program.ts";

/** The whole command line in this process. */
async function run(args: readonly string[], stdin = ""): Promise<Outcome> {
  const now = () => Date.UTC(2024, 1, 29, 13, 4, 5);
  return await runProgram(["gotemplate", ...args], { readStdin: () => Promise.resolve(stdin), now });
}

const files: Readonly<Record<string, string>> = {
  "a.tpl": '{{ .name }} {{ .map }} {{ now | date "2006" }} {{ toYaml .list }}',
  "one.yaml": "name: one\nmap: {a: 1, b: {c: 1}}\nlist: [1, 2]\n",
  "two.yaml": "name: two\nmap: {b: {d: 2}, e: null}\nlist: [x]\n---\nname: ignored\n",
  "bad.tpl": "line one\n{{ .name }} {{ .name.x }}\n",
  "broken.tpl": "a\n{{ if }}",
  "list.yaml": "- a\n",
  "broken.yaml": "a: [1\n",
  "empty.yaml": "",
};
let folder: string;
const path = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-gotemplate-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What a template from stdin gives. */
async function render(template: string, ...args: readonly string[]): Promise<Outcome> {
  return run(["-f", "-", ...args], template);
}

describe("landscaper gotemplate", () => {
  it("renders a file with merged values, and nothing else", async () => {
    const values = ["--values", path("one.yaml"), "--values", path("empty.yaml"), "--values", path("two.yaml")];
    expect(await run(["-f", path("a.tpl"), ...values])).toEqual({
      stdout: "two map[a:1 b:map[c:1 d:2] e:<nil>] 2024 - x",
      stderr: "",
      exitCode: 0,
    });
  });

  it("takes values from stdin", async () => {
    const { stdout } = await run(["--file", path("a.tpl"), "--values", "-"], "name: word\nlist: []\n");
    expect(stdout).toBe("word <no value> 2024 []");
  });

  it.each([
    [[], "<no value>|<no value>"],
    [["--missingkey", "default"], "<no value>|<no value>"],
    [["--missingkey", "invalid"], "<no value>|<no value>"],
    [["--missingkey=zero"], "<no value>|<no value>"],
  ])("knows what a missing key gives by %j", async (args, output) => {
    expect((await render("{{ .x }}|{{ index . `x` }}", ...args)).stdout).toBe(output);
  });

  it("tells apart the modes of missing keys", async () => {
    const template = "{{ (split `.` `a`)._7 }}|";
    expect((await render(template)).stdout).toBe("<no value>|");
    expect((await render(template, "--missingkey", "zero")).stdout).toBe("|");
    expect((await render("{{ .x }}", "--missingkey", "error")).stderr).toMatch(
      /^template: stdin:1:3: executing "stdin" at <\.x>: map has no entry for key "x"\n/,
    );
  });

  it("shows Go's text first, then the source", async () => {
    const file = path("bad.tpl");
    expect(await run(["-f", file, "--values", path("one.yaml")])).toEqual({
      stdout: "",
      stderr: [
        `template: ${file}:2:20: executing "${file}" at <.name.x>: can't evaluate field x in type interface {}`,
        "",
        "template source:",
        "1:    line one",
        "2:    {{ .name }} {{ .name.x }}",
        `${" ".repeat(26)}ˆ≈≈≈≈≈≈≈`,
        "3:    ",
        "",
      ].join("\n"),
      exitCode: 1,
    });
  });

  it("shows the line that cannot be parsed", async () => {
    expect(await run(["-f", path("broken.tpl"), "--name", "b"])).toEqual({
      stdout: "",
      stderr: "template: b:2: missing value for if\n\ntemplate source:\n1:    a\n2:    {{ if }}\n",
      exitCode: 1,
    });
  });

  it.each<[readonly string[], RegExp]>([
    [[], /^error: -f, --file: expected the template's file, or - for stdin\n$/],
    [
      ["-f", "/nowhere/a.tpl"],
      /^error: cannot open \/nowhere\/a\.tpl: there is no such file or folder\. Correct the path\n$/,
    ],
    [["-f", "/"], /^error: cannot read \/: it is a folder\. Name a file\n$/],
    [
      ["-f", "-", "--values", "/nowhere/v.yaml"],
      /^error: cannot open \/nowhere\/v\.yaml: there is no such file or folder\. Correct the path\n$/,
    ],
    [["-f", "-", "--values", "-"], /^error: -: stdin can be read once only\n$/],
    [
      ["-f", "-", "--missingkey", "none"],
      /^error: --missingkey: expected default, invalid, zero, error, found "none"\n$/,
    ],
    [["-f", "-", "--missingkey", "constructor"], /^error: --missingkey: expected .*\n$/],
    [["-f", "-", "--nope"], /^error: unknown option '--nope'\n/],
    [["-f"], /^error: option '-f, --file <file>' argument missing\n/],
    [["-f", "-", "extra"], /^error: too many arguments/],
    [
      ["a.tpl"],
      /^error: too many arguments for 'gotemplate'\. .*: a\.tpl\.\nname the template by -f, such as: landscaper gotemplate -f FILE\n$/,
    ],
  ])("ends %j with exit code 2", async (args, stderr) => {
    const outcome = await run(args, "text");
    expect([outcome.stdout, outcome.exitCode]).toEqual(["", 2]);
    expect(outcome.stderr).toMatch(stderr);
  });

  it.each([
    ["list.yaml", "expected a map of values, found a list"],
    ["broken.yaml", "did not find expected ',' or ']'"],
  ])("takes %s for a mistake of the caller", async (name, message) => {
    const outcome = await render("text", "--values", path(name));
    expect([outcome.exitCode, outcome.stderr.startsWith(`error: ${path(name)}: `)]).toEqual([2, true]);
    expect(outcome.stderr).toMatch(message);
  });

  it("prints its help", async () => {
    const { stdout, exitCode } = await run(["--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: landscaper gotemplate \[options\]\n/);
  });

  it("knows no functions that need a blueprint, a component or the host", async () => {
    for (const name of ["readFile", "getResource", "include", "env", "lookup"]) {
      expect((await render(`{{ ${name} "x" }}`)).stderr).toMatch(`template: stdin:1: function "${name}" not defined\n`);
    }
  });
});

describe("landscaper gotemplate --helm", () => {
  it("puts the template into a chart", async () => {
    const template =
      "{{ .Values.a }} {{ .Release.Name }} {{ .Release.Namespace }} {{ .Chart.Version }} {{ .Template.Name }}";
    const outcome = await run(
      ["--helm", "-f", "-", "--values", path("one.yaml")],
      `${template} {{ .Capabilities.KubeVersion }}`,
    );
    expect(outcome).toEqual({ stdout: " rel ns 1.2.3 t/templates/stdin v1.35.0", stderr: "", exitCode: 0 });
    const file = await run(["--helm", "-f", path("bad.tpl"), "--values", path("one.yaml")]);
    expect(file.stderr).toBe(
      'template: t/templates/bad.tpl:2:20: executing "t/templates/bad.tpl" at <.name.x>: nil pointer evaluating interface {}.x\n',
    );
  });

  it("takes a version of Kubernetes and a mode for missing keys", async () => {
    const args = ["--helm", "--kube-version", "1.20.3", "--missingkey", "error"];
    expect(
      (await render("{{ .Capabilities.KubeVersion.Minor }} {{ .Capabilities.KubeVersion }}", ...args)).stdout,
    ).toBe("20 v1.20.3");
    expect((await render("{{ .Values.x }}", ...args)).stderr).toBe(
      'template: t/templates/stdin:1:10: executing "t/templates/stdin" at <.Values.x>: map has no entry for key "x"\n',
    );
  });

  it("lends the files of a folder", async () => {
    const lent = mkdtempSync(join(tmpdir(), "landscaper-files-"));
    try {
      mkdirSync(join(lent, "conf"));
      writeFileSync(join(lent, "conf/a.ini"), "[a]\nb = 1\n");
      writeFileSync(join(lent, "conf/b.ini"), "x");
      symlinkSync("conf/b.ini", join(lent, "link.txt"));
      const template =
        '{{ .Files.Get "conf/a.ini" }}|{{ range $path, $_ := .Files.Glob "**.ini" }}{{ $path }} {{ end }}|{{ .Files.Get "link.txt" }}';
      expect(await run(["--helm", "--files", lent, "-f", "-"], template)).toEqual({
        stdout: "[a]\nb = 1\n|conf/a.ini conf/b.ini |x",
        stderr: "",
        exitCode: 0,
      });
      symlinkSync("/etc/hostname", join(lent, "out.txt"));
      expect(await run(["--helm", "--files", lent, "-f", "-"], template)).toEqual({
        stdout: "",
        stderr: `error: --files: error evaluating symlink ${lent}/out.txt: it leads out of the chart, to /etc/hostname\n`,
        exitCode: 2,
      });
    } finally {
      rmSync(lent, { recursive: true });
    }
  });

  it.each([
    [["--files", "x"], "--files: only templates of Helm have files; use --helm"],
    [["--helm", "--files", "/nowhere"], "--files: /nowhere: expected a folder"],
  ])("refuses %j", async (args, message) => {
    expect(await render("a", ...args)).toEqual({ stdout: "", stderr: `error: ${message}\n`, exitCode: 2 });
  });

  it("prints errors of charts alone", async () => {
    expect(await render('\n {{ fail "no" }}', "--helm", "--name", "t/templates/b.yaml")).toEqual({
      stdout: "",
      stderr: "execution error at (t/templates/b.yaml:2:4): no\n",
      exitCode: 1,
    });
  });
});
