import { deployerApiVersion, type Pod } from "@landscaper/api";
import type { StartFailure } from "@landscaper/container-deployer-lib/testing";
import type { ProgramScript } from "../../../containers/scripted-program.ts";
import { dataParameter, deployItems, goTemplate, inlineInstallation } from "../../installations/inline-installation.ts";
import type { TestNamespace } from "../../namespaces/test-namespace.ts";
import type { Mistake } from "../mistake.ts";
import { fail, succeed } from "./build.ts";

const area = "containers";
type Fields = Readonly<Record<string, unknown>>;

/** Images that the deployer of the suites allows. */
export const allowedImages: readonly string[] = ["registry.example.test/shop"];
const image = "registry.example.test/shop/migrate:1";
const imageFor = (program: keyof typeof scripts): string => `registry.example.test/shop/${program}:1`;

/** What the programs do, by the names of their images. */
const scripts = {
  exits: { says: ["connecting", "cannot open the database"], end: 3 },
  needy: { needs: "region" },
  unstarted: {
    end: { exitCode: 128, reason: "StartError", message: 'exec: "/migrat": stat /migrat: no such file or directory' },
  },
  large: { end: { exitCode: 137, reason: "OOMKilled" } },
  endless: { isEndless: true },
  "no-yaml": { exports: "a: 1\nb: [1\n" },
  list: { exports: "- a\n" },
  "large-exports": { exports: `a: ${"x".repeat(1_000_000)}` },
  link: { link: "/etc/hosts" },
  "large-state": { stateBytes: 65 * 1024 ** 2 },
  exporting: { exports: "adress: { host: a }" },
} satisfies Readonly<Record<string, ProgramScript>>;

/** What the program of an image does. */
export function scriptOf(reference: string): ProgramScript {
  const found = Object.entries(scripts).find(([name]) => reference === imageFor(name as keyof typeof scripts)); // a key of the scripts
  return found?.[1] ?? {};
}
const missingImage = "registry.example.test/shop/mirgate:1";

/** What the kubelet reports of the image that does not exist. */
export function findImageFailure({ spec }: Pod): StartFailure | undefined {
  if (!JSON.stringify(spec).includes(missingImage)) return undefined;
  return { reason: "ErrImagePull", message: `failed to resolve reference "${missingImage}": not found` };
}

interface Program {
  readonly program?: keyof typeof scripts;
  /** Other fields of the ProviderConfiguration. */
  readonly config?: Fields;
  /** Other fields of the deploy item. */
  readonly item?: Fields;
}

const containerItem = ({ program, config, item }: Program): Fields => ({
  name: "item",
  type: "landscaper.gardener.cloud/container",
  timeout: "2m",
  config: {
    apiVersion: deployerApiVersion("container"),
    kind: "ProviderConfiguration",
    image: program === undefined ? image : imageFor(program),
    ...config,
  },
  ...item,
});

/** The Installation "root" with a container item "item". */
const installation = (program: Program) =>
  inlineInstallation({ name: "root", blueprint: { deployExecutions: deployItems(containerItem(program)) } });

const failWith = async (scope: TestNamespace, program: Program): Promise<void> =>
  await fail(scope, installation(program));

