// Messages in which keys of a secret map could appear (docs/guide/security.md#names-that-derive-from-secrets).
import { expect, it } from "@jest/globals";
import { everything, LandscaperError } from "@landscaper/api";
import { createBlueprint } from "../create-blueprint.ts";
import { renderDeployItems } from "../deploy-item/render-deploy-items.ts";
import type { ImportedValues } from "../parameter/parameter-value.ts";
import type { RenderContext } from "../render-context.ts";
import { traceImports, traceRendering } from "./trace-installation.ts";

const login: ImportedValues = {
  login: { type: "data", value: { "tenant-4711": { hunterKey: "hunter2" } }, sensitive: everything },
};

function contextOf(schema: object, blueprint: object = {}): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": { imports: [{ name: "login", schema }], ...blueprint } }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  };
}

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return `${error.message} ${error.hint ?? ""}`;
    throw error;
  }
  throw new Error("it did not fail");
}

function failureOfTemplate(template: string): string {
  const context = contextOf({}, { deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
  return failureOf(() =>
    traceRendering({
      context,
      imports: traceImports({ context, given: login }),
      states: {},
      render: (inner, { imports }) => renderDeployItems({ context: inner, imports }),
    }),
  );
}

it.each([
  ["a value of another type", { type: "object", additionalProperties: { type: "number" } }],
  ["a field that the schema does not have", { type: "object", additionalProperties: false }],
  ["a name that does not match", { type: "object", propertyNames: { pattern: "^x" } }],
])("the failure of a schema does not show them: %s", (_what, schema) => {
  const message = failureOf(() => traceImports({ context: contextOf(schema), given: login }));
  expect(message).toContain("imports.login");
  expect(message).not.toMatch(/tenant-4711|hunterKey|hunter2/);
});

it.each([
  ["fail with %v", '{{ fail (printf "%v" .imports.login) }}'],
  ["fail with the keys", '{{ fail (join "," (keys .imports.login)) }}'],
  ["a function that refuses a map", "{{ .imports.login | toDate }}"],
  ["a document that is not YAML", "deployItems: [\n{{ .imports.login | toYaml }}"],
])("the failure of a template does not show them: %s", (_what, template) => {
  const message = failureOfTemplate(template);
  expect(message).toContain('deploy template execution "d"');
  expect(message).not.toMatch(/tenant-4711|hunterKey|hunter2/);
});

it("suggests no masked key", () => {
  const message = failureOfTemplate("{{ .imports.login.tenant4711.x }}");
  expect(message).toContain('imports.login has no key "tenant4711"');
  expect(message).not.toMatch(/did you mean|tenant-4711|hunter2/);
});
