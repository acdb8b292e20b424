import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { blueprint, createRenderFolder, type RenderFolder } from "../../test/render.ts";

let folder: RenderFolder;
beforeEach(() => {
  folder = createRenderFolder();
});
afterEach(() => folder.remove());

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
      folder.write("blueprint.yaml", blueprint);
      folder.write("imports.yaml", imports);
      expect(await folder.render(words)).toEqual({ stdout: rendered, stderr: "", exitCode: 0 });
    },
  );

  it("tells of fields that nobody knows", async () => {
    folder.write(
      "blueprint.yaml",
      `
export: []
deployExecutions:
  - name: default
    type: Spiff
    template:
      deployItems:
        - { name: a, type: example.org/thing, config: { apiVersion: v1, kind: Thing }, depensOn: [] }
        - name: b
          type: landscaper.gardener.cloud/mock
          config: { apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1, kind: ProviderConfiguration, phas: Failed }
`,
    );
    const { stderr, exitCode } = await folder.render("@.");
    expect([exitCode, stderr.replaceAll(/warning: .*?blueprint.yaml: /g, "warning: ")]).toEqual([
      0,
      [
        'warning: unknown field "export", did you mean "exports"?',
        'warning: deploy template execution "default": deployItems[0], item "a": unknown field "depensOn", did you mean "dependsOn"?',
        'warning: deploy item "b": config: unknown field "phas", did you mean "phase"?',
        "",
      ].join("\n"),
    ]);
  });

  it("warns of what has no effect in the Installation and its helm items", async () => {
    const items = `deployItems:
- name: web
  type: landscaper.gardener.cloud/helm
  config:
    apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
    kind: ProviderConfiguration
    name: web
    namespace: default
    chart: { ref: "registry.example.org/web:1.0.0" }
    helmDeploymentConfig: { uninstall: { timeout: 5m } }`;
    const files = {
      "blueprint.yaml": JSON.stringify({
        deployExecutions: [{ name: "default", type: "GoTemplate", template: items }],
      }),
    };
    const manifest = {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Installation",
      metadata: { name: "app", annotations: { "landscaper.gardener.cloud/cache-helm-charts": "true" } },
      spec: { blueprint: { inline: { filesystem: files } } },
    };
    folder.write("installation.yaml", JSON.stringify(manifest));
    const { stderr, exitCode } = await folder.render("--installation @installation.yaml");
    expect([exitCode, stderr]).toEqual([
      0,
      [
        "warning: annotation landscaper.gardener.cloud/cache-helm-charts has no effect: the helm deployer keeps charts by their digest in any case, and asks for the digest in every job",
        'warning: deploy item "web": config: field "helmDeploymentConfig.uninstall.timeout" has no effect: the timeout of the deploy item counts',
        "",
      ].join("\n"),
    ]);
  });

  it("evaluates data mappings and Spiff executions, which may read files of the blueprint", async () => {
    folder.write("VERSION", "v1");
    folder.write(
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
    folder.write("imports.yaml", 'data: { name: world }\nmappings: { greeting: (( "hello " name )) }\n');
    expect((await folder.render("@. -f @imports.yaml")).stdout).toBe(`deployItems:
  - name: item-v1
    type: example.org/thing
    config:
      apiVersion: v1
      kind: Thing
      text: hello world
subinstallations: []
`);
    folder.write("imports.yaml", "mappings: { greeting: (( name )) }\n");
    expect(await folder.render("@. -f @imports.yaml")).toMatchObject({
      stderr: expect.stringContaining("importDataMappings.greeting: unresolved nodes:\n\t(( name ))"),
      exitCode: 1,
    });
  });

  it("renders exports when nothing has to be deployed first", async () => {
    folder.write(
      "blueprint.yaml",
      `
imports: [{ name: host, type: data, schema: { type: string } }]
exports: [{ name: url, type: data, schema: { type: string } }]
exportExecutions:
  - { name: default, type: GoTemplate, template: "exports: { url: 'https://{{ .dataobjects.host }}' }" }
`,
    );
    folder.write("imports.yaml", "data: { host: example.org }\n");
    expect((await folder.render("@. -f @imports.yaml")).stdout).toBe(
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
    [
      "broken YAML",
      "@. -f @broken.yaml",
      1,
      "error: @/broken.yaml: line 1, column 8: expected YAML: the indentation does not fit",
    ],
    [
      "a missing file",
      "@. -f @none.yaml",
      1,
      "error: cannot open @/none.yaml: there is no such file or folder. Correct the path",
    ],
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
    folder.write("blueprint.yaml", blueprint);
    folder.write("broken.yaml", "data: [");
    folder.write("unknown.yaml", "values: {}\n");
    folder.write("bad/blueprint.yaml", "imports: {}\n");
    const outcome = await folder.render(words);
    expect(outcome.stderr).toContain(stderr);
    expect(outcome.exitCode).toBe(exitCode);
  });
});
