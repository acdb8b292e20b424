import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { runProgram, type Outcome } from "../test-program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "landscaper-render-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Words that begin with "@" are files of the folder, as the outcome names them. */
async function render(words: string): Promise<Outcome> {
  const path = (word: string): string => (word.startsWith("@") ? join(folder, word.slice(1)) : word);
  const outcome = await runProgram(["render", ...words.split(" ").map(path)]);
  return { ...outcome, stderr: outcome.stderr.replaceAll(folder, "@") };
}

const blueprint = `
imports:
  - { name: greeting, type: data, schema: { type: string } }
  - { name: cluster, type: target, targetType: example.org/cluster }
deployExecutions:
  - name: default
    type: GoTemplate
    template: |
      deployItems:
        - name: item
          type: example.org/thing
          target: { import: cluster }
          config: { apiVersion: v1, kind: Thing, text: "{{ .imports.greeting }} at {{ now | date "2006" }}" }
`;

describe("a folder and short imports", () => {
  const imports = 'data: { greeting: hello }\ntargets: { cluster: { type: "example.org/cluster" } }\n';
  const rendered = `deployItems:
  - name: item
    type: example.org/thing
    target:
      name: targets.cluster
      namespace: default
    config:
      apiVersion: v1
      kind: Thing
      text: hello at 2026
subinstallations: []
`;

  it.each(["@. -f @imports.yaml -n ns", "--imports @imports.yaml --blueprint @."])(
    "%s prints what the core would make of the blueprint",
    async (words) => {
      write("blueprint.yaml", blueprint);
      write("imports.yaml", imports);
      expect(await render(words)).toEqual({ stdout: rendered, stderr: "", exitCode: 0 });
    },
  );

  it("evaluates data mappings and Spiff executions, which may read files of the blueprint", async () => {
    write("VERSION", "v1");
    write(
      "blueprint.yaml",
      `
imports:
  - { name: greeting, type: data, schema: { type: string } }
importExecutions:
  - { name: more, type: Spiff, template: { bindings: { version: '(( read("VERSION", "text") ))' } } }
deployExecutions:
  - name: default
    type: Spiff
    template:
      deployItems:
        - name: (( "item-" imports.version ))
          type: example.org/thing
          config: { apiVersion: v1, kind: Thing, text: (( imports.greeting )) }
`,
    );
    write("imports.yaml", 'data: { name: world }\nmappings: { greeting: (( "hello " name )) }\n');
    expect((await render("@. -f @imports.yaml")).stdout).toBe(`deployItems:
  - name: item-v1
    type: example.org/thing
    config:
      apiVersion: v1
      kind: Thing
      text: hello world
subinstallations: []
`);
    write("imports.yaml", "mappings: { greeting: (( name )) }\n");
    expect(await render("@. -f @imports.yaml")).toMatchObject({
      stderr: expect.stringContaining("importDataMappings.greeting: unresolved nodes:\n\t(( name ))"),
      exitCode: 1,
    });
  });

  it("renders exports when nothing has to be deployed first", async () => {
    write(
      "blueprint.yaml",
      `
imports: [{ name: host, type: data, schema: { type: string } }]
exports: [{ name: url, type: data, schema: { type: string } }]
exportExecutions:
  - { name: default, type: GoTemplate, template: "exports: { url: 'https://{{ .dataobjects.host }}' }" }
`,
    );
    write("imports.yaml", "data: { host: example.org }\n");
    expect((await render("@. -f @imports.yaml")).stdout).toBe(
      "deployItems: []\nsubinstallations: []\nexports:\n  data:\n    url: https://example.org\n  targets: {}\n",
    );
  });

  it.each([
    [
      "a missing import",
      "@.",
      1,
      "error: imports.greeting: the blueprint requires this data import, but the installation does not give it\n",
    ],
    ["broken YAML", "@. -f @broken.yaml", 1, "error: @/broken.yaml: Flow sequence"],
    ["a missing file", "@. -f @none.yaml", 1, "error: @/none.yaml: ENOENT: no such file"],
    [
      "an unknown field",
      "@. -f @unknown.yaml",
      1,
      "error: @/unknown.yaml: values: expected data, targets or mappings\n",
    ],
    [
      "a folder for a file",
      "-f @unknown.yaml @.",
      2,
      "error: @: expected a file, found a folder; a blueprint's folder is given with --blueprint\n",
    ],
    ["two folders", "@. --blueprint @.", 2, "error: --blueprint: expected no folder beside it, found"],
    ["a broken template", "--blueprint @bad", 1, "@/bad/blueprint.yaml"],
  ])("refuses %s", async (...[_name, words, exitCode, stderr]) => {
    write("blueprint.yaml", blueprint);
    write("broken.yaml", "data: [");
    write("unknown.yaml", "values: {}\n");
    write("bad/blueprint.yaml", "imports: {}\n");
    const outcome = await render(words);
    expect(outcome.stderr).toContain(stderr);
    expect(outcome.exitCode).toBe(exitCode);
  });
});

