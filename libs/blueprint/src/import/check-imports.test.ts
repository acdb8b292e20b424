import { expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { createBlueprint } from "../create-blueprint.ts";
import type { ImportedValues } from "../parameter/parameter-value.ts";
import { checkImports } from "./check-imports.ts";

function check(imports: readonly unknown[], values: ImportedValues): void {
  checkImports({ source: createBlueprint({ "blueprint.yaml": { imports } }), values });
}

const replicas = { name: "replicas", type: "data", schema: {} };
const data = { type: "data", value: 1 } as const;

it.each<[string, { readonly imports: readonly unknown[]; readonly values: ImportedValues }, string]>([
  [
    "absent",
    { imports: [replicas], values: {} },
    "but the installation does not give it; add it to spec.imports or spec.importDataMappings",
  ],
  [
    "misspelt",
    { imports: [replicas], values: { replica: data } },
    'but the installation gives "replica": did you mean "replicas"?',
  ],
  [
    "absent beside a similar one that the blueprint declares",
    { imports: [{ name: "replica", type: "data", schema: {} }, replicas], values: { replica: data } },
    "but the installation does not give it; add it to spec.imports or spec.importDataMappings",
  ],
])("refuses a required import that is %s", (_what, { imports, values }, found) => {
  expect.assertions(2);
  try {
    check(imports, values);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    expect(error.reason).toBe("ImportNotSatisfied");
    expect([error.message, error.hint].filter(Boolean).join("; ")).toBe(
      `imports.replicas: the blueprint requires this data import, ${found}`,
    );
  }
});

it.each<[string, ImportedValues[string], string]>([
  ["data", { type: "target", target: { apiVersion: "v1", kind: "Target", metadata: {}, spec: { type: "a" } } }, "data"],
  ["target", data, "targets"],
])("says where a %s import belongs that is listed under the other kind", (type, value, wanted) => {
  const other = wanted === "data" ? "targets" : "data";
  const definition = type === "data" ? replicas : { name: "replicas", type, targetType: "a" };
  try {
    check([definition], { replicas: value });
    throw new Error("expected a failure");
  } catch (error) {
    expect(error).toMatchObject({
      reason: "ImportTypeMismatch",
      hint: `import it under spec.imports.${wanted} instead of spec.imports.${other}`,
    });
  }
});

it.each([
  ["", undefined],
  ['; the value comes from ConfigMap "settings" (key "replicas")', 'ConfigMap "settings" (key "replicas")'],
])("ends the message about a value that does not fit its schema with %j", (end, origin) => {
  const value = { type: "data", value: "3", ...(origin === undefined ? {} : { origin }) } as const;
  expect(() => check([{ ...replicas, schema: { type: "integer" } }], { replicas: value })).toThrow(
    new Error(`imports.replicas: expected an integer, found a string${end}`),
  );
});
