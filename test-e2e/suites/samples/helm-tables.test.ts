// The page of the specification that libs/helm/testdata/tables.yaml is from, which LANDSCAPER_SAMPLES hands over.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { readTables, wordsOf } from "@landscaper/helm/testing";
import { samplePath } from "../../src/examples/sample-folder.ts";

const tables = readTables();
const { builtin, helm, sprig, removed } = tables.functions;
const known = new Set([builtin, helm, sprig].flatMap(wordsOf).filter((name) => !wordsOf(removed).includes(name)));
const page = readFileSync(join(samplePath("specification"), "helm.md"), "utf8");

/** The text of a section by its number. */
function section(number: number): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${number}. `)) ?? "";
}

/** The words of the first group of a pattern. */
function listed(pattern: RegExp): string[] {
  const list = pattern.exec(page)?.[1];
  if (list === undefined) throw new Error(`spec/helm.md has no text like ${String(pattern)}`);
  return wordsOf(list);
}

describe("the tables are those of spec/helm.md", () => {
  it("§6: functions", () => {
    expect(wordsOf(builtin)).toEqual(listed(/text\/template: (.*?) \(\+/));
    expect(wordsOf(helm)).toEqual(listed(/adds\/overrides: (.*?) {2}—/).map((name) => name.replace('("")', "")));
    expect(wordsOf(sprig)).toEqual(listed(/\(211\): ([^]*?)\.\n/));
    expect(wordsOf(removed)).toEqual(listed(/Removed: (.*?)\. /));
  });

  it("§2: functions that charts use", () => {
    const used = listed(/152 distinct functions\. (.*)/).join(" ");
    const [often = "", seldom = ""] = used.split("<10 uses: ");
    const names = [
      ...[...often.matchAll(/(\w+) \d+\/\d+/g)].map(([, name = ""]) => name),
      ...wordsOf(seldom.replace(/\.$/, "")),
    ];
    expect(names).toHaveLength(152);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it("§2: verbs", () => {
    const line = listed(/printf verbs: (.*?); /).join(" ");
    expect(wordsOf(tables.verbs)).toEqual([...line.matchAll(/`(%\S+)`/g)].map(([, verb]) => verb));
  });

  it("§2: objects", () => {
    const line =
      section(2)
        .split("\n")
        .find((text) => text.startsWith("Objects:")) ?? "";
    const names = [...line.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    expect(names.filter((name) => !wordsOf(tables.objects).includes(name))).toEqual([]);
  });

  it("§3 and §5: groups of traps", () => {
    const yaml = [...section(3).matchAll(/^(?:`(toYamlPretty)`|(\w+ traps))/gm)].map(
      ([, code, text]) => code ?? text ?? "",
    );
    const others = [...section(5).matchAll(/^- (?:`([^`]+)`|(\w+))/gm)].map(([, code, text]) => code ?? text ?? "");
    expect(Object.keys(tables.traps).toSorted()).toEqual([...yaml, ...others].toSorted());
  });
});
