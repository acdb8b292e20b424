import { randomBytes } from "node:crypto";
import { basename, resolve } from "node:path";
import { apiVersion, type Installation, type InstallationExports, type InstallationSpec } from "@landscaper/api";
import {
  blueprintOfInstallation,
  blueprintResources,
  nameOfBlueprint,
  describeComponent,
  filesFromTree,
  processorClock,
  readBlueprint,
  readComponents,
  startRenderBudget,
  type BlueprintSource,
  type RenderContext,
} from "@landscaper/blueprint";
import { supplyAttempt, type Closure, type ComponentLocation, type SupplyReader } from "@landscaper/components";
import { componentText, type RepositoryContext } from "@landscaper/ocm";
import type { CommandContext } from "../command.ts";
import { isFile, selectVersion, type Components } from "../component/open-component.ts";
import { readFolder, type FolderTree } from "../render/read-folder.ts";
import { toRepositoryContext } from "../render/render-supplied.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { readExports, readImportValues, type GivenText, type ReadImports } from "./import-values.ts";
import { checkGivenImports } from "./check-imports.ts";
import { inlineRepository, textTree } from "./inline-component.ts";
import { checkName, type InstallPlace, type InstallRequest, type NamedWord } from "./install-request.ts";

/** What is installed, read and checked. */
export interface InstallSource {
  /** Of the Installation. */
  readonly name: string;
  /** For people. */
  readonly text: string;
  readonly blueprint: BlueprintSource;
  /** For the Installation: with a component, the repository is not named yet. */
  readonly spec: Pick<InstallationSpec, "blueprint" | "componentDescriptor">;
  /** The repository that the services are to read; undefined without a component. */
  readonly repository: RepositoryContext | undefined;
  readonly imports: ReadImports;
  /** Undefined leaves those of an Installation that is there. */
  readonly exports: InstallationExports | undefined;
}

/** What the command line gives to the blueprint. */
export interface GivenWords {
  readonly namespace: string;
  readonly imports: readonly GivenText[];
  readonly targets: readonly GivenText[];
  readonly exports: readonly NamedWord[];
}

interface Surroundings {
  readonly request: InstallRequest;
  readonly given: GivenWords;
  readonly context: CommandContext;
}

/** Reads what is installed, and checks the imports. Throws UsageError, InvocationError or LandscaperError. */
export async function readSource(components: Components, surroundings: Surroundings): Promise<InstallSource> {
  const { place } = surroundings.request;
  if (place.kind === "folder") return readFolderSource(place.path, surroundings);
  const location = await locateComponent(components, place);
  const { repository } = location;
  const component =
    location.version === undefined
      ? await selectVersion(await components.open(repository), location, surroundings.context)
      : { name: location.name, version: location.version };
  const attempt = async (supplies: SupplyReader): Promise<InstallSource> =>
    readComponentSource({ ...component, repository }, { ...surroundings, supplies });
  return await supplyAttempt(attempt, { fetcher: components.fetcher, signal: surroundings.context.signal });
}

/** The component that the command line names; an archive has to have only one. */
export async function locateComponent(
  components: Components,
  place: Exclude<InstallPlace, { readonly kind: "folder" }>,
): Promise<ComponentLocation> {
  return place.kind === "component" ? place.location : await onlyComponent(components, place.path);
}

async function onlyComponent(components: Components, path: string): Promise<ComponentLocation> {
  const names = (await (await components.open(path)).listNames?.()) ?? [];
  const [name, second] = names;
  if (name !== undefined && second === undefined) return { repository: path, name, version: undefined };
  throw new InvocationError(`${path}: expected one component, found ${names.length}: name one as ${path}//COMPONENT`);
}

function readFolderSource(path: string, { request, given, context }: Surroundings): InstallSource {
  const name = checkName(request.name ?? basename(resolve(path)));
  const tree = readFolder(path);
  const blueprint = readBlueprint(filesFromTree(tree, path), path);
  const filesystem = textTree(new Map(listFiles(tree)));
  if (filesystem === undefined) {
    throw new UsageError(
      `${path}: a file is not UTF-8 text, and cannot stand in the Installation; "landscaper component create" makes a component of the folder`,
    );
  }
  const spec = { blueprint: { inline: { filesystem } } };
  const flow = checkedFlow({ name, spec, blueprint, closure: undefined }, { given, context });
  return { name, text: `blueprint ${path}`, blueprint, spec, repository: undefined, ...flow };
}