export const containerMistakes: readonly Mistake[] = [
  {
    area,
    title: "the image of a program does not exist",
    make: async (scope) => failWith(scope, { config: { image: missingImage } }),
    place: /item "?item"?.*image/s,
    cause: /registry\.example\.test\/shop\/mirgate:1.*not found/s,
    remedy: /[Cc]orrect the image|pull secret/,
  },
  {
    area,
    title: "the image of a program is a URL",
    make: async (scope) => failWith(scope, { config: { image: `https://${image}` } }),
    place: /item "?item"?.*image/s,
    cause: /URL/,
    remedy: /remove "https:\/\/"/,
  },
  {
    area,
    title: "the image of a program is not allowed",
    make: async (scope) => failWith(scope, { config: { image: "other.example.test/shop/migrate:1" } }),
    place: /item "?item"?.*image/s,
    cause: /other\.example\.test\/shop\/migrate.*not allowed/s,
    remedy: /registry\.example\.test\/shop/,
  },
  {
    area,
    title: "the image of a program has capital letters",
    make: async (scope) => failWith(scope, { config: { image: "registry.example.test/shop/Migrate:1" } }),
    place: /item "?item"?.*image/s,
    cause: /Migrate/,
    remedy: /lower.case/,
  },
  {
    area,
    title: "the command of a program does not exist",
    make: async (scope) => {
      await failWith(scope, { program: "unstarted", config: { command: ["/migrat"] } });
    },
    place: /item "?item"?.*(program|command)/s,
    cause: /"\/migrat".*no such file/s,
    remedy: /[Cc]orrect.*(command|image)/s,
  },
  {
    area,
    title: "the command of a program is a text",
    make: async (scope) => failWith(scope, { config: { command: "/migrate" } }),
    place: /item "?item"?.*command/s,
    cause: /expected (a list|an array).*(text|string)/s,
    remedy: /\[|list/,
  },
  {
    area,
    title: "a program ends with an exit code",
    make: async (scope) => failWith(scope, { program: "exits" }),
    place: /item "?item"?/,
    cause: /exit code 3.*cannot open the database/s,
    remedy: /[Cc]orrect|landscaper logs/,
  },
  {
    area,
    title: "a program misses an import",
    make: async (scope) => failWith(scope, { program: "needy", config: { importValues: { zone: "a" } } }),
    place: /item "?item"?/,
    cause: /the import region is missing/,
    remedy: /importValues|[Cc]orrect|landscaper logs/,
  },
  {
    area,
    title: "a program needs more memory than its limit",
    make: async (scope) => failWith(scope, { program: "large" }),
    place: /item "?item"?/,
    cause: /OOMKilled|too much memory|memory limit/,
    remedy: /resources\.limits\.memory|raise.*memory|memory limit/i,
  },
  {
    area,
    title: "a program never ends",
    make: async (scope) => failWith(scope, { program: "endless", item: { timeout: "20s" } }),
    place: /item "?item"?/,
    cause: /(program|Pod).*(runs|running|not ended|to end)/s,
    remedy: /timeout/,
  },
  {
    area,
    title: "the exports of a program are not YAML",
    make: async (scope) => failWith(scope, { program: "no-yaml" }),
    place: /item "?item"?.*EXPORTS_PATH.*line \d/s,
    cause: /JSON or YAML/,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "the exports of a program are a list",
    make: async (scope) => failWith(scope, { program: "list" }),
    place: /item "?item"?.*EXPORTS_PATH/s,
    cause: /expected a mapping.*list/s,
    remedy: /[Cc]orrect/,
  },
  {
    area,
    title: "the exports of a program are too large",
    make: async (scope) => failWith(scope, { program: "large-exports" }),
    place: /item "?item"?.*EXPORTS_PATH/s,
    cause: /1000003 bytes.*1000000/s,
    remedy: /at most|smaller|[Rr]educe|less/,
  },
  {
    area,
    title: "a program leaves a link in its state",
    make: async (scope) => failWith(scope, { program: "link" }),
    place: /item "?item"?.*state/s,
    cause: /"link" is a link/,
    remedy: /[Rr]emove|files and folders|[Kk]eep only/,
  },
  {
    area,
    title: "the state of a program is too large",
    make: async (scope) => failWith(scope, { program: "large-state" }),
    place: /item "?item"?.*state/s,
    cause: /64 ?MiB|67108864|64Mi/,
    remedy: /state\.maxSize|[Rr]emove|less|smaller/,
  },
  {
    area,
    title: "a program does not export what the blueprint reads",
    make: async (scope) => {
      const template = "exports: { address: {{ .values.deployitems.item.address.host }} }\n";
      await fail(
        scope,
        inlineInstallation({
          name: "root",
          blueprint: {
            exports: [dataParameter("address", { type: "string" })],
            exportExecutions: goTemplate(template),
            deployExecutions: deployItems(containerItem({ program: "exporting" })),
          },
        }),
      );
    },
    place: /execution "default".*(line 1|:1)/s,
    cause: /address/,
    remedy: /did you mean "?adress|adress/,
  },
  {
    area,
    title: "the memory limit of a program is not a quantity",
    make: async (scope) => failWith(scope, { config: { resources: { limits: { memory: "256MB" } } } }),
    place: /item "?item"?.*resources\.limits\.memory/s,
    cause: /expected a quantity/,
    remedy: /256M\b|Mi\b|such as/,
  },
  {
    area,
    title: "a program requests more than its limit",
    make: async (scope) =>
      failWith(scope, { config: { resources: { requests: { memory: "2Gi" }, limits: { memory: "1Gi" } } } }),
    place: /item "?item"?.*resources/s,
    cause:
      /requests?.*2Gi.*limits?.*1Gi|2Gi.*(larger|more|exceeds|at most|less than or equal).*1Gi|less than or equal to memory limit/s,
    remedy: /[Rr]aise|[Ll]ower|[Cc]orrect/,
  },
  {
    area,
    title: "the pull secret of a program does not exist",
    make: async (scope) =>
      failWith(scope, {
        config: { registryPullSecrets: [{ name: "plul", namespace: scope.name }] },
        item: { timeout: "20s" },
      }),
    place: /item "?item"?.*registryPullSecrets/s,
    cause: /Secret \S*plul\S*.*(is missing|does not exist|was not found)/s,
    remedy: /[Cc]reate|[Cc]orrect/,
  },
  {
    area,
    title: "a program of a component without the component",
    make: async (scope) => failWith(scope, { config: { blueprint: { ref: { resourceName: "blueprint" } } } }),
    place: /item "?item"?.*blueprint\.ref/s,
    cause: /expected componentDescriptor/,
    remedy: /[Aa]dd|[Ss]et|[Cc]orrect/,
  },
  {
    area,
    title: "the component of a program does not exist",
    make: async (scope, { registry }) => {
      const repositoryContext = { type: "OCIRegistry", baseUrl: `${registry}/team` };
      const ref = { componentName: "example.org/shpo", version: "1.0.0", repositoryContext };
      await failWith(scope, { config: { componentDescriptor: { ref } } });
    },
    place: /item "?item"?.*example\.org\/shpo:1\.0\.0/s,
    cause: /not found|does not exist|no such|no repository/,
    remedy: /[Pp]ush|[Cc]orrect/,
  },
  {
    area,
    title: "a field of a program's configuration is misspelt",
    make: async (scope) => succeed(scope, installation({ config: { importValue: { region: "north" } } })),
    place: /DeployItem item .*importValue/s,
    cause: /importValue"?.*(unknown|not known)|(unknown|not known).*importValue/s,
    remedy: /did you mean "?importValues/,
  },
];
