import { expect, it } from "@jest/globals";
import { parseManifest } from "./release-objects.ts";

function configMap(name: string): string {
  return `# Source: app/templates/${name}.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  text: |\n    line`;
}

// As Helm: manifests end with a line, hooks do not.
it.each([
  ["in the middle", `---\n${configMap("a")}\n---\n${configMap("b")}\n`, ["line\n", "line\n"]],
  ["without an end of line", configMap("a"), ["line"]],
])("a block of text that ends a document, %s", async (_, manifest, texts) => {
  expect((await parseManifest(manifest)).map((object) => (object["data"] as { text: string }).text)).toEqual(texts);
});

it("keeps every digit of integers of 64 bits", async () => {
  const manifest = `${configMap("a")}\nspec: { bytes: 9223372036854775807, account: 9007199254740993, ratio: 1.50 }\n`;
  const [object] = await parseManifest(manifest);
  expect(JSON.stringify(object?.["spec"])).toBe('{"bytes":9223372036854775807,"account":9007199254740993,"ratio":1.5}');
});

it("others have a turn before a manifest is read", async () => {
  const order: string[] = [];
  setImmediate(() => order.push("turn of others"));
  await parseManifest(configMap("a"));
  expect(order).toEqual(["turn of others"]);
});

it("a document of too many values is refused", async () => {
  const manifest = `# Source: app/templates/a.yaml\na: [${"[],".repeat(200_000)}1]`;
  await expect(parseManifest(manifest)).rejects.toThrow(
    "app/templates/a.yaml: the YAML cannot be used: document has more than 200000 values",
  );
});
