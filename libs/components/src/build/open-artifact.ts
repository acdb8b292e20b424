import { formatReference, parseImageManifest, parseReference, readBounded } from "@landscaper/oci";
import type { DockerInput, DockermultiInput, OciArtifactInput } from "@landscaper/ocm";
import { transportLimits } from "../archive/archive-limits.ts";
import { packedTypeOf } from "../archive/pack-artifact.ts";
import { componentError, withPlace } from "../component-error.ts";
import { packParts, readParts, type ArtifactParts } from "../transfer/artifact-parts.ts";
import { sourceInStore, type ArtifactSource } from "../transfer/artifact-source.ts";
import { tagOf, warnedArtifactName } from "./artifact-name.ts";
import {
  composeIndex,
  entriesOf,
  isIndex,
  platformOfConfig,
  selectPlatforms,
  type IndexEntry,
} from "./index-manifest.ts";
import type { InputContent, OpenInputOptions } from "./input-tools.ts";
import { openLayout, type Layout } from "./open-layout.ts";

interface NamedArtifact {
  readonly parts: ArtifactParts;
  readonly source: ArtifactSource;
  readonly tag: string;
  /** Name of the repository, unless the input gives one. */
  readonly fallback: string;
  readonly close?: () => Promise<void>;
}

/** An artifact of a registry, packed with its blobs; of an index only the wanted platforms. Throws LandscaperError. */
export async function openOciArtifact(input: OciArtifactInput, options: OpenInputOptions): Promise<InputContent> {
  const { where, tools, signal, component, element, warn } = options;
  const reference = await withPlace(`${where}: path`, async () => parseReference(input.path));
  const { repository, tag, digest } = reference;
  return await withPlace(where, async () => {
    const registry = tools.openRegistry(reference);
    const main = await registry.findManifest(repository, digest ?? tag ?? "latest", { signal });
    if (main === undefined) {
      throw componentError(
        "InvalidComponent",
        `${where}: path: the registry has no artifact ${formatReference(reference)}. Correct path, or push the artifact.`,
      );
    }
    const { platforms } = input;
    if (platforms !== undefined && !isIndex(main)) {
      warn(`${where}: platforms: has no effect: ${formatReference(reference)} is a single image`);
    }
    const selected = platforms === undefined || !isIndex(main) ? main : selectPlatforms(main, platforms, where);
    const source = sourceInStore(registry, repository, { where, signal });
    const parts = await readParts(selected, source);
    const named = { parts, source, tag: tag ?? tagOf(component.version), fallback: element };
    return contentOf(named, input.repository, options);
  });
}

/** An image of an OCI layout or archive. Throws LandscaperError that says how to make one. */
export async function openDocker(input: DockerInput, options: OpenInputOptions): Promise<InputContent> {
  const layout = await openLayout(input.path, { ...options, field: "path" });
  try {
    const parts = await readParts(layout.main, layout.source);
    return contentOf({ ...layout, parts }, input.repository, options);
  } catch (error) {
    await layout.close();
    throw error;
  }
}

/** An index of the images of several OCI layouts or archives. Throws LandscaperError. */
export async function openDockermulti(input: DockermultiInput, options: OpenInputOptions): Promise<InputContent> {
  const layouts: Layout[] = [];
  const close = async (): Promise<void> => {
    for (const layout of layouts) await layout.close();
  };
  try {
    for (const [at, variant] of input.variants.entries()) {
      layouts.push(await openLayout(variant, { ...options, field: `variants[${at}]` }));
    }
    const entries: IndexEntry[] = [];
    for (const layout of layouts) entries.push(...(await entriesOfLayout(layout)));
    const main = composeIndex(entries);
    const source = joinSources(layouts, options.where);
    const [first] = layouts;
    const fallback = first?.fallback ?? options.component.name;
    const named = {
      parts: await readParts(main, source),
      source,
      tag: tagOf(options.component.version),
      fallback,
      close,
    };
    return contentOf(named, input.repository, options);
  } catch (error) {
    await close();
    throw error;
  }
}

function contentOf(
  { parts, source, tag, fallback, close }: NamedArtifact,
  repository: string | undefined,
  options: OpenInputOptions,
): InputContent {
  const { component, where } = options;
  const { main } = parts;
  checkSize(parts, where);
  const referenceName = warnedArtifactName({ componentName: component.name, repository, fallback, tag }, options);
  return {
    mediaType: packedTypeOf(main.mediaType),
    stream: packParts(parts, source, referenceName.slice(referenceName.lastIndexOf(":") + 1)),
    artifact: { digest: main.digest, referenceName },
    close,
  };
}

/** Fails if the packed artifact would exceed the read limits. Throws LandscaperError. */
function checkSize({ blobs }: ArtifactParts, where: string): void {
  const { fileBytes, totalBytes } = transportLimits;
  const largest = Math.max(...blobs.map(({ size }) => size));
  const total = blobs.reduce((sum, { size }) => sum + size, 0);
  if (largest <= fileBytes && total <= totalBytes) return;
  throw componentError(
    "InvalidComponent",
    `${where}: the artifact has ${total} bytes, and its largest blob ${largest}: expected at most ${totalBytes} and ${fileBytes}. ` +
      "Use an access of type ociArtifact, which leaves it in its registry",
  );
}

const maxConfigBytes = 4 * 1024 * 1024;

/** With the platform that the image's configuration names. */
async function entriesOfLayout({ main, source }: Layout): Promise<readonly IndexEntry[]> {
  if (isIndex(main)) return entriesOf(main, source.where);
  const { mediaType, digest, size } = main;
  const { config } = parseImageManifest(main, source.where);
  const bytes = await readBounded(source.stream(config), { limit: maxConfigBytes, place: source.where });
  return [{ mediaType, digest, size, platform: platformOfConfig(bytes, `${source.where}: config`) }];
}

/** Source that searches all layouts. */
function joinSources(layouts: readonly Layout[], where: string): ArtifactSource {
  const holderOf = async (digest: string): Promise<ArtifactSource | undefined> => {
    for (const layout of layouts) if (await layout.has(digest)) return layout.source;
    return undefined;
  };
  return {
    where,
    findManifest: async (digest) => await (await holderOf(digest))?.findManifest(digest),
    stream: async function* (blob) {
      const source = await holderOf(blob.digest);
      if (source !== undefined) yield* source.stream(blob);
      else
        throw componentError(
          "InvalidComponent",
          `${where}: expected content with the digest ${blob.digest}, found none`,
        );
    },
  };
}
