import { expect, it } from "@jest/globals";
import { LandscaperError, type TemplateExecutor } from "@landscaper/api";
import { createBlueprint } from "../create-blueprint.ts";
import { frankMessageOf } from "../provenance/frank-message.ts";
import { runExecution, type ExecutionKind } from "./run-execution.ts";

const kinds: readonly ExecutionKind[] = [
  "import execution",
  "deploy execution",
  "subinstallation execution",
  "export execution",
];

/** Message of the failure, as the author of the blueprint reads it. */
function failureOf(kind: ExecutionKind, executor: TemplateExecutor): string {
  const context = {
    source: createBlueprint({ "blueprint.yaml": {} }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2026-01-01T00:00:00Z"),
    random: (bytes: number) => new Uint8Array(bytes),
  };
  try {
    runExecution({ kind, executor, index: 0, context, bindings: {}, states: {} });
  } catch (error) {
    if (error instanceof LandscaperError) return frankMessageOf(error) ?? error.message;
    throw error;
  }
  return "";
}

const goTemplate = (template: string, name = "web"): TemplateExecutor => ({ name, type: "GoTemplate", template });

it.each(kinds)("names a failed %s with the words of the original", (kind) => {
  const where = `${kind.replace("execution", "template execution")} "web"`;
  expect(failureOf(kind, goTemplate("a: {{ fail }}"))).toContain(`${where}: template: web:1:`);
  expect(failureOf(kind, { name: "web", type: "Spiff", template: { a: "(( b ))" } })).toContain(`${where}: `);
  expect(failureOf(kind, goTemplate("a: [", ""))).toContain("template execution [0]: ");
});

it.each(kinds)("shows the output of a failed %s if the output is what is wrong", (kind) => {
  const name = `${kind.replace("execution", "template execution")} "web"`;
  expect(failureOf(kind, goTemplate("a: b: c"))).toBe(
    `${name}: the rendered text is not YAML at line 1, column 5: mapping values are not allowed in this context\ntemplated output:\n1:    a: b: c\n          ˆ≈≈≈≈≈≈≈`,
  );
  expect(failureOf(kind, goTemplate("- a"))).toBe(
    `${name}: expected the result to be a YAML map, found a list\ntemplated output:\n1:    - a`,
  );
});

it.each(kinds.filter((kind) => kind !== "import execution"))("names a missing field in the output of: %s", (kind) => {
  const name = `${kind.replace("execution", "template execution")} "web"`;
  expect(failureOf(kind, goTemplate("a: {{ .b }}"))).toContain(
    `${name}: template "${kind}" contains fields with "no value"; templated output:\nline 1:3\n`,
  );
});
