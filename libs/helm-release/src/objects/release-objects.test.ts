import { expect, it } from "@jest/globals";
import { parseManifest } from "./release-objects.ts";

function configMap(name: string): string {
  return `# Source: app/templates/${name}.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  text: |\n    line`;
}

// As Helm: manifests end with a line, hooks do not.
it.each([
  ["in the middle", `---\n${configMap("a")}\n---\n${configMap("b")}\n`, ["line\n", "line\n"]],
  ["without an end of line", configMap("a"), ["line"]],
])("a block of text that ends a document, %s", (_, manifest, texts) => {
  expect(parseManifest(manifest).map((object) => (object["data"] as { text: string }).text)).toEqual(texts);
});
