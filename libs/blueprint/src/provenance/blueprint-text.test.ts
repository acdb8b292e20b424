import { expect, it } from "@jest/globals";
import { createBlueprint } from "../create-blueprint.ts";
import { blueprintText } from "./blueprint-text.ts";

const execution = (name: string) => [{ name, type: "GoTemplate", file: `${name}.tpl` }];

it.each([
  ["the blueprint itself", "named-by-the-blueprint"],
  ["the spec of the Installation", "named-by-the-installation"],
  ["files of import executions", "text-of-imports"],
  ["files of subinstallation executions", "text-of-subinstallations"],
  ["files of deploy executions", "text-of-deploy"],
  ["files of export executions", "text-of-exports"],
])("the text of a blueprint has %s", (_, part) => {
  const text = blueprintText({
    source: createBlueprint({
      "blueprint.yaml": {
        imports: [{ name: "named-by-the-blueprint", schema: true }],
        importExecutions: execution("imports"),
        subinstallationExecutions: execution("subinstallations"),
        deployExecutions: [...execution("deploy"), ...execution("missing")],
        exportExecutions: execution("exports"),
      },
      ...Object.fromEntries(
        ["imports", "subinstallations", "deploy", "exports", "unused"].map((name) => [
          `${name}.tpl`,
          `text-of-${name}`,
        ]),
      ),
    }),
    installation: {
      name: "inst",
      namespace: "ns",
      spec: { blueprint: { ref: { resourceName: "named-by-the-installation" } } },
    },
    now: () => new Date(0),
    random: (bytes) => new Uint8Array(bytes),
  });
  expect(text).toContain(part);
  expect(text).not.toContain("text-of-unused");
});
