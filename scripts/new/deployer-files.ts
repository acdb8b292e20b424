import { replaceTexts, sectionOf } from "./edit-text.ts";
import type { NewPackage, Workspace } from "./plan-addition.ts";

const mockLibrary = { dir: "libs/deployers/mock", name: "@landscaper/mock-deployer-lib" };
const mockService = { dir: "services/mock-deployer", name: "@landscaper/mock-deployer" };
/** The deployer that docs/deployer-authors.md builds, with its tests. */
const greeting = "libs/deployer/src/greeting-deployer.test.ts";

/** "git-source" -> "GitSource" */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** "git-source" -> "gitSource" */
function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The library and the process of a deployer: the greeting deployer in packages like those of the mock deployer. */
export function deployerFiles(name: string, workspace: Workspace): readonly NewPackage[] {
  const dir = `libs/deployers/${name}`;
  const service = `services/${name}-deployer`;
  const description = `The deployer of ${name} items`;
  const index = `export { create${pascalCase(name)}Deployer, ${camelCase(name)}DeployItemType } from "./${name}-deployer.ts";\n`;
  return [
    {
      dir,
      name: `@landscaper/${name}-deployer-lib`,
      like: mockLibrary,
      dropped: previewDependencies,
      beside: mockLibrary,
      files: [
        {
          path: `${dir}/package.json`,
          content: manifestLike(workspace.read(`${mockLibrary.dir}/package.json`), {
            name,
            description,
            dropped: previewDependencies,
          }),
        },
        { path: `${dir}/README.md`, content: libraryReadme(name) },
        { path: `${dir}/src/index.ts`, content: index },
        { path: `${dir}/src/${name}-deployer.ts`, content: deployerCode(name, workspace.read(greeting)) },
        { path: `${dir}/src/${name}-deployer.test.ts`, content: deployerTests(name, workspace.read(greeting)) },
      ],
    },
    {
      dir: service,
      name: `@landscaper/${name}-deployer`,
      like: mockService,
      beside: mockService,
      files: [
        {
          path: `${service}/package.json`,
          content: manifestLike(workspace.read(`${mockService.dir}/package.json`), {
            name,
            description: `The process of the ${name} deployer`,
          }),
        },
        { path: `${service}/README.md`, content: serviceReadme(name) },
        {
          path: `${service}/Dockerfile`,
          content: dockerfileLike(workspace.read(`${mockService.dir}/Dockerfile`), name),
        },
        { path: `${service}/src/main.ts`, content: mainLike(workspace.read(`${mockService.dir}/src/main.ts`), name) },
      ],
    },
  ];
}

/** Dependencies of the mock deployer's previews. A new deployer has no previews. */
const previewDependencies: readonly string[] = ["@landscaper/json"];

function manifestLike(mock: string, { name, description, dropped = [] }: Manifest): string {
  const manifest = JSON.parse(mock.replaceAll("mock-deployer", `${name}-deployer`)) as { dependencies: object };
  const kept = Object.entries(manifest.dependencies).filter(([dependency]) => !dropped.includes(dependency));
  return `${JSON.stringify({ ...manifest, description, dependencies: Object.fromEntries(kept) }, null, 2)}\n`;
}

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly dropped?: readonly string[];
}

function mainLike(mock: string, name: string): string {
  return replaceTexts(mock, [
    ["configuration: mockDeployerConfigurationSchema", `configuration: deployerConfigurationSchema("${name}")`],
    ["mockDeployerConfigurationSchema", "deployerConfigurationSchema"],
    ["rights: mockDeployerRights", "rights: deployerRights({ connects: true })"],
    ["mockDeployerRights", "deployerRights"],
    ["createMockDeployer", `create${pascalCase(name)}Deployer`],
    ["mock", name],
  ]);
}

function dockerfileLike(mock: string, name: string): string {
  return replaceTexts(mock, [
    ["Plays DeployItems of Landscaper for tests", `Works on the ${name} items of Landscaper`],
    ["mock", name],
  ]);
}

function deployerCode(name: string, example: string): string {
  const section = sectionOf(example, "// begin of the example", "// end of the example");
  const code = replaceTexts(section.trimEnd(), [
    [
      "const greetingDeployer: Deployer<Greeting> = {",
      `export function create${pascalCase(name)}Deployer(version: string): Deployer<${pascalCase(name)}Configuration> { return {`,
    ],
    ['type: "example.org/greeting"', `type: ${camelCase(name)}DeployItemType`],
    ["greeting.deployer.example.org", `${name}.deployer.landscaper.gardener.cloud`],
    ['version: "v1.0.0"', "version"],
    ["interface Greeting", `interface ${pascalCase(name)}Configuration`],
    ["Partial<Greeting>", `Partial<${pascalCase(name)}Configuration>`],
  ]);
  return `import { kubeResources, LandscaperError } from "@landscaper/api";
import type { Deployer } from "@landscaper/deployer";

/** \`spec.type\` of its items. */
export const ${camelCase(name)}DeployItemType = "landscaper.gardener.cloud/${name}";

${code}
}
`;
}

function deployerTests(name: string, example: string): string {
  const section = sectionOf(example, "// begin of its tests", "// end of its tests");
  const tests = replaceTexts(section, [
    ["the greeting deployer", `the ${name} deployer`],
    ["greetingDeployer", `create${pascalCase(name)}Deployer("v0.0.0-test")`],
    ['"example.org/greeting"', `${camelCase(name)}DeployItemType`],
    ['"example.org/v1"', `"${name}.deployer.landscaper.gardener.cloud/v1alpha1"`],
    ['kind: "Greeting"', 'kind: "ProviderConfiguration"'],
  ]);
  return `import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import { createDeployerFixture, type DeployerFixture } from "@landscaper/deployer/testing";
import { create${pascalCase(name)}Deployer, ${camelCase(name)}DeployItemType } from "./index.ts";

${tests}`;
}

function libraryReadme(name: string): string {
  return `# @landscaper/${name}-deployer-lib

The deployer of items of type \`landscaper.gardener.cloud/${name}\`: it writes a greeting into a ConfigMap of the target cluster.
\`create${pascalCase(name)}Deployer(version)\` makes it; \`services/${name}-deployer\` runs it.

\`\`\`yaml
config:
  apiVersion: ${name}.deployer.landscaper.gardener.cloud/v1alpha1
  kind: ProviderConfiguration
  namespace: default
  text: hello
\`\`\`

The rules that a deployer follows are in [docs/deployer-authors.md](../../../docs/deployer-authors.md).

To extend: \`parseConfig\` reads the fields, \`reconcile\` does the work, \`delete\` takes it back, \`preview\` says what a job would change.
`;
}

function serviceReadme(name: string): string {
  return `# ${name}-deployer

The process of the ${name} deployer: only its main, the logic is in \`libs/deployers/${name}\` and \`libs/deployer\`.

\`\`\`sh
npm run build                                   # once; it runs on Node 24, such as node_modules/node/bin/node
node dist/${name}-deployer.mjs --kubeconfig hub.kubeconfig --metrics-port 8080 -v info
\`\`\`

Flags and configuration are [those of the mock deployer](../mock-deployer/README.md); the configuration's apiVersion is
\`${name}.deployer.landscaper.gardener.cloud/v1alpha1\`.

To extend: the process is the same for all deployers, \`runDeployerService\` of \`libs/deployer\`.
`;
}
