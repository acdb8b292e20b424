import { describe, expect, it } from "@jest/globals";
import { gzip, type TestComponent, type TestResource } from "@landscaper/components/testing";
import { describeComponent } from "../blueprint-component.ts";
import { createBlueprint } from "../create-blueprint.ts";
import { withComponents } from "../../test/components.ts";
import { componentSchemas } from "./component-schemas.ts";
import { createSchemaChecker } from "./schema-checker.ts";

const to = (short: string) => ({ name: `to-${short}`, componentName: `example.com/${short}`, version: "1.0.0" });
const json = (schema: unknown): TestResource => ({ content: JSON.stringify(schema) });

const leaf: TestComponent = {
  name: "example.com/leaf",
  version: "1.0.0",
  resources: {
    packed: { content: gzip(Buffer.from(JSON.stringify({ definitions: { word: { type: "string" } } }))) },
    yaml: "type: integer\nminimum: 3\n",
    ring: json({ $ref: "cd://resources/ring" }),
    local: json({ $ref: "local://mine" }),
    broken: "a: [",
    bomb: { content: gzip(Buffer.alloc(6 * 1024 * 1024, " ")) },
    damaged: { content: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]) },
  },
};
const app: TestComponent = {
  name: "example.com/app",
  version: "1.0.0",
  references: [to("leaf")],
  resources: {
    own: json({
      properties: { word: { $ref: "cd://componentReferences/to-leaf/resources/packed#/definitions/word" } },
    }),
  },
};
const newer: TestComponent = { name: "example.com/leaf", version: "2.0.0", resources: { yaml: "type: string" } };

const check = async (reference: string, value: unknown, overwrites: object = {}): Promise<void> => {
  const source = createBlueprint({ "blueprint.yaml": { localTypes: { mine: true } } });
  await withComponents(
    [app, leaf, newer],
    (closure) => {
      const component = describeComponent(closure, source);
      const host = {
        readContent: (found: Parameters<typeof closure.contentOf>[0]) => closure.contentOf(found, "content"),
      };
      const checker = createSchemaChecker({ source, readComponentSchema: componentSchemas({ component, host }) });
      checker.check({ $ref: reference }, value, "imports.a");
    },
    overwrites,
  );
};

const inLeaf = (name: string): string => `cd://componentReferences/to-leaf/resources/${name}`;

describe("schemas of components", () => {
  it("are found from the component of the blueprint, and inside of a schema from its own", async () => {
    await check("cd://resources/own", { word: "text" });
    await expect(check("cd://resources/own", { word: 5 })).rejects.toThrow(
      "imports.a.word: expected a string, found a number",
    );
  });

  it("may be YAML", async () => {
    await check(inLeaf("yaml"), 3);
    await expect(check(inLeaf("yaml"), 2)).rejects.toThrow("imports.a: expected a number >= 3");
  });

  it("are those that references name, whatever overwrites make of them", async () => {
    const overwrites = [{ source: { componentName: "example.com/leaf" }, substitution: { version: "2.0.0" } }];
    await check(inLeaf("yaml"), 3, { overwrites });
    await expect(check(inLeaf("yaml"), "text", { overwrites })).rejects.toThrow("imports.a: expected an integer");
  });

  it.each([
    [inLeaf("none"), "no resource of example.com/leaf:1.0.0 has the given name"],
    [inLeaf("broken"), 'resource "broken" of component example.com/leaf:1.0.0: expected a JSON schema:'],
    [
      inLeaf("bomb"),
      'resource "bomb" of component example.com/leaf:1.0.0: expected a JSON schema of at most 5242880 bytes',
    ],
    [inLeaf("damaged"), 'resource "damaged" of component example.com/leaf:1.0.0: damaged gzip content'],
  ])("that cannot be read are named: %s", async (reference, problem) => {
    await expect(check(reference, 1)).rejects.toThrow(`imports.a: ${reference}: ${problem}`);
  });

  it("that refer to themselves print their ring", async () => {
    await expect(check(inLeaf("ring"), 1)).rejects.toThrow(
      "imports.a: the schema refers to itself: example.com/leaf:1.0.0::cd://resources/ring => example.com/leaf:1.0.0::cd://resources/ring",
    );
  });

  it("do not see the types of the blueprint", async () => {
    await expect(check(inLeaf("local"), 1)).rejects.toThrow(
      "imports.a: local://mine: localTypes of the blueprint has no such type",
    );
  });
});
