import { digestOf, readBounded, type Descriptor, type ImageManifest, type Manifest } from "@landscaper/oci";
import { readArchive } from "../archive/read-archive.ts";
import { MissingContentError, componentError, withPlace } from "../component-error.ts";
import type { ArtifactStore, CallOptions } from "./artifact-store.ts";
import { repositoryOf, tagOfVersion, versionOfTag, type NameMapping } from "./component-names.ts";
import type { ComponentName, ComponentRepository, StoredComponent } from "./component-version.ts";
import { findManifestOf } from "./component-manifest.ts";
import { readComponent } from "./read-component.ts";

export interface ArtifactRepositoryOptions {
  readonly mapping: NameMapping;
  /** Path before the names of components, without slashes at its ends; "" for none. */
  readonly subPath: string;
}

/** Media types of the layer that holds the descriptor, by whether it is packed as tar (docs/reference/components.md#artifacts). */
const packed: ReadonlySet<string> = new Set([
  "application/vnd.ocm.software.component-descriptor.v2+yaml+tar",
  "application/vnd.gardener.cloud.cnudie.component-descriptor.v2+yaml+tar",
  "application/vnd.oci.gardener.cloud.cnudie.component-descriptor.config.v2+yaml+tar",
]);
const plain: ReadonlySet<string> = new Set([
  "application/vnd.ocm.software.component-descriptor.v2+json",
  "application/vnd.ocm.software.component-descriptor.v2+yaml",
  "application/vnd.gardener.cloud.cnudie.component-descriptor.v2+json",
  "application/vnd.gardener.cloud.cnudie.component-descriptor.v2+yaml",
]);
/** More than any descriptor has. */
const maxDescriptorBytes = 16 * 1024 * 1024;

/** Component versions as OCI artifacts, in a registry or in files of that form (docs/reference/components.md#artifacts). */
export function createArtifactRepository(
  store: ArtifactStore,
  { mapping, subPath }: ArtifactRepositoryOptions,
): ComponentRepository {
  const open: ComponentRepository["open"] = async (component, options) => {
    const repository = repositoryOf(component.name, mapping, subPath);
    const manifest = await store.findManifest(repository, tagOfVersion(component.version), options);
    if (manifest === undefined) return undefined;
    return await openVersion({ store, repository, component, options }, manifest);
  };
  return {
    text: subPath === "" ? store.text : `${store.text}/${subPath}`,
    open,
    find: async (component, options) =>
      await withPlace(
        placeOf(component),
        async () => await readComponent(await open(component, options), component, options),
      ),
    listVersions: async (name, options) =>
      (await store.listTags(repositoryOf(name, mapping, subPath), options)).map(versionOfTag),
  };
}

function placeOf({ name, version }: ComponentName): string {
  return `component ${name}:${version}`;
}

interface Reading {
  readonly store: ArtifactStore;
  readonly repository: string;
  readonly component: ComponentName;
  readonly options: CallOptions;
}

async function openVersion(reading: Reading, found: Manifest): Promise<StoredComponent> {
  const { store, repository, component, options } = reading;
  const place = `${store.text}/${repository}`;
  const where = `${placeOf(component)} in ${place}`;
  const manifest = await findManifestOf(found, {
    where,
    fetch: async (digest) => await store.findManifest(repository, digest, options),
  });
  return {
    where,
    place,
    manifest: found.digest,
    readText: async (callOptions) => {
      const bytes = await readDescriptor({ ...reading, options: callOptions }, manifest, where);
      return { bytes, digest: digestOf(bytes) };
    },
    findLocal: async (reference) => {
      const layer = manifest.layers.find(({ digest }) => digest === reference);
      if (layer === undefined) throw new MissingContentError(where, reference);
      const owner = store.ownerOf?.(repository);
      return {
        mediaType: layer.mediaType,
        blob: owner === undefined ? undefined : { digest: layer.digest, owner },
        stream: (callOptions) => store.streamBlob(repository, layer, callOptions),
      };
    },
  };
}

async function readDescriptor(reading: Reading, manifest: ImageManifest, where: string): Promise<Buffer> {
  const { store, repository, options } = reading;
  const layer = descriptorLayerOf(manifest, where);
  const stream = store.streamBlob(repository, layer, options);
  if (plain.has(layer.mediaType))
    return Buffer.from(await readBounded(stream, { limit: maxDescriptorBytes, place: where }));
  const limits = { entries: 16, fileBytes: maxDescriptorBytes, totalBytes: maxDescriptorBytes };
  let found: Buffer | undefined;
  // To the end, which checks the digest.
  for await (const { path, content } of readArchive(stream, { limits, where })) {
    const bytes = Buffer.from(await readBounded(content, { limit: maxDescriptorBytes, place: where }));
    if (path === "component-descriptor.yaml") found = bytes;
  }
  if (found !== undefined) return found;
  throw componentError(
    "InvalidComponent",
    `${where}: expected the file component-descriptor.yaml in the layer ${layer.digest}`,
  );
}

/** The layer that the config names, else the first of a known type. */
function descriptorLayerOf({ layers }: ImageManifest, where: string): Descriptor {
  const layer = layers.find(({ mediaType }) => packed.has(mediaType) || plain.has(mediaType));
  if (layer !== undefined) return layer;
  const types = layers.map(({ mediaType }) => mediaType).join(", ");
  throw componentError(
    "InvalidComponent",
    `${where}: none of its layers is a component descriptor, found ${types || "no layer"}`,
  );
}
