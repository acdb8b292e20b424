// Reads from a real API server how each field of the built-in kinds takes part in server-side apply, and writes the table that
// libs/local-cluster keeps of it. usage: npm run record:field-types [-- --dry-run]
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sendRequest } from "@landscaper/testkit";
import { readCommandLine } from "../../../scripts/command-line.ts";
import { createFieldTypes } from "./field-types.ts";
import { startTestCluster } from "../clusters/test-cluster.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

const { values } = readCommandLine({
  usage: `usage: npm run record:field-types [-- --dry-run]
  --dry-run  says what would be written, and starts no API server`,
  options: { "dry-run": { type: "boolean", default: false } },
});
const root = join(import.meta.dirname, "../../..");
const target = join(root, "libs/local-cluster/src/managed-fields/field-types.generated.ts");
const textWidth = 3000;
if (values["dry-run"]) {
  console.log(`would write ${relative(root, target)}`);
  process.exit(0);
}

const cluster = await startTestCluster("real");
const server = { url: cluster.url, token: cluster.token, caPem: cluster.ca };
const read = async (path: string): Promise<unknown> => (await sendRequest(server, { method: "GET", path })).body;
try {
  const json = JSON.stringify(await createFieldTypes(read));
  const lines = Array.from({ length: Math.ceil(json.length / textWidth) }, (_, i) =>
    json.slice(i * textWidth, (i + 1) * textWidth),
  );
  writeFileSync(
    target,
    [
      `// Made by test-e2e/src/records/record-field-types.ts from the OpenAPI documents of Kubernetes ${kubernetesVersion} (Apache-2.0). Do not edit.`,
      "/** JSON text; see parse-field-types.ts for its form. */",
      "export const fieldTypesJson: string = [",
      ...lines.map((line) => `  '${line}',`),
      '].join("");',
      "",
    ].join("\n"),
  );
} finally {
  await cluster.stop();
}
