import { describe, expect, it } from "@jest/globals";
import { ChartError } from "./chart-error.ts";
import { folderOf, type ChartFolder, type ListedEntry } from "./chart-folder.ts";
import { listChartFiles } from "./list-folder.ts";
import { LoadBudget } from "./load-budget.ts";

function list(entries: Readonly<Record<string, string | { readonly link: string }>>) {
  const listed = Object.entries(entries).map(([path, entry]): readonly [string, ListedEntry] => [
    path,
    typeof entry === "string" ? Buffer.from(entry) : entry,
  ]);
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const folder = folderOf(new Map(listed), "chart");
  const files = listChartFiles(folder, { budget: new LoadBudget(), warn });
  return { files: files.map(({ name, data }) => [name, Buffer.from(data).toString()]), warnings };
}

describe("listChartFiles", () => {
  it("returns the files in the order of their names", () => {
    const { files } = list({ "templates/b": "1", "values.yaml": "2", "templates/a": "3", "Chart.yaml": "4" });
    expect(files).toEqual([
      ["Chart.yaml", "4"],
      ["templates/a", "3"],
      ["templates/b", "1"],
      ["values.yaml", "2"],
    ]);
  });

  it("leaves out what the file .helmignore names, folders and files apart", () => {
    const entries = { "a.md": "1", "b/a.md": "2", c: "3", "d/c/e": "4", "d/f": "5" };
    expect(list({ ".helmignore": "*.md\nc/\n", ...entries }).files).toEqual([
      [".helmignore", "*.md\nc/\n"],
      ["c", "3"],
      ["d/f", "5"],
    ]);
    expect(list({ "z.helmignore": "*.md\n", ...entries }).files.map(([name]) => name)).toEqual([
      "a.md",
      "b/a.md",
      "c",
      "d/c/e",
      "d/f",
      "z.helmignore",
    ]);
  });

  it("does not read rules from a folder with this name", () => {
    expect(list({ ".helmignore/a": "*", b: "1" }).files.map(([name]) => name)).toEqual([".helmignore/a", "b"]);
  });

  it("follows links with a warning, but not into a folder around them", () => {
    expect(list({ "a/b": "1", c: { link: "a" } })).toEqual({
      files: [
        ["a/b", "1"],
        ["c/b", "1"],
      ],
      warnings: ["found symbolic link in path: chart/c resolves to chart/a. Contents of linked file included and used"],
    });
    expect(() => list({ "a/b": { link: "../a" } })).toThrow(
      new ChartError("chart/a/b: the symbolic link leads to a folder around it", { file: "a/b" }),
    );
  });

  it("accepts 50 folders in each other", () => {
    expect(list({ [`${"a/".repeat(50)}b`]: "1" }).files).toHaveLength(1);
    expect(() => list({ [`${"a/".repeat(51)}b`]: "1" })).toThrow("charts are nested deeper than 50");
  });

  it("reads no rules that do not exist", () => {
    const folder: ChartFolder = {
      label: "chart",
      entries: () => [{ name: "a", kind: "file", bytes: 1 }],
      read: (path) => {
        if (path === "a") return Buffer.from("1");
        throw new Error(`${path} does not exist`);
      },
    };
    expect(listChartFiles(folder, { budget: new LoadBudget() })).toHaveLength(1);
  });

  it("refuses a file that is not a regular one, and names it", () => {
    const folder: ChartFolder = {
      label: "chart",
      entries: () => [{ name: "pipe", kind: "irregular" }],
      read: () => new Uint8Array(),
    };
    const errorOf = (): unknown => {
      try {
        return listChartFiles(folder, { budget: new LoadBudget() });
      } catch (error) {
        return error;
      }
    };
    expect(errorOf()).toMatchObject({
      message: "cannot load irregular file chart/pipe as it has file mode type bits set",
      file: "pipe",
    });
  });
});
