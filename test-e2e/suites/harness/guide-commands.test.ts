import { describe, expect, it } from "@jest/globals";
import { createGuideCommands } from "../../charts-node/guide-commands.ts";
import { readGuideExamples } from "../../src/examples/guide-examples.ts";

const blocks = [
  { heading: "Install", script: "install\nwait" },
  { heading: "Look", script: "look" },
  { heading: "Install", script: "install more" },
];
const substitution = { heading: "Install", text: "install", by: "build", reason: "" };

function record(substitutions = [substitution]) {
  const scripts: string[] = [];
  const page = createGuideCommands(blocks, substitutions, async (script) => {
    scripts.push(script);
    return { status: script === "look" ? 3 : 0, stdout: `out of ${script}\n`, stderr: "err\n" };
  });
  return { page, scripts };
}

describe("commands of a page", () => {
  it("run in the order of the page, with what is substituted below their heading", async () => {
    const { page, scripts } = record();
    expect(await page.run("Install")).toBe("out of build\nwait\n");
    await expect(page.run("Look")).rejects.toThrow(new Error("exit code 3 of\nlook\nout of look\nerr\n"));
    expect(page.left()).toEqual(["Install"]);
    await page.run("Install");
    expect(scripts).toEqual(["build\nwait", "look", "build more"]);
    expect(page.left()).toEqual([]);
  });

  it("that were passed over are left, and cannot run later", async () => {
    const { page } = record();
    await page.run("Install");
    await page.run("Install");
    await expect(page.run("Look")).rejects.toThrow(new Error('the page has no further commands below "Look"'));
    expect(page.left()).toEqual(["Look"]);
  });

  it("fail for a substitution whose text the page no longer has", async () => {
    const { page } = record([{ ...substitution, text: "wait" }]);
    await page.run("Install");
    await expect(page.run("Install")).rejects.toThrow(new Error('the block below "Install" does not have: wait'));
  });

  it("of a section are refused if the caller runs others", () => {
    const guide = readGuideExamples("compose.md");
    expect(guide.commands("Install", [3, 1]).flat()).toHaveLength(4);
    expect(() => guide.commands("Install", [3])).toThrow(
      new Error(
        'docs/guide/compose.md, section "Install": expected shell blocks with these numbers of lines: 3, found 3, 1',
      ),
    );
  });

  it("are the shell blocks of a page, below headings and not below comments of other blocks", () => {
    const { blocks: found } = readGuideExamples("deployer-components.md");
    expect(found.map(({ heading }) => heading)).toEqual(["Get them"]);
    expect(found[0]?.script).toMatch(/^npm run components .*\nlandscaper component push /);
  });
});
