import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { ChartError } from "./chart-error.ts";
import { type ChartFolder, folderOf, type ListedEntry } from "./chart-folder.ts";
import { type Chart, chartCrds, walkCharts } from "./chart.ts";
import { loadChart, loadChartArchive, loadChartFolder } from "./load-chart.ts";

const chartYaml = (name: string): Buffer => Buffer.from(`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);

function folder(entries: Readonly<Record<string, string | { link: string }>>): ChartFolder {
  const listing = Object.entries(entries).map(([path, entry]): [string, ListedEntry] => [
    path,
    typeof entry === "string" ? Buffer.from(entry) : entry,
  ]);
  return folderOf(new Map<string, ListedEntry>([["Chart.yaml", chartYaml("c")], ...listing]));
}

async function archive(entries: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const packed = pack();
  for (const [name, data] of Object.entries(entries)) packed.entry({ name }, data);
  packed.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of packed) chunks.push(Buffer.from(chunk as Uint8Array)); // tar-stream's chunks
  return gzipSync(Buffer.concat(chunks));
}

async function failureOf(loading: Promise<Chart>): Promise<ChartError> {
  try {
    await loading;
  } catch (error) {
    if (error instanceof ChartError) return error;
    throw error;
  }
  throw new Error("it loads");
}

describe("links in a folder", () => {
  it("are followed through each other, with the name of the link", async () => {
    const warnings: string[] = [];
    const chart = await loadChartFolder(
      folder({ "a.txt": { link: "./d/b.txt" }, "d/b.txt": { link: "../e/f.txt" }, "e/f.txt": "f", g: { link: "e" } }),
      { warn: (text) => warnings.push(text) },
    );
    expect(chart.files.map(({ name, data }) => [name, Buffer.from(data).toString()])).toEqual([
      ["a.txt", "f"],
      ["d/b.txt", "f"],
      ["e/f.txt", "f"],
      ["g/f.txt", "f"],
    ]);
    expect(warnings[0]).toBe(
      "found symbolic link in path: a.txt resolves to e/f.txt. Contents of linked file included and used",
    );
  });

  it.each([
    ["../outside", "error evaluating symlink x: it leads out of the chart, to ../outside"],
    ["d/../../x", "error evaluating symlink x: it leads out of the chart, to d/../../x"],
    ["/etc/passwd", "error evaluating symlink x: it leads out of the chart, to /etc/passwd"],
    ["nowhere", "error evaluating symlink x: lstat nowhere: no such file or directory"],
    ["x", "error evaluating symlink x: EvalSymlinks: too many links"],
    [".", "x: the symbolic link leads to a folder around it"],
  ])("to %s are refused", async (link, message) => {
    const error = await failureOf(loadChartFolder(folder({ x: { link }, "d/e": "" })));
    expect([error.message, error.file]).toEqual([message, "x"]);
  });
});

describe("limits", () => {
  it.each([
    [
      { fileBytes: 100 },
      { big: "x".repeat(101) },
      { message: 'chart file "big" is larger than the maximum file size 100', file: "big" },
    ],
    [
      { chartBytes: 150 },
      { a: "x".repeat(99), b: "y".repeat(99) },
      { message: "decompressed chart is larger than the maximum file size 150" },
    ],
    [{ files: 3 }, { a: "", b: "", c: "" }, { message: "chart has more than 3 files" }],
  ])("%j of a folder", async (limits, files, expected) => {
    const { message, file } = await failureOf(loadChartFolder(folder(files), { limits }));
    expect({ message, file }).toEqual(expected);
  });

  it("holds charts in each other to 50", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, depth) => [
        `${"charts/s/".repeat(depth + 1)}Chart.yaml`,
        chartYaml("s").toString(),
      ]),
    );
    const error = await failureOf(loadChartFolder(folder(files)));
    expect(error.message).toBe("charts are nested deeper than 50");
  });

  it("ends a bomb of zeros before it is unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const error = await failureOf(loadChartArchive(bomb, { limits: { chartBytes: 1_000_000, files: 10 } }));
    expect(error.message).toBe("decompressed chart is larger than the maximum file size 1000000");
  });

  it("counts packed dependencies together, and names the chart and the file", async () => {
    const inner = await archive({ "s/Chart.yaml": chartYaml("s"), "s/big": Buffer.alloc(3000, "x") });
    const outer = await archive({
      "c/Chart.yaml": chartYaml("c"),
      "c/a": Buffer.alloc(3000, "y"),
      "c/charts/s-1.0.0.tgz": inner,
    });
    await expect(loadChartArchive(outer, { limits: { chartBytes: 9000 } })).resolves.toMatchObject({
      files: [{ name: "a" }],
    });
    const error = await failureOf(loadChartArchive(outer, { limits: { chartBytes: 5000 } }));
    expect([error.message, error.chart, error.file]).toEqual([
      "error unpacking subchart s-1.0.0.tgz in c: decompressed chart is larger than the maximum file size 5000",
      "c",
      "charts/s-1.0.0.tgz",
    ]);
  });

  it("names the file of a dependency that is wrong", async () => {
    const broken = folder({ "charts/s/Chart.yaml": chartYaml("s").toString(), "charts/s/values.yaml": "a: [\n" });
    const error = await failureOf(loadChartFolder(broken));
    expect([error.message, error.file]).toEqual([
      "error unpacking subchart s in c: cannot load values.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content",
      "charts/s/values.yaml",
    ]);
  });

  it("ends YAML whose aliases multiply", async () => {
    const lines = Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
    const error = await failureOf(loadChartFolder(folder({ "values.yaml": `a0: &a0 [x]\n${lines.join("\n")}\n` })));
    expect(error.message).toBe(
      "cannot load values.yaml: error converting YAML to JSON: yaml: document contains excessive aliasing",
    );
  });

  it("refuses devices", async () => {
    const device: ChartFolder = {
      label: "",
      read: () => new Uint8Array(),
      entries: () => [{ name: "dev", kind: "irregular" }],
    };
    const error = await failureOf(loadChartFolder(device));
    expect(error.message).toBe("cannot load irregular file dev as it has file mode type bits set");
  });
});

describe("loadChart", () => {
  let root = "";
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "chart-"));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it("reads a folder and what it was packed to alike", async () => {
    mkdirSync(join(root, "c/charts/s/crds"), { recursive: true });
    mkdirSync(join(root, "c/templates"));
    writeFileSync(join(root, "c/Chart.yaml"), chartYaml("c"));
    writeFileSync(join(root, "c/templates/t.yaml"), "t");
    writeFileSync(join(root, "c/charts/s/Chart.yaml"), chartYaml("s"));
    writeFileSync(join(root, "c/charts/s/crds/k.yaml"), "k");
    symlinkSync("templates/t.yaml", join(root, "c/link"));
    writeFileSync(
      join(root, "c.tgz"),
      await archive({
        "c/Chart.yaml": chartYaml("c"),
        "c/charts/s/Chart.yaml": chartYaml("s"),
        "c/charts/s/crds/k.yaml": Buffer.from("k"),
        "c/link": Buffer.from("t"),
        "c/templates/t.yaml": Buffer.from("t"),
      }),
    );
    const stored = await loadChart(join(root, "c"));
    expect(await loadChart(join(root, "c.tgz"))).toEqual(stored);
    expect(walkCharts(stored).map(({ fullPath, isRoot }) => [fullPath, isRoot])).toEqual([
      ["c", true],
      ["c/charts/s", false],
    ]);
    expect(chartCrds(stored)).toEqual([
      { name: "crds/k.yaml", filename: "c/charts/s/crds/k.yaml", data: Buffer.from("k") },
    ]);
  });

  it("reads no file that is larger than its content may be", async () => {
    writeFileSync(join(root, "c.tgz"), Buffer.alloc(2000, "x"));
    const error = await failureOf(loadChart(join(root, "c.tgz"), { limits: { chartBytes: 1000 } }));
    expect(error.message).toBe(`${join(root, "c.tgz")}: the packed chart is larger than it may be when it is unpacked`);
  });

  it.each([
    ["none", undefined, "stat ROOT/none: no such file or directory"],
    ["a.yaml", "a: 1", "file 'ROOT/a.yaml' seems to be a YAML file, but expected a gzipped archive"],
    [
      "a.txt",
      "text ".repeat(200),
      "file 'ROOT/a.txt' does not appear to be a gzipped archive; got 'text/plain; charset=utf-8'",
    ],
    ["a.bin", "text", "file 'ROOT/a.bin' does not appear to be a gzipped archive; got 'application/octet-stream'"],
  ])("refuses %s", async (name, content, message) => {
    if (content !== undefined) writeFileSync(join(root, name), content);
    const error = await failureOf(loadChart(join(root, name)));
    expect(error.message.replaceAll(root, "ROOT")).toBe(message);
  });
});
