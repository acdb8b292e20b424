import { describe, expect, it } from "@jest/globals";
import { checkCommands, type CommandCensus } from "./check-commands.ts";
import { decideStart, type CommandStart } from "./decide-start.ts";
import { findCommands } from "./find-commands.ts";
import { findPageSuites } from "./page-suites.ts";
import { planLines, planStarts } from "./plan-starts.ts";
import { outerScripts, scriptStarts } from "./script-starts.ts";

const guide = "docs/guide/install.md";
const pageSuites = [
  ...findPageSuites("suites/guide.test.ts", 'const g = readGuideExamples("install.md"); g.commands("Install");'),
  ...findPageSuites("cli/guide.test.ts", 'const p = "../../docs/guide/cli.md"; readExamples(p);'),
];
const known = {
  suites: ["ha", "hostile", "hostile/tenants"],
  benches: ["tree"],
  testFiles: ["libs/api/src/labels.test.ts"],
  fenceProblems: [],
};

function census(pages: Readonly<Record<string, string>>, more: Partial<CommandCensus> = {}): CommandCensus {
  const commands = Object.entries(pages).flatMap(([file, text]) => findCommands(file, text));
  return { ...known, pageSuites, commands, scripts: ["build", "charts", "e2e", "test"], ...more };
}

const shell = (lines: string, heading = "Other"): string => `## ${heading}\n\n\`\`\`sh\n${lines}\n\`\`\`\n`;

function startOf(file: string, page: string): CommandStart | undefined {
  const read = census({ [file]: page });
  const [command] = read.commands;
  return command && decideStart(command, read);
}

describe("decideStart", () => {
  it.each<[line: string, start: CommandStart]>([
    ["npm run charts", { type: "script", script: "charts", words: [] }],
    ["npm run e2e -- ha", { type: "script", script: "e2e", words: ["ha", "--listTests"] }],
    ["npm run e2e -- SUITE", { type: "script", script: "e2e", words: ["--listTests"] }],
    ["npm run e2e -- haa", { type: "none" }],
    [
      "npm run bench -- tree --rounds 3",
      {
        type: "script",
        script: "bench",
        words: ["all", "--smallest"],
        parsed: ["tree", "--rounds", "3", "--help"],
      },
    ],
    ["npm run lint -- NAME", { type: "script", script: "lint", words: ["commands"], parsed: ["NAME", "--help"] }],
    ["npm run bench -- forest", { type: "none" }],
    ["npm run nothing", { type: "none" }],
    ["npm install x", { type: "none" }],
    ["npm test -- --profile", { type: "outer" }],
    ["npm test -- libs/api", { type: "outer" }],
    ["npm test -- PATTERN...", { type: "outer" }],
    ["npm test -- libs/ipa", { type: "none" }],
    ["npm test -- --typo", { type: "none" }],
    ["npm test -- --changed libs/api", { type: "none" }],
    ["npm run deployer-conformance -- --profile a.yaml --kubeconfig FILE", { type: "reader", needs: "a cluster" }],
    ["kubectl get pods", { type: "reader", needs: "a cluster" }],
    ["helm upgrade a b", { type: "reader", needs: "a cluster" }],
    ["helm template a b", { type: "line" }],
    ["landscaper tree", { type: "reader", needs: "a cluster" }],
    ["landscaper helm diff a b", { type: "reader", needs: "a cluster" }],
    ["landscaper helm versions -n shop", { type: "reader", needs: "a cluster" }],
    ["landscaper render folder", { type: "line" }],
    ["echo '{{ . }}' | bin/landscaper gotemplate -f -", { type: "line" }],
    ["landscaper component push ctf//a registry.example/b", { type: "reader", needs: "a registry" }],
    ["docker run x", { type: "reader", needs: "a docker daemon" }],
    ["apt-get install x", { type: "reader", needs: "a machine to install packages on" }],
    ["export A=b", { type: "reader", needs: "a shell" }],
    ["cd test-e2e && npm run charts", { type: "script", script: "charts", words: [] }],
    ["cd test-e2e && npm run nothing", { type: "none" }],
    ["export A=b; landscaper render folder", { type: "line" }],
    ["frobnicate --all", { type: "none" }],
    ["echo x | frobnicate", { type: "none" }],
  ])("decides of %s", (line, start) => {
    expect(startOf(guide, shell(line))).toEqual(start);
  });

  it("finds the suite that runs the block of a section, only for its own page", () => {
    const page = shell("frobnicate\n", "Install");
    expect(startOf(guide, page)).toEqual({ type: "page", suite: "suites/guide.test.ts" });
    expect(startOf("docs/guide/helm.md", page)).toEqual({ type: "none" });
  });

  it("finds the test that compares the output of commands", () => {
    const page = "```console\n$ landscaper spiff x\nout\n```\n";
    expect(startOf("docs/guide/cli.md", page)).toEqual({ type: "page", suite: "cli/guide.test.ts" });
    expect(startOf(guide, page)).toEqual({ type: "none" });
  });
});

