// Files and modules that the bundled command loads, as a deterministic measure of its start. `npm run bench -- cli` measures the time.
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

/** Preloaded program: when the process exits, writes the files and modules that it has loaded to stderr. */
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
  /** Source files of libs/helm and of the command that only one version of Helm needs. */
  readonly versions: readonly string[];
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
    versions: ofVersions.filter((file) => texts.some((text) => text.includes(`// libs/${file}\n`))),
    modules: modules
      .filter((name) => /^NativeModule (?!internal\/)/.test(name))
      .map((name) => name.replace("NativeModule ", ""))
      .toSorted(),
  };
}

const ofVersion4 = [
  "cli/src/helm/words/helm4-words.ts",
  "cli/src/helm/words/template-trace.ts",
  "helm/src/versions/chart-map.ts",
  "helm/src/versions/helm4.ts",
];
const ofVersion3 = ["cli/src/helm/words/helm3-log.ts", "cli/src/helm/words/helm3-words.ts"];
const ofVersions = [...ofVersion3, ...ofVersion4];

const everyCall = ["api", "cli", "commander", "controller-runtime", "golang", "goyaml", "leven"];
const nodeModules = ["process", "v8"];

describe("the bundled command", () => {
  it("loads for `version` only what every call needs", () => {
    const { files, kilobytes, ...names } = loadedBy("version");
    expect(names).toEqual({ packages: everyCall, versions: [], modules: nodeModules });
    expect(files).toBeLessThanOrEqual(3);
    expect(kilobytes).toBeLessThanOrEqual(240);
  });

  it("loads for `helm template` only what renders a chart", () => {
    const { files, kilobytes, ...names } = loadedBy("helm", "template", chart);
    const rendering = ["ajv", "bcryptjs", "budget", "components", "gotemplate", "helm", "json", "re2js", "x509"];
    const packages = [...everyCall, ...rendering].toSorted();
    expect(names).toEqual({ packages, versions: ofVersion3, modules: nodeModules });
    expect(files).toBeLessThanOrEqual(18);
    expect(kilobytes).toBeLessThanOrEqual(1300);
  });

  it("loads the code of Helm 4 only for Helm 4", () => {
    expect(loadedBy("helm", "template", chart, "--helm", "3").versions).toEqual(ofVersion3);
    expect(loadedBy("helm", "template", chart, "--helm", "4").versions).toEqual(ofVersion4);
  });
});
