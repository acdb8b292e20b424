import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  type PackedRendering,
  plainRendering,
  readGoldenRendering,
  readPackage,
  readRendering,
  type Rendering,
  renderingNames,
  type RenderingResult,
  unpackBeside,
  writePackage,
} from "@landscaper/helm/testing";
import { buildOracle } from "../build-oracle.ts";
import type { Recording } from "../recording.ts";
import { inFolderOf, runHelm } from "./rendering-recording.ts";

/** libs/helm/testdata/renderings/packages: what the real `helm package` makes of the same charts. */
export const packageRecording: Recording = {
  name: "packages",
  // Charts of other command lines are archives already, or several.
  files: () => renderingNames().filter((name) => readRendering(name).cases.every(({ words }) => words === undefined)),
  count: (name) => readRendering(name).cases.length,
  ask: async (name) => {
    const rendering = readRendering(name);
    const real = await inFolderOf(rendering, async (folder) =>
      withPackage(folder, async (file, packed) => {
        const plain = plainRendering({ ...packed, stdout: "" }, folder);
        if (file === undefined)
          return { status: plain.status, stderr: plain.stderr, same: [], changed: {}, results: {} };
        const parts = await unpackBeside(readFileSync(file), folder);
        return { status: plain.status, stderr: plain.stderr, ...parts, results: otherResults(rendering, folder, file) };
      }),
    );
    return [{ name, recorded: recordedPackage(name), real, entry: real }];
  },
  costly: (name) => ({
    engine: "helm",
    content: JSON.stringify([readRendering(name), readGoldenRendering(name), recordedPackage(name)]),
  }),
  write: (name, [asked]) => writePackage(name, asked?.entry),
};

/** A chart that is new has none yet. */
function recordedPackage(name: string): PackedRendering | undefined {
  try {
    return readPackage(name);
  } catch {
    return undefined;
  }
}

/** Results that are not those of the folder. */
function otherResults(rendering: Rendering, folder: string, file: string): PackedRendering["results"] {
  const golden = readGoldenRendering(rendering.name);
  const results = rendering.cases.map((each, at): [string, RenderingResult] => {
    const words = ["rel", "PACKED", "--namespace", "ns", "--kube-version", "1.35.0", ...(each.args ?? [])];
    const { status, stdout, stderr } = runHelm(
      { ...each, words: words.map((word) => (word === "PACKED" ? file : word)) },
      folder,
    );
    return [String(at), { status, stdout, stderr: stderr.replaceAll(file, "PACKED") }];
  });
  return Object.fromEntries(results.filter(([at, result]) => !isDeepStrictEqual(result, golden[Number(at)])));
}

/** Packs a chart's folder; the file is undefined when that fails. */
export async function withPackage<T>(
  folder: string,
  work: (file: string | undefined, packed: { status: number | null; stderr: string }) => Promise<T>,
): Promise<T> {
  const target = realpathSync(mkdtempSync(join(tmpdir(), "helm-package-")));
  try {
    const program = join(buildOracle("helm").folder, "helm");
    const { status, stderr } = spawnSync(program, ["package", folder, "--destination", target], {
      cwd: folder,
      env: { TZ: "UTC", HOME: target, GOMAXPROCS: "1", GOGC: "400" },
      encoding: "utf8",
    });
    const made = readdirSync(target).find((name) => name.endsWith(".tgz"));
    return await work(made === undefined ? undefined : join(target, made), { status, stderr });
  } finally {
    rmSync(target, { recursive: true });
  }
}
