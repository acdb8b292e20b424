import { readTree, type Closure } from "@landscaper/components";
import {
  componentText,
  formatDescriptor,
  parseAccess,
  type FoundResource,
  type RepositoryContext,
} from "@landscaper/ocm";
import { blueprintResources } from "@landscaper/blueprint";
import { UsageError } from "../usage-error.ts";

/** Texts by name, folders nested. */
export interface TextTree {
  [name: string]: string | TextTree;
}

const chartTypes: ReadonlySet<string> = new Set(["helmChart", "helm", "helm.io/chart"]);

/**
 * A component version of an archive with all that it refers to as a repository that stands in the Installation
 * (docs/reference/components.md#inline-repositories): descriptors, and content that is text or the files of a blueprint. Signatures and the digests of blueprints
 * are left out, because their archives are packed anew. Throws SuppliesLacking for content that is to be read, and UsageError with all that cannot stand there.
 */
export async function inlineRepository(closure: Closure): Promise<RepositoryContext> {
  const fileSystem: TextTree = {};
  const blobs: TextTree = {};
  const problems: string[] = [];
  for (const [index, component] of closure.components.entries()) {
    const blueprints = new Set(blueprintResources(component));
    const resources: unknown[] = [];
    for (const resource of component.resources) {
      const where = `component ${componentText(component)}: resource "${resource.name}"`;
      const access = parseAccess(resource.access, where);
      if (access.kind === "relative-artifact") problems.push(`${where}: it lies beside the archive`);
      if (access.kind !== "local") {
        resources.push(resource);
        continue;
      }
      if (chartTypes.has(resource.type ?? "")) {
        problems.push(`${where}: a chart, which the helm deployer fetches from a registry`);
        continue;
      }
      const key = `content-${Object.keys(blobs).length}`;
      const found = { component, resource };
      const isBlueprint = blueprints.has(resource);
      const content = isBlueprint ? await blueprintFiles(closure, found, where) : contentText(closure, found);
      if (content === undefined) {
        problems.push(`${where}: it is not text`);
        continue;
      }
      blobs[key] = content;
      const { digest, ...others } = resource;
      const kept = isBlueprint || digest === undefined ? {} : { digest };
      const mediaType = isBlueprint ? "application/x-tar" : access.mediaType;
      resources.push({ ...others, ...kept, access: { type: "localBlob", localReference: key, mediaType } });
    }
    fileSystem[`component-${index}.json`] = descriptorText(component, resources);
  }
  if (problems.length > 0) {
    throw new UsageError(
      `the component cannot stand in the Installation; --push REGISTRY copies it to where the services find it:\n${problems.join("\n")}`,
    );
  }
  return { type: "inline", fileSystem: { ...fileSystem, blobs } };
}

function descriptorText(component: Closure["root"], resources: readonly unknown[]): string {
  const { signatures: _, nestedDigests: __, ...document } = formatDescriptor(component, "v2");
  const own = document["component"] as object; // of schema v2
  return JSON.stringify({ ...document, component: { ...own, resources, repositoryContexts: [] } });
}

/** Undefined for what is not text. */
function contentText(closure: Closure, found: FoundResource): string | undefined {
  return textOf(closure.contentOf(found, "content").bytes);
}

async function blueprintFiles(closure: Closure, found: FoundResource, where: string): Promise<TextTree | undefined> {
  const { bytes } = closure.contentOf(found, "blueprint");
  return textTree(await readTree(inOnePart(bytes), { where }));
}

/** Files by their paths as folders of texts; undefined when one is not text. */
export function textTree(files: ReadonlyMap<string, Uint8Array>): TextTree | undefined {
  const root = emptyTree();
  for (const [path, bytes] of files) {
    const text = textOf(bytes);
    if (text === undefined) return undefined;
    const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
    let folder = root;
    for (const segment of segments.slice(0, -1)) {
      const next = folder[segment];
      folder = typeof next === "object" ? next : (folder[segment] = emptyTree());
    }
    folder[segments.at(-1) ?? ""] = text;
  }
  return root;
}

/** Without a prototype: names of files are any. */
function emptyTree(): TextTree {
  return Object.create(null) as TextTree; // has no fields
}

/** Undefined for what is not UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function* inOnePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
