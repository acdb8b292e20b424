import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { errorCodes } from "./error.ts";
import { describeErrors, errorCodeCatalogue, isCataloguedReason } from "./error-catalogue.ts";

const root = join(import.meta.dirname, "../../..");

/** Reasons that the sources give to a LandscaperError as text. */
function reasonsInSources(): string[] {
  const files = globSync("{libs,services}/**/src/**/*.ts", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**"],
  });
  return files
    .filter((file) => !/\.test\.ts$|testing\.ts$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const errors = [...text.matchAll(/new LandscaperError\(\{(.*?)\}\);?$/gms)].map(([, options]) => options ?? "");
      return errors.flatMap((options) =>
        [...options.matchAll(/^\s*reason: "(\w+)"/gm)].map(([, reason]) => reason ?? ""),
      );
    });
}

describe("error catalogue", () => {
  it("explains every code", () => {
    expect(Object.keys(errorCodeCatalogue)).toEqual([...errorCodes]);
  });

  it("explains every reason that the sources give", () => {
    expect([...new Set(reasonsInSources())].filter((reason) => !isCataloguedReason(reason))).toEqual([]);
  });

  it("knows no reason twice", () => {
    const rows = describeErrors().match(/^\| `\w+`/gm) ?? [];
    expect(rows).toHaveLength(new Set(rows).size);
  });

  it("becomes tables of equal width", () => {
    const widths = describeErrors()
      .split("\n\n")
      .filter((block) => block.startsWith("|"))
      .map(
        (block) =>
          new Set(
            block
              .trim()
              .split("\n")
              .map((line) => line.split(" | ").length),
          ).size,
      );
    expect(widths).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
