import type { ContainerProviderConfiguration } from "@landscaper/api";
import {
  blueprintResources,
  filesFromTree,
  findBlueprintResource,
  nameOfBlueprint,
  prerequisiteError,
  type BlueprintFiles,
} from "@landscaper/blueprint";
import {
  readClosure,
  readTree,
  supplyAttempt,
  type Closure,
  type ComponentFetcher,
  type ComponentSelection,
} from "@landscaper/components";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { componentText, formatDescriptor } from "@landscaper/ocm";
import { itemConfigurationError } from "./read-job-inputs.ts";

/** Files that come from the component of an item, or stand in its configuration. */
export interface ComponentFiles {
  /** The component and all that it refers to, as one document; undefined for an item without a component. */
  readonly descriptors: { readonly text: string; readonly count: number } | undefined;
  /** The blueprint, by path; undefined for an item without one. */
  readonly content: AsyncIterable<readonly [path: string, bytes: Uint8Array]> | undefined;
}

export interface ComponentFilesOptions {
  readonly fetcher: ComponentFetcher;
  /** Whether the OCM configuration names repositories. */
  readonly hasResolvers: boolean;
  readonly signal: AbortSignal;
}

type Configuration = Pick<ContainerProviderConfiguration, "blueprint" | "componentDescriptor">;

/** Reads what the configuration names. Throws LandscaperError that names component and field. */
export async function readComponentFiles(
  configuration: Configuration,
  { fetcher, hasResolvers, signal }: ComponentFilesOptions,
): Promise<ComponentFiles> {
  const { blueprint, componentDescriptor } = configuration;
  const inline = blueprint?.inline?.filesystem;
  const name = inline === undefined ? blueprint?.ref?.resourceName : undefined;
  const selection = selectComponent(componentDescriptor, hasResolvers);
  if (selection === undefined) {
    if (name !== undefined) {
      throw itemConfigurationError(
        "blueprint.ref: componentDescriptor is missing, of which the blueprint would be a resource",
      );
    }
    return { descriptors: undefined, content: inline === undefined ? undefined : inlineContent(inline) };
  }
  const read = await supplyAttempt(
    async (supplies) => {
      const closure = await readClosure(selection, { supplies, where: "componentDescriptor.inline" });
      return { closure, archive: name === undefined ? undefined : archiveOf(closure, name) };
    },
    { fetcher, signal },
  );
  const { closure, archive } = read;
  const content = inline === undefined ? archive && unpackedContent(archive) : inlineContent(inline);
  return { descriptors: descriptorList(closure), content };
}

function selectComponent(
  { inline, ref }: NonNullable<Configuration["componentDescriptor"]> = {},
  hasResolvers: boolean,
): ComponentSelection | undefined {
  const more = { overwrites: [], hasResolvers };
  if (inline !== undefined) return { root: { inline }, context: ref?.repositoryContext, ...more };
  if (ref === undefined) return undefined;
  return { root: { name: ref.componentName, version: ref.version }, context: ref.repositoryContext, ...more };
}

/** The form of the original: a list of descriptors of the schema v2. */
function descriptorList({ components }: Closure): ComponentFiles["descriptors"] {
  const list = components.map((one) => formatDescriptor(one, "v2"));
  const text = JSON.stringify({ meta: { schemaVersion: "v2" }, components: list });
  return { text, count: components.length };
}

interface Archive {
  readonly bytes: Uint8Array;
  /** Begins messages. */
  readonly where: string;
}

/** Throws SuppliesLacking, too. */
function archiveOf(closure: Closure, name: string): Archive {
  const { root } = closure;
  const where = `blueprint.ref: component ${componentText(root)}`;
  const resource = findBlueprintResource(root, name);
  if (resource !== undefined) {
    const { bytes } = closure.contentOf({ component: root, resource }, "blueprint");
    return { bytes, where: `${where}: resource ${JSON.stringify(name)}` };
  }
  const known = blueprintResources(root)
    .map((one) => JSON.stringify(nameOfBlueprint(root, one)))
    .join(", ");
  const found = known === "" ? "no blueprint" : known;
  const message = `${where} has no blueprint ${JSON.stringify(name)}, it has ${found}`;
  throw prerequisiteError(message, "ResolveBlueprint", "correct resourceName");
}

async function* unpackedContent({ bytes, where }: Archive): AsyncGenerator<readonly [string, Uint8Array]> {
  const inOnePart = (async function* () {
    yield bytes;
  })();
  yield* await readTree(inOnePart, { where });
}

/** A map of files and folders, or its YAML text. */
async function* inlineContent(filesystem: unknown): AsyncGenerator<readonly [string, Uint8Array]> {
  const where = "configuration.json: blueprint.inline.filesystem";
  yield* filesBelow(filesFromTree(typeof filesystem === "string" ? readYaml(filesystem) : filesystem, where), "");
}

function* filesBelow(files: BlueprintFiles, folder: string): Generator<readonly [string, Uint8Array]> {
  for (const { name, isDirectory } of files.readDir(folder)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isDirectory) yield* filesBelow(files, path);
    else yield [path, files.readFile(path)];
  }
}

function readYaml(text: string): unknown {
  try {
    return fromYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw itemConfigurationError(`blueprint.inline.filesystem: ${error.explanation}`);
  }
}
