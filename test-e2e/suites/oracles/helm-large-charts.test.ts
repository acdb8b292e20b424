// `landscaper helm template` of large charts, byte for byte beside the real one.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { largeChart, largeShapes } from "@landscaper/helm/testing";
import { buildOracle } from "../../oracles/build-oracle.ts";

const command = join(import.meta.dirname, "../../../bin/landscaper");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-large-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Printed {
  readonly status: number | null;
  readonly stderr: string;
  readonly bytes: number;
  /** Texts of this size are compared by their hash. */
  readonly sha256: string;
}

function print(program: string, words: readonly string[]): Printed {
  const env = { PATH: process.env["PATH"], HOME: folder };
  const { status, stdout, stderr } = spawnSync(program, words, { env, maxBuffer: 1 << 28 });
  const sha256 = createHash("sha256").update(stdout).digest("hex");
  return { status, stderr: stderr.toString(), bytes: stdout.length, sha256 };
}

describe("helm template of 5 MB", () => {
  it.each(largeShapes)("prints what Helm prints for a chart of many %s", (shape) => {
    const chart = join(folder, shape);
    for (const [path, text] of Object.entries(largeChart(shape, 5_000_000))) {
      mkdirSync(dirname(join(chart, path)), { recursive: true });
      writeFileSync(join(chart, path), text);
    }
    const real = print(join(buildOracle("helm").folder, "helm"), ["template", "rel", chart]);
    expect(real).toMatchObject({ status: 0, stderr: "" });
    expect(real.bytes).toBeGreaterThan(4_900_000);
    expect(print(command, ["helm", "template", "rel", chart])).toEqual(real);
  });
});