function* listFiles(tree: FolderTree, prefix = ""): Generator<[path: string, content: Uint8Array]> {
  for (const [name, content] of Object.entries(tree)) {
    if (content instanceof Uint8Array) yield [`${prefix}${name}`, content];
    else yield* listFiles(content, `${prefix}${name}/`);
  }
}

async function readComponentSource(
  { repository: place, name: componentName, version }: ComponentLocation & { readonly version: string },
  { request, given, context, supplies }: Surroundings & { readonly supplies: SupplyReader },
): Promise<InstallSource> {
  const name = checkName(request.name ?? componentName.slice(componentName.lastIndexOf("/") + 1));
  const root = { name: componentName, version };
  const repository = toRepositoryContext(place);
  const selection = { root, context: repository, overwrites: [], hasResolvers: false };
  const closure = await readComponents({ selection, supplies });
  if (closure === undefined) throw new Error("a selection has a component");
  const resourceName = chooseBlueprint(closure, request.blueprint);
  const spec = { componentDescriptor: { ref: { componentName, version } }, blueprint: { ref: { resourceName } } };
  const blueprint = await blueprintOfInstallation(installationOf(name, given.namespace, spec), closure);
  const flow = checkedFlow({ name, spec, blueprint, closure }, { given, context });
  const text = `component ${componentText(root)}: blueprint "${resourceName}"`;
  return { name, text, blueprint, spec, repository: await repositoryOfServices(closure, place, request), ...flow };
}

/** Where services find the component: as the command line says, where it is pushed to, in its registry, else in the Installation itself. */
async function repositoryOfServices(
  closure: Closure,
  place: string,
  { repositoryContext, push }: InstallRequest,
): Promise<RepositoryContext> {
  const registry = repositoryContext ?? push ?? (isFile(place) ? undefined : place);
  return registry === undefined ? await inlineRepository(closure) : { type: "OCIRegistry", baseUrl: registry };
}

function chooseBlueprint({ root }: Closure, wanted: string | undefined): string {
  // What is wrong with a name that was given is told when it is read.
  if (wanted !== undefined) return wanted;
  const names = blueprintResources(root).map((resource) => nameOfBlueprint(root, resource));
  const [only, second] = names;
  if (only !== undefined && second === undefined) return only;
  const found = names.length === 0 ? "none" : names.join(", ");
  throw new UsageError(
    `component ${componentText(root)}: expected one blueprint, found ${found}${second === undefined ? "" : "; --blueprint names one"}`,
  );
}

interface Parts extends Pick<InstallSource, "name" | "spec" | "blueprint"> {
  readonly closure: Closure | undefined;
}

function checkedFlow(
  { name, spec, blueprint, closure }: Parts,
  { given, context }: Pick<Surroundings, "given" | "context">,
): Pick<InstallSource, "imports" | "exports"> {
  const { namespace } = given;
  const { exports, problems } = readExports(blueprint.definition.exports ?? [], {
    installation: name,
    words: given.exports,
  });
  const imports = readImportValues(blueprint.definition.imports ?? [], { ...given, installation: name });
  const time = new Date(context.now());
  const rendering: RenderContext = {
    source: blueprint,
    installation: { name, namespace, spec },
    component: describeComponent(closure, blueprint),
    ...(closure === undefined ? {} : { host: { readContent: (found) => closure.contentOf(found, "content") } }),
    now: () => time,
    random: (bytes) => randomBytes(bytes),
    budget: startRenderBudget(processorClock),
  };
  checkGivenImports(rendering, { values: imports.values, problems: [...imports.problems, ...problems] });
  return { imports, exports };
}

function installationOf(name: string, namespace: string, spec: InstallationSpec): Installation {
  return { apiVersion, kind: "Installation", metadata: { name, namespace }, spec };
}
