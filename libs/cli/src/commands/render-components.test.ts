// `landscaper render` for Installations whose blueprints are resources of components.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { artifactOf, blueprintResource, pushComponents, writeTransport } from "@landscaper/components/testing";
import type { TestComponent } from "@landscaper/components/testing";
import { createRegistryClient } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { runProgram, type Outcome } from "../../test/program.ts";

const folder = mkdtempSync(join(tmpdir(), "landscaper-render-components-"));
const ctf = join(folder, "ctf");
afterAll(() => rmSync(folder, { recursive: true }));

const blueprint = `
imports:
  - { name: text, type: data, schema: { $ref: "cd://componentReferences/part/resources/schema" } }
deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems:
        - name: item
          type: example.org/thing
          config: { apiVersion: v1, kind: Thing, text: {{ .imports.text }}, note: {{ getResourceContent "cd://resources/note" }}, of: {{ len .components.components }} }
subinstallations:
  - apiVersion: landscaper.gardener.cloud/v1alpha1
    kind: InstallationTemplate
    name: nested
    blueprint: { ref: "cd://componentReferences/part/resources/blueprint" }
`;

async function components(): Promise<readonly TestComponent[]> {
  const schema = { content: '{"type": "string"}', type: "landscaper.gardener.cloud/jsonschema" };
  const references = [{ name: "part", componentName: "example.com/part", version: "1.0.0" }];
  const own = { blueprint: await blueprintResource({ "blueprint.yaml": blueprint }), note: "noted" };
  const empty = await blueprintResource({ "blueprint.yaml": "" });
  return [
    { name: "example.com/app", version: "1.0.0", resources: own, references },
    { name: "example.com/part", version: "1.0.0", resources: { schema, blueprint: empty } },
  ];
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const installation = (ref: string): string => `
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Installation
metadata: { name: app, namespace: demo }
spec:
  componentDescriptor: { ref: { ${ref} } }
  blueprint: { ref: { resourceName: blueprint } }
`;
const app = "componentName: example.com/app, version: 1.0.0";

async function render(ref: string, ...words: string[]): Promise<Outcome> {
  const files = ["--installation", write("installation.yaml", installation(ref))];
  const imports = ["--imports", write("imports.yaml", "data: { text: hello }\n")];
  return await runProgram(["render", ...files, ...imports, ...words], { environment: { HOME: folder } });
}

const whole = `deployItems:
  - name: item
    type: example.org/thing
    config:
      apiVersion: v1
      kind: Thing
      text: hello
      note: noted
      of: 2
subinstallations:
  - apiVersion: landscaper.gardener.cloud/v1alpha1
    kind: InstallationTemplate
    name: nested
    blueprint:
      ref: cd://componentReferences/part/resources/blueprint
`;

describe("render with components", () => {
  beforeAll(async () => {
    writeTransport(ctf, await Promise.all((await components()).map(async (component) => artifactOf(component))));
  });

  it("reads them from the repository of the command line", async () => {
    expect(await render(app, "--repository", ctf)).toEqual({ stdout: whole, stderr: "", exitCode: 0 });
  });

  it("reads them from the repository that the Installation names", async () => {
    const context = `repositoryContext: { type: CommonTransportFormat, filePath: ${JSON.stringify(ctf)} }`;
    expect(await render(`${context}, ${app}`, "--repository", "/nothing")).toMatchObject({
      stdout: whole,
      exitCode: 0,
    });
  });

  it.each([
    [
      app,
      [],
      "component example.com/app:1.0.0: no repository is known for it: neither the Installation nor its Context has a repositoryContext, and no resolver of the OCM configuration fits",
    ],
    [
      "componentName: example.com/app, version: 9.9.9",
      ["--repository", "CTF"],
      "component example.com/app:9.9.9: there is no such component version in CTF",
    ],
    [app, ["--repository", "./nothing"], "component example.com/app:1.0.0: ./nothing: there is no such file or folder"],
  ])("says what is missing: %s %j", async (ref, words, message) => {
    const outcome = await render(ref, ...words.map((word) => word.replace("CTF", ctf)));
    expect(outcome).toEqual({ stdout: "", stderr: `error: ${message.replace("CTF", ctf)}\n`, exitCode: 1 });
  });
});

describeUnless(programAbsence("docker-registry"), describe)("render with components of a registry", () => {
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startTestRegistry();
    const client = createRegistryClient({ userAgent: "test" });
    const place = { baseUrl: `http://${registry.host}/team`, session: client.session([]) };
    await pushComponents(place, ...(await components()));
    await client.close();
  });
  afterAll(async () => registry.stop());

  it("reads them", async () => {
    expect(await render(app, "--repository", `http://${registry.host}/team`)).toEqual({
      stdout: whole,
      stderr: "",
      exitCode: 0,
    });
  });
});
