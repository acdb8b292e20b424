import { describe, expect, it } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterFunctions } from "./functions/cluster-functions.ts";
import { dataFunctions } from "./functions/data-functions.ts";
import { flowFunctions } from "./functions/flow-functions.ts";
import { goldenFiles, readGolden, runOurs } from "../test/index.ts";

/** Not in Helm v3, which the cases are from; tested below. */
const laterFunctions = new Set(["mustToYaml", "mustToToml"]);
const functionNames = Object.keys({ ...flowFunctions, ...clusterFunctions, ...dataFunctions });

/** Fields and methods of the objects, by what cases call them. */
const members: Readonly<Record<string, readonly string[]>> = {
  Values: ["AsMap", "YAML", "Table", "PathValue"],
  Chart: ["Name", "Version", "AppVersion", "Maintainers", "Dependencies", "Annotations", "IsRoot"],
  Release: ["Name", "Namespace", "Revision", "IsInstall", "IsUpgrade", "Service"],
  Capabilities: ["KubeVersion", "APIVersions.Has", "HelmVersion", "KubeVersion.GitVersion", "KubeVersion.Minor"],
  Files: ["Get", "GetBytes", "Glob", "Lines"],
  Template: ["Name", "BasePath"],
  Subcharts: ["sub"],
};
const rows = [
  ...functionNames
    .filter((name) => !laterFunctions.has(name))
    .map((name) => [name, new RegExp(`\\b${name}\\b`)] as const),
  ...Object.entries(members).flatMap(([object, names]) =>
    names.map((name) => [`.${object}.${name}`, new RegExp(`\\.${object}\\.${name}\\b`)] as const),
  ),
  ["AsConfig", /\)\.AsConfig\b/] as const,
  ["AsSecrets", /\)\.AsSecrets\b/] as const,
];
const texts = goldenFiles().flatMap((file) =>
  readGolden(file).map(({ template, more }) => [template, ...Object.values(more ?? {})].join("\n")),
);
const readme = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");

describe("the cases", () => {
  it.each(rows)("are three at least for %s", (_, pattern) => {
    expect(texts.filter((text) => pattern.test(text)).length).toBeGreaterThanOrEqual(3);
  });
});

describe("the README", () => {
  it.each(functionNames)("has a row for %s", (name) => {
    expect(readme).toMatch(new RegExp(`\`${name}[ \`]`));
  });
});

describe("functions of Helm v4", () => {
  it.each([
    ['{{ mustToYaml (dict "a" (list 1)) }}', { out: "a:\n- 1" }],
    ["{{ mustToToml (dict `a` 1) }}", { out: "a = 1\n" }],
    [
      "{{ mustToToml (dict `a` (list nil)) }}",
      {
        error:
          'template: t/templates/a.yaml:1:3: executing "t/templates/a.yaml" at <mustToToml (dict `a` (list nil))>: ' +
          "error calling mustToToml: toml: cannot encode array with nil element",
      },
    ],
    [
      '{{ mustToYaml "\\u007f" }}',
      {
        error:
          'template: t/templates/a.yaml:1:3: executing "t/templates/a.yaml" at <mustToYaml "\\u007f">: ' +
          "error calling mustToYaml: yaml: control characters are not allowed",
      },
    ],
  ])("%s", (template, result) => {
    expect(runOurs({ template })).toEqual(result);
  });
});
