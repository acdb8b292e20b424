import { describe, expect, it } from "@jest/globals";
import { checkFences } from "./check-fences.ts";

const block = (fence: string, ...lines: readonly string[]): string =>
  [fence, ...lines, fence.slice(0, 3), ""].join("\n");

describe("checkFences", () => {
  it.each<readonly [text: string, problems: readonly string[]]>([
    [block("```sh", "npm test"), []],
    [block("```console", "$ npm test", "done"), []],
    [block("```", "NAME  PHASE", "a     Succeeded"), []],
    [block("```bash", "npm test"), ["p.md:1: expected a block of sh or console, found bash"]],
    [block("~~~sh", "npm test"), ['p.md:1: expected "```LANGUAGE", found "~~~sh"']],
    ["````sh\nnpm test\n````\n", ['p.md:1: expected "```LANGUAGE", found "````sh"']],
    ["> ```sh\n> npm test\n> ```\n", [1, 3].map((line) => `p.md:${line}: expected a block outside of quotations`)],
    [block("``` sh", "npm test"), ['p.md:1: expected "```LANGUAGE", found "``` sh"']],
    [
      block("```", "npm run setup"),
      ["p.md:2: a command in a block without a language; expected sh or console: npm run setup"],
    ],
    [
      `${block("```sh", "npm test")}text\n${block("```", "$ helm list")}`,
      ["p.md:6: a command in a block without a language; expected sh or console: $ helm list"],
    ],
  ])("checks %j", (text, problems) => {
    expect(checkFences("p.md", text)).toEqual(problems);
  });
});
