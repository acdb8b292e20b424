import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  packageNames,
  packAsRecorded,
  packedResult,
  plainRendering,
  readGoldenRendering,
  readPackage,
  readRendering,
  renderingNames,
  renderingWords,
  type RenderingResult,
  writeRendering,
} from "@landscaper/helm/testing";
import { runProgram } from "../../../test/program.ts";

const home = process.cwd();
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "landscaper-helm-")));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

async function run(words: readonly string[], stdin = ""): Promise<RenderingResult> {
  const { stdout, stderr, exitCode } = await runProgram(["helm", "template", ...words], {
    readStdin: async () => Promise.resolve(stdin),
    environment: { HOME: folder },
    now: Date.now,
  });
  return plainRendering({ status: exitCode, stdout, stderr }, folder);
}

describe("helm template prints what Helm prints", () => {
  it.each(renderingNames())("for the chart %s", async (name) => {
    const rendering = readRendering(name);
    await writeRendering(folder, rendering);
    const golden = readGoldenRendering(name);
    expect(golden).toHaveLength(rendering.cases.length);
    for (const [at, each] of rendering.cases.entries()) {
      const words = renderingWords(each, folder);
      expect({ words, ...(await run(words, each.stdin)) }).toEqual({ words, ...golden[at] });
    }
  });
});

/** Errors in which Helm 4 leaves out the reason, or names a type of its own source. */
const withoutReason = /^Error: (?:unable to load chart archive|unable to detect chart .*|.* type loader\.chartBase)\n$/;

/** Returns the expected result: the error text of Helm 3 if Helm 4 leaves out the reason. */
function withReasons(result: RenderingResult, plain: RenderingResult | undefined): RenderingResult {
  return withoutReason.test(result.stderr) && plain !== undefined ? { ...result, stderr: plain.stderr } : result;
}

describe("helm template --helm 4 prints what Helm 4 prints", () => {
  it.each(renderingNames())("for the chart %s", async (name) => {
    const rendering = readRendering(name);
    await writeRendering(folder, rendering);
    const plain = readGoldenRendering(name);
    const golden = readGoldenRendering(name, "4").map((result, at) => withReasons(result, plain[at]));
    for (const [at, each] of rendering.cases.entries()) {
      const words = ["--helm", "4", ...renderingWords(each, folder)];
      expect({ words, ...(await run(words, each.stdin)) }).toEqual({ words, ...golden[at] });
    }
  });
});

describe("helm template prints the same for what helm package makes of a chart", () => {
  it.each(packageNames().filter((name) => readPackage(name).status === 0))("%s", async (name) => {
    const rendering = readRendering(name);
    await writeRendering(folder, rendering);
    const file = join(folder, "packed.tgz");
    await packAsRecorded(readPackage(name), folder, file);
    for (const [at, { args = [], stdin }] of rendering.cases.entries()) {
      const given = renderingWords({ args }, "CHART").map((word) => (word === "CHART" ? file : word));
      const words = given.map((word) => word.replaceAll("CHART", folder));
      const { status, stdout, stderr } = await run(words, stdin);
      const ours = { status, stdout, stderr: stderr.replaceAll("CHART/packed.tgz", "PACKED") };
      expect({ words, ...ours }).toEqual({ words, ...packedResult(name, at) });
    }
  });
});

describe("helm template", () => {
  it("writes files where it is asked to", async () => {
    await writeRendering(folder, readRendering("manifest-hooks"));
    const { stdout } = await run(["rel", folder, "--output-dir", "out", "--release-name", "--skip-tests"]);
    const file = "out/rel/manifest-hooks/templates";
    expect(stdout).toBe(`wrote ${file}/a.yaml\n${`wrote ${file}/hooks.yaml\n`.repeat(8)}\n`);
    expect(readdirSync(file)).toEqual(["a.yaml", "hooks.yaml"]);
    expect(readFileSync(join(file, "a.yaml"), "utf8")).toBe(
      "---\n# Source: manifest-hooks/templates/a.yaml\nkind: ConfigMap\nmetadata: {name: a, annotations: {x: y}}\n",
    );
  });

  it.each([
    [["--post-renderer", "cat"], "--post-renderer: no programs are run; pipe the output into this one"],
    [["--enable-dns"], "--enable-dns: templates reach no network; getHostByName is empty"],
  ])("refuses %j", async (flags, message) => {
    expect(await run(["rel", "x", ...flags])).toEqual({ status: 2, stdout: "", stderr: `error: ${message}\n` });
  });

  it.each([
    ["repo/name", "repo repo not found"],
    ["name", "non-absolute URLs should be in form of repo_name/path_to_chart, got: name"],
  ])("finds no chart %s", async (chart, message) => {
    expect(await run(["rel", chart])).toEqual({ status: 1, stdout: "", stderr: `Error: ${message}\n` });
  });

  it("takes --helm=4 as the value of a flag that needs one", async () => {
    await writeRendering(folder, readRendering("dialect-flags"));
    expect(await run(["rel", folder, "--hide-notes", "--set", "--helm=4"])).toMatchObject({ status: 0, stderr: "" });
  });

  it("shows what is no YAML with --debug", async () => {
    await writeRendering(folder, readRendering("error-output"));
    const { status, stdout, stderr } = await run(["rel", folder, "--debug"]);
    expect({ status, stdout }).toEqual({
      status: 1,
      stdout:
        "---\n# Source: error-output/templates/b.yaml\na: b: c\n\n---\n# Source: error-output/templates/a.yaml\nfine: true\n\n",
    });
    expect(stderr).toMatch(/^Error: YAML parse error on error-output\/templates\/b.yaml: /);
  });
});
