import { productVersion } from "@landscaper/api";
import { toYaml } from "@landscaper/goyaml";
import { mediaTypes, type Descriptor } from "@landscaper/oci";
import {
  componentText,
  formatDescriptor,
  uniqueIdentity,
  type ComponentDescriptor,
  type Element,
  type Identity,
} from "@landscaper/ocm";
import { streamOf } from "../archive/stream-of.ts";
import { packFiles } from "../archive/pack-files.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import { repositoryOf, tagOfVersion } from "../repository/component-names.ts";
import type { StoredBlob } from "./artifact-sink.ts";
import type { TargetRepository } from "./target-repository.ts";

/** Content of a component that lies beside its descriptor. */
export interface LocalLayer extends StoredBlob {
  readonly mediaType: string;
  readonly kind: "resource" | "source";
  /** Of the element in the list of its kind. */
  readonly index: number;
}

const descriptorType = "application/vnd.ocm.software.component-descriptor.v2+yaml+tar";
const configType = "application/vnd.ocm.software.component.config.v1+json";

/** The repository that holds the versions of a component, and their local content. */
export function repositoryIn({ mapping, subPath }: TargetRepository, name: string): string {
  return repositoryOf(name, mapping, subPath);
}

/**
 * Stores a component version whose content is there (docs/reference/components.md#component-archives-and-transfer). Equal descriptors give equal bytes.
 * It is visible after the sink's commit.
 */
export async function storeComponent(
  target: TargetRepository,
  descriptor: ComponentDescriptor,
  { layers, signal }: CallOptions & { readonly layers: readonly LocalLayer[] },
): Promise<Descriptor> {
  const repository = repositoryIn(target, descriptor.name);
  const push = async (mediaType: string, bytes: AsyncIterable<Uint8Array>): Promise<Descriptor> => {
    const { digest, size } = await target.sink.pushBlob(repository, bytes, { signal });
    return { mediaType, digest, size };
  };
  const text = Buffer.from(toYaml(formatDescriptor(descriptor, descriptor.schemaVersion)));
  const file = { name: "component-descriptor.yaml", size: text.length, content: () => streamOf(text) };
  const descriptorLayer = await push(descriptorType, packFiles([file]));
  const config = await push(
    configType,
    streamOf(Buffer.from(JSON.stringify({ componentDescriptorLayer: descriptorLayer }))),
  );
  const manifest = {
    schemaVersion: 2,
    mediaType: mediaTypes.ociManifest,
    config,
    layers: [descriptorLayer, ...layersOf(descriptor, layers)],
    annotations: {
      "software.ocm.componentversion": componentText(descriptor),
      "software.ocm.creator": `landscaper ${productVersion}`,
    },
  };
  return await target.sink.pushManifest(
    repository,
    { bytes: Buffer.from(JSON.stringify(manifest)), mediaType: mediaTypes.ociManifest },
    { tag: tagOfVersion(descriptor.version), signal },
  );
}

interface Use {
  readonly kind: LocalLayer["kind"];
  readonly identity: Identity;
}

/** One layer for each content, with all elements that use it. */
function layersOf({ resources, sources }: ComponentDescriptor, layers: readonly LocalLayer[]): readonly Descriptor[] {
  const found = new Map<string, { readonly layer: LocalLayer; readonly uses: Use[] }>();
  for (const layer of layers) {
    const { kind, index, digest } = layer;
    const list: readonly Element[] = kind === "resource" ? resources : sources;
    const element = list[index];
    if (element === undefined) throw new Error(`there is no ${kind} ${index}`);
    const use = { kind, identity: uniqueIdentity(element, list) };
    const known = found.get(digest);
    if (known === undefined) found.set(digest, { layer, uses: [use] });
    else known.uses.push(use);
  }
  return [...found.values()].map(({ layer: { mediaType, digest, size }, uses }) => ({
    mediaType,
    digest,
    size,
    annotations: { "software.ocm.artifact": JSON.stringify(uses) },
  }));
}
