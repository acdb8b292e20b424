import { describe, expect, it } from "@jest/globals";
import { checkArchitecture, readArchitectureRows } from "./architecture-rows.ts";

const page = (...rows: readonly string[]): string =>
  ["# Architecture", "", "| Row | Packages |", "|---|---|", ...rows, "", "| Other | `libs/none` |"].join("\n");
const top = "| processes | `services/core`, `test-e2e` |";
const middle = "| API; limits | `libs/api` (generates `crds/`); `libs/budget` |";
const bottom = "| JSON | `libs/json` |";
const layers = [["libs/json"], ["libs/budget", "libs/api"], ["test-e2e", "services/core"]];

describe("checkArchitecture", () => {
  it("accepts a table with the rows of the layers", () => {
    expect(checkArchitecture(page(top, middle, bottom), layers)).toEqual([]);
  });

  it.each([
    {
      title: "names a package in a wrong row",
      rows: [top, "| API | `libs/api` |", "| JSON | `libs/json`, `libs/budget` |"],
      problem: 'row "JSON": expected libs/json, as in the layers of scripts/workspace.ts, found libs/budget, libs/json',
    },
    {
      title: "names a row that no layer has",
      rows: [top, middle, "| charts | `libs/helm` |", bottom],
      problem:
        'row "charts": expected libs/api, libs/budget, as in the layers of scripts/workspace.ts, found libs/helm',
    },
    {
      title: "names a row above the highest layer",
      rows: ["| tools | `libs/cli` |", top, middle, bottom],
      problem: 'row "tools": expected no row, as in the layers of scripts/workspace.ts, found libs/cli',
    },
    {
      title: "names a layer without a row",
      rows: [middle, bottom],
      problem:
        "above the first row: expected services/core, test-e2e, as in the layers of scripts/workspace.ts, found no row",
    },
  ])("$title", ({ rows, problem }) => {
    expect(checkArchitecture(page(...rows), layers)).toEqual([`ARCHITECTURE.md: ${problem}`]);
  });
});

describe("readArchitectureRows", () => {
  it("refuses a page without the table", () => {
    expect(() => readArchitectureRows("# Architecture\n")).toThrow(
      'ARCHITECTURE.md: expected a table with the head "| Row | Packages |", found none',
    );
  });
});
