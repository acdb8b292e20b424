import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { largeChart } from "@landscaper/helm/testing";
import { runProgram } from "../../../test/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-large-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function writeChart(files: Readonly<Record<string, string>>): string {
  const chart = join(folder, "chart");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(chart, path)), { recursive: true });
    writeFileSync(join(chart, path), text);
  }
  return chart;
}

/** The command in a process of its own, whose memory is measured. */
function runMeasured(words: readonly string[]): {
  status: number | null;
  stdout: string;
  stderr: string;
  mebibytes: number;
} {
  const measured = join(folder, "memory");
  const measure = join(folder, "measure.mjs");
  const write = `writeFileSync(${JSON.stringify(measured)}, String(process.resourceUsage().maxRSS))`;
  writeFileSync(measure, `import { writeFileSync } from "node:fs";\nprocess.on("exit", () => ${write});\n`);
  const args = [
    "--disable-warning=ExperimentalWarning",
    "--import",
    measure,
    join(import.meta.dirname, "../../main.ts"),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, ...words], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr, mebibytes: Number(readFileSync(measured, "utf8")) / 1024 };
}

describe("helm template of large charts", () => {
  it.each(["crds", "templates"] as const)("renders 20 MB of %s within 1 GiB", (shape) => {
    const { status, stdout, stderr, mebibytes } = runMeasured([
      "helm",
      "template",
      "rel",
      writeChart(largeChart(shape, 20_000_000)),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.length).toBeGreaterThan(19_900_000);
    expect(mebibytes).toBeLessThan(1024);
  });

  it("names size and limit of what is larger than it renders", async () => {
    const chart = writeChart({
      "Chart.yaml": "apiVersion: v2\nname: c\nversion: 1.0.0\n",
      ...Object.fromEntries(
        Array.from({ length: 5 }, (_, index) => [`templates/${index}.yaml`, 'a: {{ repeat 15000000 "x" }}\n']),
      ),
    });
    const { exitCode, stdout, stderr } = await runProgram(["helm", "template", "rel", chart]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toBe(
      "Error: template: c/templates/0.yaml: budget exceeded: the files rendered so far have 71.5 MiB, the limit is 64 MiB\n\nUse --debug flag to render out invalid YAML\n",
    );
  });
});
