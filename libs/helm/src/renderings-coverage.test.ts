import { describe, expect, it } from "@jest/globals";
import { helmFunctions } from "./functions/helm-functions.ts";
import { hookEvents } from "./manifests/hook.ts";
import { installOrder } from "./manifests/kind-order.ts";
import { readRendering, renderingNames } from "./testing-renderings.ts";

// What spec/helm.md's tables name: an entry that no chart of testdata/renderings has fails here.

const renderings = renderingNames().map(readRendering);
const templates = renderings.flatMap(({ files }) => textsOf(files, (name) => name.includes("templates/")));
const everything = renderings.flatMap(({ files }) => textsOf(files, () => true));
const actions = templates.flatMap((text) => text.match(/\{\{[^]*?\}\}/g) ?? []);
const words = renderings.flatMap(({ cases }) => cases.flatMap(({ args = [], words: own = [] }) => [...args, ...own]));

function textsOf(files: Readonly<Record<string, unknown>>, matches: (name: string) => boolean): string[] {
  return Object.entries(files).flatMap(([name, file]) => (matches(name) && typeof file === "string" ? [file] : []));
}

/** Not in Helm v3. */
const laterFunctions = new Set(["mustToYaml", "mustToToml"]);
const builtinNames = "and or not len index slice print printf println html js urlquery call eq ne lt le gt ge";
const functionNames = [...Object.keys(helmFunctions), ...builtinNames.split(" "), "env", "expandenv"];

describe("functions", () => {
  it.each(functionNames.filter((name) => !laterFunctions.has(name)))("%s is called in a chart", (name) => {
    const call = new RegExp(`(?<![.$\\w"])${name}(?![\\w"])`);
    expect(actions.some((action) => call.test(action))).toBe(true);
  });
});

