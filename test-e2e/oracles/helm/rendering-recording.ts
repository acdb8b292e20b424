import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { HelmVersion } from "../../../libs/helm/src/versions/helm-version.ts";
import {
  differenceOf,
  goldenRenderingFile,
  plainRendering,
  readGoldenRendering,
  readRendering,
  type Rendering,
  type RenderingCase,
  renderingNames,
  type RenderingResult,
  renderingWords,
  writeRendering,
} from "@landscaper/helm/testing";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";

/** libs/helm/testdata/renderings: the real `helm template` of Helm 3 on whole charts. */
export const renderingRecording: Recording = recordingOf("3");

/** The same with Helm 4. Record the results of Helm 3 first, because only the differences from them are stored. */
export const renderingRecording4: Recording = recordingOf("4");

function recordingOf(version: HelmVersion): Recording {
  return {
    name: version === "3" ? "renderings" : "renderings-4",
    files: renderingNames,
    count: (name) => readRendering(name).cases.length,
    ask: async (name) => {
      const rendering = readRendering(name);
      const recorded = recordedResults(name, version);
      const base = version === "3" ? [] : readGoldenRendering(name);
      const real = await inFolderOf(rendering, (folder) =>
        rendering.cases.map((each) => runHelm(each, folder, version)),
      );
      return rendering.cases.map((each, at) => ({
        name: `${name} ${JSON.stringify(each)}`,
        recorded: recorded[at],
        real: real[at],
        entry: version === "3" ? real[at] : differenceOf(resultAt(real, at), base[at]),
      }));
    },
    costly: (name) => ({
      engine: oracleOf[version],
      content: JSON.stringify([readRendering(name), recordedResults(name, version)]),
    }),
    write: (name, cases) => {
      const file = goldenRenderingFile(name, version);
      mkdirSync(dirname(file), { recursive: true });
      const results = cases.map(({ entry }) => entry);
      writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
    },
  };
}

function resultAt(results: readonly RenderingResult[], at: number): RenderingResult {
  const result = results[at];
  if (result === undefined) throw new Error(`case ${at} has no result`);
  return result;
}

/** Returns an empty list for a chart that has not been recorded. */
function recordedResults(name: string, version: HelmVersion): readonly RenderingResult[] {
  try {
    return readGoldenRendering(name, version);
  } catch {
    return [];
  }
}

/** Does something with a chart's files in a folder, which is removed then. */
export async function inFolderOf<T>(rendering: Rendering, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "helm-rendering-")));
  try {
    await writeRendering(folder, rendering);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Oracles with the pinned versions. */
const oracleOf = { "3": "helm", "4": "helm4" } as const;

/** Runs the real `helm template` without the settings of this machine. */
export function runHelm(each: RenderingCase, folder: string, version: HelmVersion = "3"): RenderingResult {
  const program = join(buildOracle(oracleOf[version]).folder, "helm");
  const words = renderingWords(each, folder);
  const { status, stdout, stderr } = spawnSync(program, ["template", ...words], {
    cwd: folder,
    // One core, and rare collections of garbage: a third less of processor time for a process that ends at once.
    env: { TZ: "UTC", HOME: folder, GOMAXPROCS: "1", GOGC: "400" },
    input: each.stdin ?? "",
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return plainRendering({ status, stdout, stderr }, folder);
}
