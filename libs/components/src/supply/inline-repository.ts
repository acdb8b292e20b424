import { fromYaml, YamlError } from "@landscaper/goyaml";
import { digestOf, isObject } from "@landscaper/oci";
import { componentText, parseDescriptor, type ComponentDescriptor, type RepositoryContext } from "@landscaper/ocm";
import { packTree } from "../archive/pack-tree.ts";
import { MissingContentError, componentError } from "../component-error.ts";
import type { ComponentName } from "../repository/component-version.ts";
import type { Supply } from "./supplies.ts";

type Tree = Readonly<Record<string, unknown>>;

/** Components that stand in a repository context itself, for tests and development (docs/reference/components.md#inline-repositories). Pure. */
export interface InlineRepository {
  find(component: ComponentName): ComponentDescriptor;
  /** The content that an access names. Throws LandscaperError. */
  contentOf(reference: string, mediaType: string | undefined): Supply;
}

/** Throws LandscaperError that names the field. */
export async function openInlineRepository(context: RepositoryContext): Promise<InlineRepository> {
  const where = "inline repository";
  const {
    fileSystem,
    compDescDirPath = "",
    blobFs = fileSystem,
    blobFsMode = "filesystem",
    blobDirPath = "blobs",
  } = context;
  if (blobFsMode !== "filesystem") {
    throw componentError(
      "InvalidComponent",
      `${where}: blobFsMode: expected filesystem: content comes from the context itself`,
    );
  }
  const files = readTree(fileSystem, `${where}: fileSystem`);
  const descriptors = new Map<string, ComponentDescriptor>();
  for (const [name, text] of Object.entries(folderAt(files, compDescDirPath, `${where}: compDescDirPath`))) {
    if (isObject(text)) continue;
    const descriptor = parseDescriptor(text, `${where}: ${name}`);
    descriptors.set(componentText(descriptor), descriptor);
  }
  const blobs = await readBlobs(folderAt(readTree(blobFs, `${where}: blobFs`), blobDirPath, where));
  return {
    find: (component) => {
      const found = descriptors.get(componentText(component));
      if (found !== undefined) return found;
      throw componentError(
        "ComponentNotFound",
        `component ${componentText(component)}: there is no such component version in the ${where}`,
      );
    },
    contentOf: (reference, mediaType = "") => {
      const bytes = blobs.get(reference);
      if (bytes !== undefined) return { bytes, digest: digestOf(bytes), mediaType, where };
      throw new MissingContentError(where, reference);
    },
  };
}

function readTree(given: unknown, where: string): Tree {
  let tree: unknown = given ?? {};
  try {
    if (typeof given === "string") tree = fromYaml(given, { integers: "exact" });
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw componentError("InvalidComponent", `${where}: ${error.explanation}`);
  }
  if (isObject(tree)) return tree;
  throw componentError("InvalidComponent", `${where}: expected files and folders by name`);
}

/** An empty folder where there is none. */
function folderAt(tree: Tree, path: unknown, where: string): Tree {
  if (typeof path !== "string") throw componentError("InvalidComponent", `${where}: expected a text`);
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.reduce<Tree>((folder, name) => {
    const next = Object.hasOwn(folder, name) ? folder[name] : undefined;
    return isObject(next) ? next : {};
  }, tree);
}

/** A folder is packed as tar. */
async function readBlobs(folder: Tree): Promise<ReadonlyMap<string, Uint8Array>> {
  const entries = Object.entries(folder).map(async ([name, content]) => {
    if (!isObject(content)) return [name, Buffer.from(String(content))] as const;
    const parts: Uint8Array[] = [];
    for await (const part of packTree(listFiles(content, ""))) parts.push(part);
    return [name, Buffer.concat(parts)] as const;
  });
  return new Map(await Promise.all(entries));
}

function* listFiles(folder: Tree, prefix: string): Generator<readonly [string, Uint8Array]> {
  for (const [name, content] of Object.entries(folder)) {
    if (isObject(content)) yield* listFiles(content, `${prefix}${name}/`);
    else yield [`${prefix}${name}`, Buffer.from(String(content))];
  }
}
