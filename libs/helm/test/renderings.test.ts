import { expect, it } from "@jest/globals";
import { plainRendering } from "./renderings.ts";

function errors(...lines: readonly string[]): string {
  return ["Error: values don't meet the schema:", "chart:", ...lines, "sub:", "- at '/c': c", ""].join("\n");
}

it("gives the errors of a schema one order, because Helm checks properties in the order of a Go map", () => {
  const first = [
    "- at '/a': 'anyOf' failed",
    "  - at '/a/x': x",
    "  - at '/a/y': y",
    "    - at '/a/y/1': 1",
    "- at '/b': b",
  ];
  const other = [
    "- at '/b': b",
    "- at '/a': 'anyOf' failed",
    "  - at '/a/y': y",
    "    - at '/a/y/1': 1",
    "  - at '/a/x': x",
  ];
  for (const lines of [first, other]) {
    const { stderr } = plainRendering({ status: 1, stdout: "", stderr: errors(...lines) }, "/folder");
    expect(stderr).toBe(errors(...first));
  }
});
