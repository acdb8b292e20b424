import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { GoStruct, GoType } from "../../src/builtin-types/parse-builtin-types.ts";
import { findBuiltinType } from "../../src/builtin-types/parse-builtin-types.ts";
import { builtinResources } from "../../src/resources/builtin-resources.ts";
import { reviewResources } from "../../src/resources/review-resources.ts";
import { groupVersionOf } from "../../src/resources/resource-definition.ts";
import { borderValues } from "./border-values.ts";
import { combinations } from "./combinations.ts";
import { enumValues, openTextTypes } from "./enum-values.ts";
import { differences, type Difference } from "./differences.ts";
import { createEmbeddedSend } from "./embedded-send.ts";
import { hasRecordedChanges, nameOfSample, readRecordedChanges } from "./recorded-changes.ts";
import type { Refusals } from "./run-sample.ts";
import { prepareNamespace, runSample } from "./run-sample.ts";
import type { Sample } from "./sample.ts";
import type { ServedKinds } from "./served-kinds.ts";
import { listServedKinds, missingKinds, readServedKinds } from "./served-kinds.ts";
import { samples } from "./samples.ts";

/** Changes with different answers, by their title. */
function compare(recorded: Refusals, answered: Refusals): Readonly<Record<string, object>> {
  const titles = new Set([...Object.keys(recorded), ...Object.keys(answered)]);
  const different = [...titles].filter((title) => JSON.stringify(recorded[title]) !== JSON.stringify(answered[title]));
  return Object.fromEntries(
    different.map((title) => [title, { real: recorded[title] ?? "accepted", embedded: answered[title] ?? "accepted" }]),
  );
}

/** The struct and all structs in it, without the status, whose fields are not changed. */
function structsOf(struct: GoStruct | undefined, known = new Set<GoStruct>()): readonly GoStruct[] {
  if (struct === undefined || known.has(struct)) return [];
  known.add(struct);
  const inner = [...struct.byName.values()]
    .filter(({ json }) => json !== "status" && json !== "metadata")
    .flatMap(({ type }) => structsOf(structOf(type), known));
  return [struct, ...inner];
}

function structOf(type: GoType): GoStruct | undefined {
  if (type.kind === "list") return structOf(type.item);
  if (type.kind === "map") return structOf(type.value);
  return type.kind === "struct" ? type.struct : undefined;
}

function namedTexts(struct: GoStruct | undefined): readonly string[] {
  return structsOf(struct).flatMap(({ byName }) =>
    [...byName.values()].flatMap(({ json, type }) => {
      const scalar = type.kind === "list" ? type.item : type;
      const isText = json !== "status" && scalar.kind === "scalar" && scalar.scalar === "string";
      return isText && scalar.name !== "string" ? [scalar.name] : [];
    }),
  );
}

function isListed({ kind }: Sample, title: string): boolean {
  return differences.some(({ kinds, changes }) => kinds.includes(kind) && changes.test(title));
}

/** Limit for all samples on a busy machine. */
const timeoutMs = 300_000;

// The recordings are answers of a real kube-apiserver v1.34.1, made by test-e2e/src/records/record-parity.ts.
describe("changes of fields", () => {
  let served: ServedKinds = {};
  const different = new Map<Sample, Readonly<Record<string, object>>>();
  beforeAll(async () => {
    const server = createEmbeddedSend();
    // The errors of refusals are read, and their stacks are not.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      served = await listServedKinds(server.send);
      await prepareNamespace(server.send);
      for (const sample of samples) {
        different.set(sample, compare(readRecordedChanges(sample), await runSample(server.send, sample)));
      }
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
      server.stop();
    }
  }, timeoutMs);

  for (const sample of samples) {
    it(`the embedded server answers changes of ${nameOfSample(sample)} as recorded`, () => {
      const unlisted = Object.entries(different.get(sample) ?? {}).filter(([title]) => !isListed(sample, title));
      expect(Object.fromEntries(unlisted)).toEqual({});
    });
  }

  it("every listed difference exists", () => {
    const exists = ({ kinds, changes }: Difference): boolean =>
      samples.some(
        (sample) =>
          kinds.includes(sample.kind) && Object.keys(different.get(sample) ?? {}).some((title) => changes.test(title)),
      );
    expect(differences.filter((difference) => !exists(difference)).map(({ reason }) => reason)).toEqual([]);
  });

  it("the guide lists these differences and no others", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/cli.md"), "utf8");
    const [, table = ""] = /\| Kind \| Difference \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
    const rows = table.trimEnd().split("\n");
    const ofKinds = rows.filter((row) => /^\| [A-Z]/.test(row));
    expect(ofKinds.toSorted()).toEqual(
      differences.map(({ kinds, reason }) => `| ${kinds.join(", ")} | ${reason} |`).toSorted(),
    );
  });

  it("the guide lists the kinds of the real server that are not served", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/cli.md"), "utf8");
    const [, table = ""] =
      /\| Group and version \| Kinds that are not served \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(guide) ?? [];
    const missing = Object.entries(missingKinds(readServedKinds(), served));
    expect(table.trimEnd().split("\n")).toEqual(missing.map(([key, kinds]) => `| ${key} | ${kinds.join(", ")} |`));
  });

  it("every text type in Go has a table of its values, or is open", () => {
    const named = [
      ...new Set(samples.flatMap(({ apiVersion, kind }) => namedTexts(findBuiltinType(apiVersion, kind)))),
    ];
    expect(named.filter((name) => enumValues[name] === undefined).toSorted()).toEqual(openTextTypes);
  });

  it("every border value and combination belongs to a sample", () => {
    const structs = samples.flatMap(({ apiVersion, kind }) => structsOf(findBuiltinType(apiVersion, kind)));
    const fields = new Set(structs.flatMap(({ name, fields: own }) => own.map(({ json }) => `${name}.${json}`)));
    expect(Object.keys(borderValues).filter((field) => !fields.has(field))).toEqual([]);
    const kinds = samples.map(({ kind }) => kind);
    expect(Object.keys(combinations).filter((kind) => !kinds.includes(kind))).toEqual([]);
  });

  it("every served kind has a sample and a recording", () => {
    // Their schemas and rules have recordings of their own in testdata/schema; reviews are not stored.
    const elsewhere = ["CustomResourceDefinition", ...reviewResources.map(({ kind }) => kind)];
    const served = builtinResources.filter(({ kind }) => !elsewhere.includes(kind));
    const missing = served.filter(
      (definition) =>
        !samples.some(({ apiVersion, kind }) => kind === definition.kind && apiVersion === groupVersionOf(definition)),
    );
    expect(missing.map(({ kind }) => kind)).toEqual([]);
    expect(samples.filter((sample) => !hasRecordedChanges(sample))).toEqual([]);
  });
});
