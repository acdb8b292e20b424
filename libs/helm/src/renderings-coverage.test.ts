import { describe, expect, it } from "@jest/globals";
import { parseTemplate } from "@landscaper/gotemplate";
import { helmFunctions } from "./functions/helm-functions.ts";
import { hookEvents } from "./manifests/hook.ts";
import { installOrder } from "./manifests/kind-order.ts";
import { readGoldenRendering, readRendering, renderingNames } from "../test/renderings.ts";
import { readTables, type Shown, wordsOf } from "../test/tables.ts";

// What testdata/tables.yaml lists: an entry that no chart of testdata/renderings shows fails here.

const tables = readTables();
const renderings = renderingNames().map((name) => ({ ...readRendering(name), golden: readGoldenRendering(name) }));
const templates = renderings.flatMap(({ files }) => textsOf(files, (name) => name.includes("templates/")));
const everything = renderings.flatMap(({ files }) => textsOf(files, () => true));
const actions = templates.flatMap((text) => text.match(/\{\{[^]*?\}\}/g) ?? []);
const words = renderings.flatMap(({ cases }) => cases.flatMap(({ args = [], words: own = [] }) => [...args, ...own]));

function textsOf(files: Readonly<Record<string, unknown>>, matches: (name: string) => boolean): string[] {
  return Object.entries(files).flatMap(([name, file]) => (matches(name) && typeof file === "string" ? [file] : []));
}

/** Functions that a template calls: the parser asks for each of them, words in texts and comments are none. */
function calledIn(text: string): ReadonlySet<string> {
  const asked = new Set<string>();
  const functions = new Proxy(helmFunctions, {
    getOwnPropertyDescriptor: (all, name) => {
      asked.add(String(name));
      return Reflect.getOwnPropertyDescriptor(all, name);
    },
  });
  try {
    parseTemplate({ name: "asked", text, functions });
  } catch {
    // A broken template calls what stands before its mistake.
  }
  return asked;
}

/** Functions that templates call which Helm renders, and those of all templates. */
const calls = { rendered: new Set<string>(), all: new Set<string>() };
for (const { files, golden } of renderings) {
  for (const text of textsOf(files, (name) => name.includes("templates/"))) {
    for (const name of calledIn(text)) {
      calls.all.add(name);
      if (golden.some(({ status }) => status === 0)) calls.rendered.add(name);
    }
  }
}

const { builtin, helm, sprig, removed } = tables.functions;
const functionNames = [...new Set([builtin, helm, sprig].flatMap(wordsOf))].filter(
  (name) => !wordsOf(removed).includes(name),
);
/** Not in Helm v3. */
const laterFunctions = ["mustToYaml", "mustToToml"];

/** Nothing that a chart has is a function, so that a call of one is always an error. */
const alwaysErrors = ["call", ...wordsOf(removed)];

describe("functions", () => {
  it.each(functionNames.filter((name) => name !== "call"))("%s is called in a chart that is rendered", (name) => {
    expect(calls.rendered).toContain(name);
  });

  it.each(alwaysErrors)("%s is called in a chart", (name) => {
    expect(calls.all).toContain(name);
  });

  it("are those that we have", () => {
    const ours = Object.keys(helmFunctions).filter((name) => !laterFunctions.includes(name));
    expect(ours.toSorted()).toEqual(
      functionNames.filter((name) => !wordsOf(builtin).includes(name) || name === "slice").toSorted(),
    );
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
describe("the language", () => {
  it.each(Object.entries(syntax))("%s is in a chart", (_, pattern) => {
    expect(templates.some((text) => pattern.test(text))).toBe(true);
  });

  it.each(wordsOf(`${tables.verbs} ${tables["more-verbs"]}`))("the verb %j is in a chart", (verb) => {
    expect(actions.some((action) => /\bprintf\b/.test(action) && action.includes(verb))).toBe(true);
  });

  it.each(wordsOf(`${tables.objects} ${tables["more-objects"]}`))("%s is in a chart", (path) => {
    const access = new RegExp(`${path.replaceAll(".", "\\.")}(?!\\w)`);
    expect(actions.some((action) => access.test(action))).toBe(true);
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

function rowsOf(shown: Shown): (readonly [title: string, chart: string, text: string])[] {
  return Object.entries(shown).flatMap(([group, rows]) =>
    rows.map(([title, chart, text]) => [`${group}: ${title}`, chart, text] as const),
  );
}

describe("what Helm prints shows", () => {
  it.each([...rowsOf(tables.traps), ...rowsOf(tables.rules)])("%s", (_, chart, text) => {
    const golden = renderings.find(({ name }) => name === chart)?.golden ?? [];
    expect(golden.map(({ stdout, stderr }) => `${stdout}${stderr}`).join("\n")).toContain(text);
    expect(golden).not.toEqual([]);
  });
});

describe("the command line", () => {
  it.each(wordsOf(tables.flags))("%s is given somewhere", (flag) => {
    expect(words.some((word) => word === flag || word.startsWith(`${flag}=`))).toBe(true);
  });

  it("is that of more than 60 charts", () => {
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