const installation = `
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Installation
metadata: { name: app, namespace: demo }
spec:
  blueprint:
    inline:
      filesystem:
        blueprint.yaml: |
          imports:
            - { name: cluster, type: target, targetType: example.org/cluster }
            - { name: login, type: data, schema: { type: object } }
            - { name: text, type: data, schema: { type: string } }
            - { name: size, type: data, schema: { type: integer } }
          exports:
            - { name: url, type: data, schema: { type: string } }
            - { name: ignored, type: data, required: false, schema: {} }
          deployExecutions:
            - name: default
              type: GoTemplate
              template: |
                deployItems:
                  - name: item
                    type: example.org/thing
                    target: { import: cluster }
                    config:
                      apiVersion: v1
                      kind: Thing
                      text: "{{ .imports.text }} of size {{ .imports.size }}"
                      token: {{ .imports.login.password }}
                      url: "https://{{ .imports.login.user }}:{{ .imports.login.password }}@host"
                      pin: {{ .imports.login.nested.pin }}
                      cluster: {{ .imports.cluster.spec.config.name }}
                      key: {{ .imports.cluster.spec.config.token }}
                      manifest: { apiVersion: v1, kind: Secret, metadata: { name: s }, stringData: { a: b } }
          subinstallations:
            - apiVersion: landscaper.gardener.cloud/v1alpha1
              kind: InstallationTemplate
              name: part
              blueprint: { filesystem: { blueprint.yaml: "imports: []" } }
              exports: { data: [{ name: part, dataRef: part }] }
          exportExecutions:
            - name: default
              type: GoTemplate
              template: |
                exports:
                  url: "{{ .deployitems.item.url }}/{{ .dataobjects.part }}/{{ .dataobjects.size }}"
                  ignored: 1
  imports:
    data:
      - { name: login, secretRef: { name: login } }
      - { name: words, configMapRef: { name: words, key: greeting } }
      - { name: size, dataRef: size }
    targets:
      - { name: cluster, target: blue }
  importDataMappings:
    text: (( words " " "world" ))
  exports:
    data: [{ name: address, dataRef: app-address }]
  exportDataMappings:
    address: (( url ))
`;
const objects = `
apiVersion: v1
kind: List
items:
  - { apiVersion: v1, kind: Secret, metadata: { name: login }, stringData: { user: admin, password: s3cr3t-Pass, nested: "pin: 246813" } }
  - { apiVersion: v1, kind: Secret, metadata: { name: login, namespace: other }, stringData: { user: x, password: z } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: words, namespace: demo }
data: { greeting: hello }
---
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: DataObject
metadata: { name: size }
data: 3
---
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Target
metadata: { name: blue, namespace: demo }
spec: { type: example.org/cluster, config: { name: blue-cluster, token: t0ken-of-blue } }
---
`;
const itemExports = "deployItems: { item: { url: 'https://app' } }\ndataObjects: { part: 7 }\n";

