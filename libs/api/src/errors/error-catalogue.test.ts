import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { errorCodes } from "./error.ts";
import { describeErrors } from "./describe-errors.ts";
import { errorCodeCatalogue, isCataloguedReason } from "./error-catalogue.ts";

const root = join(import.meta.dirname, "../../../..");

interface SourceText {
  readonly isTest: boolean;
  /** Without comments. */
  readonly text: string;
}

const isOfTests = (file: string): boolean => /\.test\.ts$|\/test\/|\/testdata\/|^test-e2e\//.test(file);
/** They explain reasons, or sort them. */
const isAboutReasons = (file: string): boolean =>
  /\/(error-catalogue|chart-reasons|container-reasons|first-failure|step-conditions)(\.test)?\.ts$|^libs\/cli\//.test(
    file,
  );

function readSources(): readonly SourceText[] {
  const exclude = ["**/node_modules/**", "**/dist/**"];
  const patterns = ["{libs,services}/**/{src,test}/**/*.ts", "libs/blueprint/testdata/*/want.yaml", "test-e2e/**/*.ts"];
  return globSync(patterns, { cwd: root, exclude })
    .filter((file) => !isAboutReasons(file))
    .map((file) => ({
      isTest: isOfTests(file),
      text: readFileSync(join(root, file), "utf8").replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ""),
    }));
}

const sources = readSources();
const productText = sources
  .filter(({ isTest }) => !isTest)
  .map(({ text }) => text)
  .join("\n");
const testText = sources
  .filter(({ isTest }) => isTest)
  .map(({ text }) => text)
  .join("\n");

/** Reasons that the sources give to a LandscaperError as text. */
function reasonsInSources(): string[] {
  const errors = [...productText.matchAll(/new LandscaperError\(\{(.*?)\}\);?$/gms)].map(
    ([, options]) => options ?? "",
  );
  return errors.flatMap((options) => [...options.matchAll(/^\s*reason: "(\w+)"/gm)].map(([, reason]) => reason ?? ""));
}

/** Texts of the product that may be the reason of an error: not members of a type, and not what another reason is compared with. */
const given = new Set(
  [...productText.matchAll(/(?<!(?:\||===|!==|case) )"(\w+)"(?!:)/g)].map(([, reason]) => reason ?? ""),
);
const named = new Set([...testText.matchAll(/"(\w+)"|^reason: (\w+)$/gm)].map(([, text, line]) => text ?? line ?? ""));
const catalogued = [...describeErrors().matchAll(/^\| `(\w+)`/gm)]
  .map(([, reason]) => reason ?? "")
  .filter((reason) => !Object.hasOwn(errorCodeCatalogue, reason));

describe("error catalogue", () => {
  it("explains every code", () => {
    expect(Object.keys(errorCodeCatalogue)).toEqual([...errorCodes]);
  });

  it("explains every reason that the sources give", () => {
    expect([...new Set(reasonsInSources())].filter((reason) => !isCataloguedReason(reason))).toEqual([]);
  });

  it("has only reasons that the product gives, and that a test names", () => {
    expect(catalogued.length).toBeGreaterThan(100);
    expect(catalogued.filter((reason) => !given.has(reason))).toEqual([]);
    expect(catalogued.filter((reason) => !named.has(reason))).toEqual([]);
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
    expect(widths).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1]);
  });
});