const syntax: Readonly<Record<string, RegExp>> = {
  if: /\{\{-? ?if /,
  "else if": /\{\{-? ?else if /,
  with: /\{\{-? ?with /,
  "else with": /\{\{-? ?else with /,
  range: /\{\{-? ?range \./,
  "range with a key": /range \$\w+, \$\w+ :=/,
  "range of a number": /range \d/,
  break: /\{\{ ?break/,
  continue: /\{\{ ?continue/,
  template: /\{\{-? ?template "/,
  block: /\{\{-? ?block "/,
  define: /\{\{-? ?define "/,
  declaration: /\$\w+ := /,
  assignment: /\$\w+ = /,
  chain: /\(\S+ [^()]*\)\.\w/,
  "raw string": /`[^`]*`/,
  comment: /\{\{-? ?\/\*/,
  "trim marker": /\{\{- .* -\}\}/,
  "an action of several lines": /\{\{[^}]*\n[^}]*\}\}/,
  "hex integer": /\b0x1F\b/,
  "hex float": /\b0x1p4\b/,
  character: /'a'/,
  "number with _": /\b1_000\b/,
  complex: /\b1i\b/,
};
const verbs = "%s %v %d %q %T %t %x %X %o %b %c %U %e %f %g %G %p %+v %#v %-56s %.0f %05d %03d %% %*d %[2]d".split(" ");
const objects = [
  ".Capabilities.APIVersions.Has",
  ".Capabilities.KubeVersion.Version",
  ".Capabilities.KubeVersion.GitVersion",
  ".Capabilities.KubeVersion.Major",
  ".Capabilities.KubeVersion.Minor",
  ".Capabilities.HelmVersion",
  ".Files.Get ",
  ".Files.GetBytes",
  ".Files.Glob",
  ".Files.Lines",
  ".AsConfig",
  ".AsSecrets",
  ".Template.Name",
  ".Template.BasePath",
  ".Subcharts.",
  ".Values.AsMap",
  ".Values.Table",
  ".Values.PathValue",
  ".Values.YAML",
  ".Release.Name",
  ".Release.Namespace",
  ".Release.Revision",
  ".Release.IsInstall",
  ".Release.IsUpgrade",
  ".Release.Service",
  ".Chart.Name",
  ".Chart.IsRoot",
  "toYaml .Chart",
];

describe("the language", () => {
  it.each(Object.entries(syntax))("%s is in a chart", (_, pattern) => {
    expect(templates.some((text) => pattern.test(text))).toBe(true);
  });

  it.each(verbs)("the verb %j is in a chart", (verb) => {
    expect(actions.some((action) => /\bprintf\b/.test(action) && action.includes(verb))).toBe(true);
  });

  it.each(objects)("%s is in a chart", (path) => {
    expect(actions.some((action) => action.includes(path))).toBe(true);
  });
});

/** Patterns of values, in values.yaml or the text of a chart. */
const values: Readonly<Record<string, RegExp>> = {
  "YAML 1.1 booleans": /\byes, on, y\b/,
  "a boolean as a key": /^y: /m,
  "a number as a key": /^1: /m,
  octal: /\b010\b/,
  "octal with o": /\b0o17\b/,
  "08": /\b08\b/,
  binary: /\b0b101\b/,
  "an integer with _": /\b1_000\b/,
  "an integer beyond 2^53": /\b12345678901234567890\b/,
  "a float with exponent": /\b1e21\b/,
  "a date": /\b2001-01-01\b/,
  "a sexagesimal": /\b1:30\b/,
  "a null": /: null/,
  "an anchor": /&a \{/,
  "a merge key": /<<: \*/,
  "a literal block": /: \|\n/,
  "a folded block": /: >-\n/,
  "a kept block": /: \|\+\n/,
  "an emoji": /\\U0001F600/,
  "a line to fold": /[a-z ]{90}/,
  "natural order of keys": /a10: 1, a2: 2/,
};

describe("values", () => {
  it.each(Object.entries(values))("%s", (_, pattern) => {
    expect(everything.some((text) => pattern.test(text))).toBe(true);
  });
});

/** Charts that a rule of loading, of values or of errors has, by name. */
const rules = [
  "load-ignore load-ignore-negated load-bom load-v1 load-library load-library-alone load-nested load-packed load-alias",
  "load-conditions load-import-values load-missing-dependency load-wrong-version load-bad-metadata load-bad-api-version",
  "load-bad-yaml load-no-chart load-bad-values load-links load-deprecated load-kube-version",
  "values-null values-globals values-set values-set-kinds values-files values-schema values-types",
  "render-include-tpl render-tpl-define-stays-inside render-last-definition render-twice-in-one-file render-notes",
  "render-missing render-nil-pointer render-required error-parse error-parse-in-subchart error-in-subchart",
  "error-arguments error-output manifest-crds manifest-documents manifest-unknown-hooks manifest-show-only",
].flatMap((line) => line.split(" "));
const flags = [
  "--set --set-string --set-json --set-file --set-literal -f --values --namespace --name-template --kube-version",
  "--api-versions --show-only --include-crds --no-hooks --skip-tests --is-upgrade --skip-schema-validation --generate-name",
].flatMap((line) => line.split(" "));

describe("rules", () => {
  it.each(rules)("%s has a chart", (name) => {
    expect(renderings.some((rendering) => rendering.name === name)).toBe(true);
  });

  it.each(flags)("%s is given somewhere", (flag) => {
    expect(words.some((word) => word === flag || word.startsWith(`${flag}=`))).toBe(true);
  });

  it("has more than 60 charts", () => {
    expect(renderings.length).toBeGreaterThan(60);
  });
});

describe("manifests", () => {
  it.each([...hookEvents, "test-success"])("the hook event %s is in a chart", (event) => {
    expect(everything.some((text) => text.includes(`"${event}"`) || text.includes(`hook": ${event}`))).toBe(true);
  });

  it.each([
    "before-hook-creation",
    "hook-succeeded",
    "hook-failed",
    "hook-weight",
    "hook-output-log-policy",
    "resource-policy",
  ])("%s is in a chart", (word) => {
    expect(everything.some((text) => text.includes(word))).toBe(true);
  });

  it.each([...installOrder])("the kind %s is put in order", (kind) => {
    expect(templates.some((text) => text.includes(`"${kind}"`))).toBe(true);
  });
});