describe("an Installation with manifests", () => {
  beforeEach(() => {
    write("installation.yaml", installation);
    write("objects.yaml", objects);
    write("exports.yaml", itemExports);
  });
  const words = "--installation @installation.yaml --imports @objects.yaml";
  const item = (values: {
    readonly password: string;
    readonly user: string;
    readonly key: string;
    readonly pin: string;
    readonly a: string;
  }) => `deployItems:
  - name: item
    type: example.org/thing
    target:
      name: blue
      namespace: demo
    config:
      apiVersion: v1
      kind: Thing
      text: hello world of size 3
      token: ${values.password}
      url: https://${values.user}:${values.password}@host
      pin: ${values.pin}
      cluster: blue-cluster
      key: ${values.key}
      manifest:
        apiVersion: v1
        kind: Secret
        metadata:
          name: s
        stringData:
          a: ${values.a}
subinstallations:
  - apiVersion: landscaper.gardener.cloud/v1alpha1
    kind: InstallationTemplate
    name: part
    blueprint:
      filesystem:
        blueprint.yaml: "imports: []"
    exports:
      data:
        - name: part
          dataRef: part
`;
  const masked = item({ password: "[...]", user: "[...]", key: "[...]", pin: "[...]", a: "[...]" });

  it("takes the imports as the core does, and masks what is secret", async () => {
    expect(await render(words)).toEqual({
      stdout: masked.replaceAll(" [...]\n", ' "[...]"\n'),
      stderr: "the exports are not rendered: say with --exports what deploy items and sub-installations export\n",
      exitCode: 0,
    });
  });

  it("prints secrets when it is told to", async () => {
    expect((await render(`${words} --show-secrets`)).stdout).toBe(
      item({ password: "s3cr3t-Pass", user: "admin", key: "t0ken-of-blue", pin: "246813", a: "b" }),
    );
  });

  it("renders the exports that the Installation wants from what the items export", async () => {
    expect((await render(`${words} --exports @exports.yaml`)).stdout).toContain(
      "\nexports:\n  data:\n    address: https://app/7/3\n  targets: {}\n",
    );
  });

  it("lets the folder of a blueprint and short imports stand in", async () => {
    write("other/blueprint.yaml", blueprint);
    write("short.yaml", "data: { greeting: hi, login: {}, words: a, size: 1 }\n");
    const { stdout } = await render(`${words} @short.yaml --blueprint @other --name x -n demo`);
    expect(stdout).toMatch(/text: hi at 2026\n/);
  });

  it("connects a blueprint with objects of its imports' names", async () => {
    write(
      "other/blueprint.yaml",
      blueprint
        .replace("name: greeting", "name: size")
        .replace("type: string", "type: integer")
        .replace("imports.greeting", "imports.size")
        .replaceAll("cluster,", "blue,")
        .replace("import: cluster", "import: blue"),
    );
    const { stdout, stderr } = await render("@other -f @objects.yaml -n demo");
    expect(stderr).toBe("");
    expect(stdout).toContain("text: 3 at 2026\n");
  });

  it.each([
    [
      "imports that are not there",
      "--installation @installation.yaml -n elsewhere -f @objects.yaml",
      1,
      'error: imports are not satisfied in namespace elsewhere: import "words": config map "words" (key "greeting") was not found; import "cluster": target "blue" was not found\ncreate what is missing and trigger the installation again\n',
    ],
    [
      "no Installation",
      "--installation @objects.yaml",
      1,
      "error: @/objects.yaml: expected one Installation, found 0\n",
    ],
    [
      "an Installation without blueprint",
      "--installation @empty.yaml",
      1,
      "error: @/empty.yaml: spec: not a valid Installation: ",
    ],
    [
      "a kind that is no import",
      "@. -f @pod.yaml",
      1,
      "error: @/pod.yaml, document 2: expected a DataObject, Target, Secret or ConfigMap, found a Pod\n",
    ],
    [
      "a nameless object",
      "@. -f @nameless.yaml",
      1,
      "error: @/nameless.yaml: metadata.name: expected the name of the object\n",
    ],
    [
      "a foreign group",
      "@. -f @foreign.yaml",
      1,
      "error: @/foreign.yaml: apiVersion: expected landscaper.gardener.cloud for Target, found v1\n",
    ],
    [
      "Secret data that is no text, without telling it",
      "@. -f @number.yaml",
      1,
      "error: @/number.yaml: stringData.pin: expected a text; put it in quotes\n",
    ],
    [
      "unknown exports",
      `${words} --exports @objects.yaml`,
      1,
      "error: @/objects.yaml: apiVersion: expected deployItems or",
    ],
  ])("refuses %s", async (...[_name, line, exitCode, stderr]) => {
    write("blueprint.yaml", blueprint);
    write(
      "empty.yaml",
      "apiVersion: landscaper.gardener.cloud/v1alpha1\nkind: Installation\nmetadata: { name: a }\nspec: {}\n",
    );
    write("pod.yaml", "data: {}\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: a }\n");
    write("nameless.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {}\n");
    write("foreign.yaml", "apiVersion: v1\nkind: Target\nmetadata: { name: a }\n");
    write("number.yaml", "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { pin: 987654 }\n");
    const outcome = await render(line);
    expect(outcome.stderr).toContain(stderr);
    expect(outcome).toMatchObject({ stdout: "", exitCode });
  });

  it("tells no secret when a template fails with one", async () => {
    write(
      "installation.yaml",
      installation.replace("{{ .imports.login.password }}", "{{ fail .imports.login.password }}"),
    );
    const { stderr, exitCode } = await render(words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error calling fail: [...]\n");
    expect(stderr).not.toMatch(/s3cr3t|czNjcjN0/);
  });
});
