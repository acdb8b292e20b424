import {
  createRegistryStore,
  createRegistryTarget,
  isSameComponent,
  openFileRepository,
  parseRepositoryContext,
  transferComponents,
  type ComponentVersion,
  type FileRepository,
  type TargetRepository,
} from "@landscaper/components";
import { componentText } from "@landscaper/ocm";
import {
  publishedDigest,
  pushArtifact,
  referenceOf,
  type ReleaseArtifact,
  type ReleaseRegistry,
} from "./release-artifact.ts";

/** What a release publishes. */
export interface ReleaseContent {
  /** HOST/PREFIX */
  readonly registry: string;
  readonly version: string;
  /** In the order in which they are pushed: images, then charts, which refer to them. */
  readonly artifacts: readonly ReleaseArtifact[];
  /** Common transport format with the components, which refer to both. */
  readonly ctf: string;
  /** Names of the components. */
  readonly components: readonly string[];
}

/** Whether the registry has the same content already. */
type Presence = "absent" | "present";

/** A part of a release that is compared with the registry, and pushed. */
interface Part {
  readonly text: string;
  readonly presence: Presence;
  readonly push: () => Promise<unknown>;
}

/**
 * Compares the content with the registry, and gives what pushes the rest of it in order. Throws an error that names each part of which the registry has
 * another content under this version: nothing has been pushed then.
 */
export async function openRelease(
  content: ReleaseContent,
  registry: ReleaseRegistry,
): Promise<{ publish(announce: (line: string) => void): Promise<void> }> {
  const conflicts: string[] = [];
  const parts: Part[] = [];
  for (const artifact of content.artifacts) {
    const digest = await publishedDigest(artifact, registry);
    if (digest !== undefined && digest !== artifact.manifest.digest) {
      conflicts.push(`${artifact.repository}:${artifact.tag}: expected ${artifact.manifest.digest}, found ${digest}`);
    }
    const presence = digest === undefined ? "absent" : "present";
    parts.push({ text: referenceOf(artifact), presence, push: async () => await pushArtifact(artifact, registry) });
  }
  const { files, parts: components } = await openComponents(content, registry, conflicts);
  if (conflicts.length > 0) {
    await files.close();
    throw new Error(
      `${content.registry} has another content of version ${content.version}, and a version never changes; release a new one:\n${conflicts.join("\n")}`,
    );
  }
  return {
    publish: async (announce) => {
      try {
        for (const { text, presence, push } of [...parts, ...components]) {
          if (presence === "absent") await push();
          announce(`${presence === "absent" ? "pushed" : "there already"}: ${text}`);
        }
      } finally {
        await files.close();
      }
    },
  };
}

async function openComponents(
  { ctf, components, version, registry: place }: ReleaseContent,
  registry: ReleaseRegistry,
  conflicts: string[],
): Promise<{ readonly files: FileRepository; readonly parts: readonly Part[] }> {
  const { session, plainHttp, signal } = registry;
  const baseUrl = `${plainHttp ? "http" : "https"}://${place}`;
  const spec = parseRepositoryContext({ type: "OCIRegistry", baseUrl }, place);
  if (spec.kind !== "registry") throw new Error(`${place}: expected a registry`);
  const target = createRegistryTarget(session, spec);
  const files = await openFileRepository(ctf);
  const parts: Part[] = [];
  for (const name of components) {
    const own = await files.find({ name, version }, { signal });
    if (own === undefined) throw new Error(`${ctf}: expected the component ${name}:${version}`);
    const present = await target.find({ name, version }, { signal });
    const text = `component ${componentText(own.descriptor)}`;
    if (present !== undefined && !isSameComponent(present.descriptor, own.descriptor)) {
      conflicts.push(`${text}: expected the descriptor that was built now, found another one`);
    }
    const push = async (): Promise<unknown> => await transfer(own, { files, target, registry });
    parts.push({ text, presence: present === undefined ? "absent" : "present", push });
  }
  return { files, parts };
}

interface TransferWay {
  readonly files: FileRepository;
  readonly target: TargetRepository;
  readonly registry: ReleaseRegistry;
}

async function transfer(own: ComponentVersion, { files, target, registry }: TransferWay): Promise<void> {
  const { session, signal } = registry;
  await transferComponents(
    own,
    { from: files, to: target },
    {
      recursive: false,
      overwrite: false,
      copyResources: false,
      openRegistry: (reference) => createRegistryStore(session, reference),
      signal,
    },
  );
}
