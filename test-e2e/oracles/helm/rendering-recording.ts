import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
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

/** libs/helm/testdata/renderings: the real `helm template` on whole charts. */
export const renderingRecording: Recording = {
  name: "renderings",
  files: renderingNames,
  count: (name) => readRendering(name).cases.length,
  ask: async (name) => {
    const rendering = readRendering(name);
    const recorded = recordedResults(name);
    const real = await inFolderOf(rendering, (folder) => rendering.cases.map((each) => runHelm(each, folder)));
    return rendering.cases.map((each, at) => ({
      name: `${name} ${JSON.stringify(each)}`,
      recorded: recorded[at],
      real: real[at],
      entry: real[at],
    }));
  },
  costly: (name) => ({
    engine: "helm",
    content: JSON.stringify([readRendering(name), recordedResults(name)]),
  }),
  write: (name, cases) => {
    const file = goldenRenderingFile(name);
    mkdirSync(dirname(file), { recursive: true });
    const results = cases.map(({ entry }) => entry);
    writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
  },
};

/** A chart that is new has none yet. */
function recordedResults(name: string): readonly RenderingResult[] {
  try {
    return readGoldenRendering(name);
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

/** The real helm, with none of this machine's settings. */
export function runHelm(each: RenderingCase, folder: string): RenderingResult {
  const program = join(buildOracle("helm").folder, "helm");
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
