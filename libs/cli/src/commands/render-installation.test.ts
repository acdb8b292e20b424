import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { blueprint, createRenderFolder, type RenderFolder } from "../../test/render.ts";

let folder: RenderFolder;
beforeEach(() => {
  folder = createRenderFolder();
});
afterEach(() => folder.remove());

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
            - { name: ignored, type: data, schema: {} }
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
function indent(lines: readonly string[]): string {
  return lines.map((line) => `                      ${line}\n`).join("");
}
const itemExports = "deployItems: { item: { url: 'https://app' } }\ndataObjects: { part: 7 }\n";

describe("an Installation with manifests", () => {
  beforeEach(() => {
    folder.write("installation.yaml", installation);
    folder.write("objects.yaml", objects);
    folder.write("exports.yaml", itemExports);
  });
  const words = "--installation @installation.yaml --imports @objects.yaml";
  const item = (values: {
    readonly password: string;
    readonly url: string;
    readonly key: string;
    readonly pin: string;
    readonly a: string;
    readonly cluster: string;
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
      url: ${values.url}
      pin: ${values.pin}
      cluster: ${values.cluster}
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
  const hidden = "[...]";
  const masked = item({
    password: hidden,
    url: `https://${hidden}@host`,
    key: hidden,
    pin: hidden,
    a: hidden,
    cluster: hidden,
  });

  it("takes the imports as the core does, and masks what is secret", async () => {
    expect(await folder.render(words)).toEqual({
      stdout: masked.replaceAll(" [...]\n", ' "[...]"\n'),
      stderr: "the exports are not rendered: say with --exports what deploy items and sub-installations export\n",
      exitCode: 0,
    });
  });

  it("prints secrets when it is told to", async () => {
    expect((await folder.render(`${words} --show-secrets`)).stdout).toBe(
      item({
        password: "s3cr3t-Pass",
        url: "https://admin:s3cr3t-Pass@host",
        key: "t0ken-of-blue",
        pin: "246813",
        a: "b",
        cluster: "blue-cluster",
      }),
    );
  });

  it("renders the exports that the Installation wants from what the items export", async () => {
    expect((await folder.render(`${words} --exports @exports.yaml`)).stdout).toContain(
      "\nexports:\n  data:\n    address: https://app/7/3\n  targets: {}\n",
    );
  });

  it("lets the folder of a blueprint and short imports stand in", async () => {
    folder.write("other/blueprint.yaml", blueprint);
    folder.write("short.yaml", "data: { greeting: hi, login: {}, words: a, size: 1 }\n");
    const { stdout } = await folder.render(`${words} @short.yaml --blueprint @other --name x -n demo`);
    expect(stdout).toMatch(/text: hi at 2026\n/);
  });

  it("connects a blueprint with objects of its imports' names", async () => {
    folder.write(
      "other/blueprint.yaml",
      blueprint
        .replace("name: greeting", "name: size")
        .replace("type: string", "type: integer")
        .replace("imports.greeting", "imports.size")
        .replaceAll("cluster,", "blue,")
        .replace("import: cluster", "import: blue"),
    );
    const { stdout, stderr } = await folder.render("@other -f @objects.yaml -n demo");
    expect(stderr).toBe("");
    expect(stdout).toContain("text: 3 at 2026\n");
  });

  it.each([
    [
      "imports that are not there",
      "--installation @installation.yaml -n elsewhere -f @objects.yaml",
      1,
      'error: imports are not satisfied in namespace elsewhere: import "words": config map "words" (key "greeting") was not found; import "cluster": target "blue" was not found\ncreate what is missing or correct the reference and trigger the installation again\n',
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
    folder.write("blueprint.yaml", blueprint);
    folder.write(
      "empty.yaml",
      "apiVersion: landscaper.gardener.cloud/v1alpha1\nkind: Installation\nmetadata: { name: a }\nspec: {}\n",
    );
    folder.write("pod.yaml", "data: {}\n---\napiVersion: v1\nkind: Pod\nmetadata: { name: a }\n");
    folder.write("nameless.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {}\n");
    folder.write("foreign.yaml", "apiVersion: v1\nkind: Target\nmetadata: { name: a }\n");
    folder.write("number.yaml", "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\nstringData: { pin: 987654 }\n");
    const outcome = await folder.render(line);
    expect(outcome.stderr).toContain(stderr);
    expect(outcome).toMatchObject({ stdout: "", exitCode });
  });

  it("tells no secret when a template fails with one", async () => {
    folder.write(
      "installation.yaml",
      installation.replace("{{ .imports.login.password }}", "{{ fail .imports.login.password }}"),
    );
    const { stderr, exitCode } = await folder.render(words);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error calling fail: [...]\n");
    expect(stderr).not.toMatch(/s3cr3t|czNjcjN0/);
  });

  it("tells what is not secret when a template fails", async () => {
    const failing = '{{ fail (print "refused: " (upper .imports.login.password)) }}';
    folder.write("installation.yaml", installation.replace("{{ .imports.login.password }}", failing));
    expect((await folder.render(words)).stderr).toContain("error calling fail: refused: [...]\n");
  });

  it("masks what functions make of secrets, whatever its length, and of a text only that", async () => {
    const made = [
      '"upper": "{{ upper .imports.login.password }}"',
      '"short": "{{ trunc 2 .imports.login.password }}"',
      '"mixed": "user {{ .imports.login.user | b64enc }} of {{ .imports.text }}"',
      '"flag": {{ not .imports.login.password }}',
    ];
    folder.write("installation.yaml", installation.replace("kind: Thing\n", `kind: Thing\n${indent(made)}`));
    const { stdout, stderr } = await folder.render(words);
    expect(stderr).toContain("the exports are not rendered");
    expect(stdout).toContain(
      '      upper: "[...]"\n      short: "[...]"\n      mixed: user [...] of hello world\n      flag: false\n',
    );
  });

  it("masks secrets of the Installation's scope in exports", async () => {
    const exported = installation.replace('url: "{{', 'url: "{{ upper .dataobjects.login.password }} {{');
    folder.write("installation.yaml", exported);
    expect((await folder.render(`${words} --exports @exports.yaml`)).stdout).toContain(
      'address: "[...] https://app/7/3"\n',
    );
  });

  it("refuses names that derive from secrets, as the core does", async () => {
    const named = installation.replace("- name: item", '- name: "{{ .imports.login.user }}-item"');
    folder.write("installation.yaml", named);
    expect(await folder.render(words)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("the name of deploy item number 1 derives from a secret"),
    });
  });
});
