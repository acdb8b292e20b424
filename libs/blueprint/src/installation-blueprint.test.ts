import { apiVersion, type Installation } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { componentBindingsOf } from "./installation-blueprint.ts";

function installation(inline: Record<string, unknown>): Installation {
  const spec = { blueprint: { inline: { filesystem: {} } }, componentDescriptor: { inline } };
  return { apiVersion, kind: "Installation", metadata: { name: "i" }, spec };
}

const nested = (value: unknown) => ({ name: "landscaper.gardener.cloud/component-descriptor", value });
const other = { name: "example.com/other", value: { component: { name: "not-meant" } } };

describe("the components that templates see", () => {
  const meta = { schemaVersion: "v2" };
  const v2 = (name: string, componentReferences: readonly unknown[] = []) => ({
    meta,
    component: { name, version: "v1", componentReferences },
  });
  const v3 = (name: string, references: readonly unknown[] = []) => ({
    apiVersion: "ocm.software/v3alpha1",
    metadata: { name, version: "v1" },
    spec: { references },
  });

  it.each([
    ["v2", v2, (components: unknown) => ({ meta, components })],
    ["v3alpha1", v3, (components: unknown) => components],
  ] as const)("are those of the descriptor and of labels in it, in schema %s", (_schema, of, wrapped) => {
    const leaf = of("leaf");
    const middle = of("middle", [{ name: "leaf", labels: [nested(leaf)] }]);
    const references = [{ name: "middle", labels: [other, nested(middle)] }, { name: "elsewhere" }, "no reference"];
    const root = of("root", references);
    expect(componentBindingsOf(installation(root)).components).toEqual(wrapped([root, middle, leaf]));
  });

  it.each([
    { component: "text" },
    { component: { componentReferences: {} } },
    { component: { componentReferences: [{ labels: [nested("no descriptor")] }] } },
    {},
  ])("are the descriptor alone where it has no such labels: %j", (descriptor) => {
    expect(componentBindingsOf(installation(descriptor)).components).toEqual([descriptor]);
  });
});
