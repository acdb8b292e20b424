import { digestOf, isDigest } from "@landscaper/oci";
import { parseDescriptor } from "@landscaper/ocm";
import { MissingContentError } from "../component-error.ts";
import type { BlobFolder } from "./blob-folder.ts";
import type { ComponentRepository, LocalContent, StoredComponent } from "./component-version.ts";
import { readComponent } from "./read-component.ts";

const descriptorFile = "component-descriptor.yaml";

/** A folder with one component version (docs/reference/components.md#artifacts); local references are the names of files there. Undefined when the folder is none. */
export async function openComponentArchive(
  folder: BlobFolder,
): Promise<(ComponentRepository & { listNames(): Promise<readonly string[]> }) | undefined> {
  const bytes = await folder.read(descriptorFile);
  if (bytes === undefined) return undefined;
  const where = `${folder.text}/${descriptorFile}`;
  const descriptor = parseDescriptor(bytes.toString("utf8"), where);
  const stored: StoredComponent = {
    where,
    readText: async () => ({ bytes, digest: digestOf(bytes) }),
    findLocal: async (reference) => await findBlob(folder, reference),
  };
  const open: ComponentRepository["open"] = async ({ name, version }) =>
    name === descriptor.name && version === descriptor.version ? stored : undefined;
  return {
    text: folder.text,
    open,
    find: async (component, options) => await readComponent(await open(component, options), component, options),
    listNames: async () => [descriptor.name],
    listVersions: async (name) => (name === descriptor.name ? [descriptor.version] : []),
  };
}

/** By the name of the file, or by the digest that it stands for. */
async function findBlob(folder: BlobFolder, reference: string): Promise<LocalContent> {
  const name = reference.replace(":", ".");
  const size = /^[\w.-]+$/.test(name) && !name.startsWith(".") ? await folder.sizeOf("blobs", name) : undefined;
  const digest = name.replace(".", ":");
  if (size === undefined || !isDigest(digest)) {
    throw new MissingContentError(folder.text, reference);
  }
  return { mediaType: "", stream: () => folder.stream({ digest, size }, "blobs", name) };
}