describe("findPageSuites", () => {
  it("resolves pages from docs/guide, and ignores tests that read no commands from a page", () => {
    const code = 'readGuideExamples("../../README.md").commands("A")';
    expect(findPageSuites("a", code)).toMatchObject([{ page: "README.md", kinds: ["shell"] }]);
    expect(findPageSuites("a", 'readGuideExamples("helm.md").load("A")')).toEqual([]);
  });
});

describe("checkCommands", () => {
  const scripts = [...Object.keys(scriptStarts), ...outerScripts];
  const documented = scripts.map((script) => `\`npm run ${script}\``).join("\n");
  const page = documented
    .replace("`npm run bench`", "`npm run bench -- tree`")
    .replace("`npm run release`", "`npm run release -- VERSION --registry HOST/PREFIX`")
    .replace("`npm run components`", "`npm run components -- --registry HOST/PREFIX`");

  it("reports no problem if pages, scripts and tests agree", () => {
    expect(checkCommands(census({ "CONTRIBUTING.md": page }, { scripts }))).toEqual([]);
  });

  it("reports a script without documentation and test, and a removed script", () => {
    const found = checkCommands(
      census({ "CONTRIBUTING.md": page }, { scripts: [...scripts.filter((name) => name !== "charts"), "sing"] }),
    );
    expect(found).toEqual([
      'package.json: no page documents the script "sing"; add it to the table of CONTRIBUTING.md',
      'package.json: no test starts the script "sing"; add it to scriptStarts of scripts/documented-commands/script-starts.ts',
      'scripts/documented-commands/script-starts.ts: package.json has no script "charts"; remove it',
      expect.stringMatching(/^CONTRIBUTING\.md:\d+: package\.json has no script "charts": npm run charts$/),
    ]);
  });

  it("does not accept a mention on another page as documentation", () => {
    const rest = page.replace("`npm run charts`", "");
    expect(checkCommands(census({ "CONTRIBUTING.md": rest, "docs/a.md": "`npm run charts`" }, { scripts }))).toEqual([
      'package.json: no page documents the script "charts"; add it to the table of CONTRIBUTING.md',
    ]);
  });

  it("reports a script of a line that does not exist, and words that landscaper refuses", () => {
    const pages = {
      "CONTRIBUTING.md": page,
      [guide]: shell(
        "kubectl get pods && npm run nonsense\nlandscaper install a --no-such-flag\nlandscaper tree a | cat",
      ),
    };
    expect(checkCommands(census(pages, { scripts }))).toEqual([
      `${guide}:4: package.json has no script "nonsense": kubectl get pods && npm run nonsense`,
      `${guide}:5: landscaper refuses "landscaper install a --no-such-flag": error: unknown option '--no-such-flag'`,
    ]);
  });

  it("reports commands that no test starts, unless a suite starts the same command from another page", () => {
    const pages = {
      "CONTRIBUTING.md": page,
      [guide]: shell("frobnicate", "Install"),
      "docs/b.md": shell("frobnicate\nsing"),
    };
    expect(checkCommands(census(pages, { scripts }))).toEqual([
      'docs/b.md:5: no test starts "sing"; let a suite run the block by readGuideExamples',
    ]);
  });
});

describe("planStarts", () => {
  it("starts a script once for the same arguments, and once for all suites that pages name", () => {
    const read = census({
      "a.md": "`npm run e2e` `npm run e2e -- ha` `npm run e2e -- hostile` `npm run charts` `npm run charts`",
    });
    expect(planStarts(read)).toEqual([
      { script: "e2e", words: ["--listTests", "ha", "hostile"], isHelp: false },
      { script: "charts", words: [], isHelp: false },
    ]);
  });

  it("parses the words that a start at the smallest size drops", () => {
    const read = census({
      "a.md": "`npm run bench -- tree --typo` `npm run bench -- tree --typo` `npm run bench -- tree`",
    });
    expect(planStarts(read)).toEqual([
      { script: "bench", words: ["all", "--smallest"], isHelp: false },
      { script: "bench", words: ["tree", "--typo", "--help"], isHelp: true },
      { script: "bench", words: ["tree", "--help"], isHelp: true },
    ]);
  });
});

describe("planLines", () => {
  it("plans the lines of a section that need nothing of the reader's", () => {
    const read = census({ "a.md": shell("echo a\nkubectl get b\ngit c"), "b.md": shell("echo d") });
    expect(planLines(read).map(({ file, commands }) => [file, commands.map(({ text }) => text)])).toEqual([
      ["a.md", ["echo a", "git c"]],
      ["b.md", ["echo d"]],
    ]);
  });
});
