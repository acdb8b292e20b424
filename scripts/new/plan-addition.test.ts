import { stripTypeScriptTypes } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { copyImporter, insertAfter, replaceTexts, sectionOf } from "./edit-text.ts";
import { parseRequest, planAddition, type Workspace } from "./plan-addition.ts";

const root = join(import.meta.dirname, "../..");
const workspace: Workspace = {
  packageNames: ["@landscaper/budget", "@landscaper/mock-deployer"],
  exists: (path) => existsSync(join(root, path)),
  read: (path) => readFileSync(join(root, path), "utf8"),
};

describe("parseRequest", () => {
  it.each([
    ["deployer", "git-source"],
    ["package", "clock2"],
  ] as const)("takes %s %s", (kind, name) => {
    expect(parseRequest([kind, name])).toEqual({ kind, name });
  });

  const form = 'expected at most 40 lower-case letters and digits in words joined by "-", such as "git-source"';
  it.each<readonly [readonly string[], string]>([
    [[], `expected "deployer" or "package", found nothing`],
    [["service", "x"], `expected "deployer" or "package", found "service"`],
    [["package"], `expected the name of the package, found nothing`],
    [["package", "a", "b"], `expected one name, found ["a","b"]`],
    [["package", "Git"], `"Git" is not a valid name: ${form}`],
    [["package", "git_source"], `"git_source" is not a valid name: ${form}`],
    [["package", "git-"], `"git-" is not a valid name: ${form}`],
    [["package", "../x"], `"../x" is not a valid name: ${form}`],
    [["package", "2x"], `"2x" is not a valid name: ${form}`],
    [["package", "x".repeat(41)], `"${"x".repeat(41)}" is not a valid name: ${form}`],
    [
      ["deployer", "git-deployer"],
      '"git-deployer": expected the name of a deployer without "deployer", which is added to it',
    ],
  ])("refuses %j", (args, message) => {
    expect(() => parseRequest(args)).toThrow(new Error(message));
  });
});

describe("planAddition", () => {
  it.each([
    ["deployer", "mock", "libs/deployers/mock"],
    ["package", "budget", "libs/budget"],
    ["package", "deployers", "libs/deployers"],
    ["package", "mock-deployer", "package @landscaper/mock-deployer"],
  ] as const)("refuses the %s %s, which exists", (kind, name, where) => {
    expect(() => planAddition({ kind, name }, workspace)).toThrow(new Error(`"${name}" exists already: ${where}`));
  });

  it("gives a deployer a library, a process, and their places in the workspace", () => {
    const { files, generated, next } = planAddition({ kind: "deployer", name: "git-source" }, workspace);
    expect(files.map(({ path }) => path)).toEqual([
      "libs/deployers/git-source/package.json",
      "libs/deployers/git-source/README.md",
      "libs/deployers/git-source/src/index.ts",
      "libs/deployers/git-source/src/git-source-deployer.ts",
      "libs/deployers/git-source/src/git-source-deployer.test.ts",
      "services/git-source-deployer/package.json",
      "services/git-source-deployer/README.md",
      "services/git-source-deployer/Dockerfile",
      "services/git-source-deployer/src/main.ts",
      "pnpm-lock.yaml",
      "scripts/workspace.ts",
      "ARCHITECTURE.md",
    ]);
    expect(generated).toEqual([
      "libs/deployers/git-source/tsconfig.json",
      "libs/deployers/git-source/test/tsconfig.json",
      "services/git-source-deployer/tsconfig.json",
      "tsconfig.json",
    ]);
    const contentOf = (path: string): string => files.find((file) => file.path === path)?.content ?? "";
    expect(contentOf("pnpm-lock.yaml")).toContain(`
      '@landscaper/git-source-deployer-lib':
        specifier: workspace:*
        version: link:../../libs/deployers/git-source
`);
    expect(contentOf("scripts/workspace.ts")).toContain(
      '"@landscaper/mock-deployer-lib", "@landscaper/git-source-deployer-lib"',
    );
    expect(contentOf("ARCHITECTURE.md")).toContain("`services/mock-deployer`, `services/git-source-deployer`");
    expect(contentOf("services/git-source-deployer/Dockerfile")).toContain(
      `RUN ["node", "scripts/build.ts", "git-source-deployer", "--outdir=/app", "--no-source-maps"]\n`,
    );
    const main = contentOf("services/git-source-deployer/src/main.ts");
    expect(stripTypeScriptTypes(main)).toContain("rights: deployerRights({ connects: true })");
    expect(main).not.toMatch(/mock/i);
    expect(files.filter(({ content }) => /greetingDeployer|example\.org/.test(content))).toEqual([]);
    expect(next.join("\n")).toContain("npm run unit -- --selectProjects git-source-deployer-lib");
  });

  it("names the file that has no place for the new package", () => {
    const read = (path: string): string => (path === "ARCHITECTURE.md" ? "another page" : workspace.read(path));
    expect(() => planAddition({ kind: "package", name: "clock" }, { ...workspace, read })).toThrow(
      "ARCHITECTURE.md: expected `libs/egress`, beside which the new package is to stand; found none",
    );
  });
});

describe("copyImporter", () => {
  const lock = `importers:

  .:
    devDependencies:
      jest: 1

  libs/b:
    devDependencies:
      jest: 1

packages:

  jest: {}
`;
  const place = (name: string) => ({ dir: `libs/${name}`, name: `@landscaper/${name}` });
  const added = (name: string, like: string) => ({
    ...place(name),
    like: place(like),
    beside: place(like),
    files: [],
  });

  it.each([
    ["a", "libs/a libs/b"],
    ["c", "libs/b libs/c"],
  ])("puts libs/%s in its order: %s", (name, order) => {
    const copied = copyImporter(lock, added(name, "b"));
    expect(copied.match(/libs\/\w/g)?.join(" ")).toBe(order);
    const block = `  libs/${name}:\n    devDependencies:\n      jest: 1\n\n`;
    expect(copied.replace(block, "")).toBe(lock);
  });

  it("leaves out the dependencies that the new package does not use", () => {
    const json = "      '@landscaper/json':\n        specifier: workspace:*\n        version: link:../json\n";
    const withJson = lock.replace(
      "    devDependencies:\n      jest: 1\n\npackages",
      `    dependencies:\n${json}    devDependencies:\n      jest: 1\n\npackages`,
    );
    const copied = copyImporter(withJson, { ...added("c", "b"), dropped: ["@landscaper/json"] });
    expect(copied.split(json)).toHaveLength(2);
    expect(copied).toContain("  libs/c:\n    dependencies:\n    devDependencies:\n      jest: 1\n");
  });

  it("fails without the other importer", () => {
    expect(() => copyImporter(lock, added("a", "x"))).toThrow(new Error("expected the importer libs/x; found none"));
  });
});

describe("texts of an example", () => {
  it("have to be there", () => {
    expect(insertAfter("a b", "a", "!")).toBe("a! b");
    expect(replaceTexts("a b a", [["a", "c"]])).toBe("c b c");
    expect(() => replaceTexts("a", [["b", "c"]])).toThrow('expected the text "b" in the example; found none');
    expect(sectionOf("// begin\nx\n// end\n", "// begin", "// end")).toBe("x\n");
    expect(() => sectionOf("x", "// begin", "// end")).toThrow('expected a part from "// begin" to "// end"');
  });
});
