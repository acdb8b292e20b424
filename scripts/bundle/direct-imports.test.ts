import { describe, expect, it } from "@jest/globals";
import { type Declaration, importDirectly } from "./direct-imports.ts";

const exported = new Map<string, Declaration>([
  ["parse", { file: "/libs/a/src/parse.ts", name: "parse" }],
  ["renamed", { file: "/libs/a/src/own.ts", name: "own" }],
]);
const rewrite = (text: string): string =>
  importDirectly(text, (name) => (name === "@landscaper/a" ? exported : undefined));

describe("importDirectly", () => {
  it.each([
    [
      "imports a name from the file that declares it",
      'import { parse } from "@landscaper/a";',
      'import { parse as parse } from "/libs/a/src/parse.ts";',
    ],
    [
      "keeps aliases on both sides of an index",
      'import { renamed as here } from "@landscaper/a";',
      'import { own as here } from "/libs/a/src/own.ts";',
    ],
    [
      "drops types and keeps the number of lines",
      'import {\n  type Options,\n  parse,\n} from "@landscaper/a";\nnext();',
      ' import { parse as parse } from "/libs/a/src/parse.ts";\n\n\n\nnext();',
    ],
    [
      "rewrites exports that pass a name on",
      'export { parse } from "@landscaper/a";',
      'export { parse as parse } from "/libs/a/src/parse.ts";',
    ],
    [
      "imports names without a known declaration from the package",
      'import { other } from "@landscaper/a";',
      'import { other as other } from "@landscaper/a";',
    ],
    [
      "leaves packages outside the workspace alone",
      'import { other } from "@landscaper/b";',
      'import { other } from "@landscaper/b";',
    ],
    [
      "leaves imports of types alone",
      'import type { parse } from "@landscaper/a";',
      'import type { parse } from "@landscaper/a";',
    ],
  ])("%s", (_title, text, want) => {
    expect(rewrite(text)).toBe(want);
  });
});
