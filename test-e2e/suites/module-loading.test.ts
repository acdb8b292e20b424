// What the bundled command loads: a deterministic measure of its start. `npm run bench -- cli` measures the time.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { writeSmallChart } from "../bench/cli/cli-charts.ts";

const command = join(import.meta.dirname, "../../dist/landscaper.mjs");

let chart = "";
beforeAll(() => {
  chart = writeSmallChart(mkdtempSync(join(tmpdir(), "module-loading-")));
});
afterAll(() => rmSync(chart, { recursive: true }));

/** Runs before a program, and writes to stderr what the program has loaded when it ends. */
const recorder = `
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";
const files = [];
registerHooks({ load: (url, context, next) => (files.push(url), next(url, context)) });
const before = new Set(process.moduleLoadList);
process.on("exit", () => {
  const modules = process.moduleLoadList.filter((name) => !before.has(name));
  writeSync(2, JSON.stringify({ files, modules }));
});`;

interface Loaded {
  readonly files: number;
  readonly kilobytes: number;
  /** Packages of the source files in these files. */
  readonly packages: readonly string[];
  /** Modules of Node that an empty program does not load. */
  readonly modules: readonly string[];
}

function loadedBy(...words: readonly string[]): Loaded {
  const preload = `data:text/javascript,${encodeURIComponent(recorder)}`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", preload, command, ...words], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  const { files, modules } = JSON.parse(stderr) as { files: string[]; modules: string[] };
  const texts = files.map((url) => readFileSync(fileURLToPath(url), "utf8"));
  const sources = texts.flatMap((text) =>
    Array.from(text.matchAll(/^\/\/ (?:libs\/([^/\n]+)\/|node_modules\/\.pnpm\/[^/\n]+\/node_modules\/([^/\n]+)\/)/gm)),
  );
  return {
    files: files.length,
    kilobytes: texts.reduce((sum, text) => sum + text.length, 0) / 1000,
    packages: [...new Set(sources.map(([, library, dependency]) => library ?? dependency ?? ""))].toSorted(),
    modules: modules
      .filter((name) => /^NativeModule (?!internal\/)/.test(name))
      .map((name) => name.replace("NativeModule ", ""))
      .toSorted(),
  };
}

const everyCall = ["api", "cli", "commander", "controller-runtime", "golang", "goyaml", "leven"];
const nodeModules = ["process", "v8"];

describe("the bundled command", () => {
  it("loads for `version` what every call needs", () => {
    const { files, kilobytes, ...names } = loadedBy("version");
    expect(names).toEqual({ packages: everyCall, modules: nodeModules });
    expect(files).toBeLessThanOrEqual(3);
    expect(kilobytes).toBeLessThanOrEqual(240);
  });

  it("loads for `helm template` only what renders a chart", () => {
    const { files, kilobytes, ...names } = loadedBy("helm", "template", chart);
    const rendering = ["ajv", "bcryptjs", "budget", "components", "gotemplate", "helm", "json", "re2js", "x509"];
    expect(names).toEqual({ packages: [...everyCall, ...rendering].toSorted(), modules: nodeModules });
    expect(files).toBeLessThanOrEqual(18);
    expect(kilobytes).toBeLessThanOrEqual(1300);
  });
});
