import { stat } from "node:fs/promises";
import type { RegistrySession, RepositoryReference } from "@landscaper/oci";
import type { RepositoryContext } from "@landscaper/ocm";
import { componentError } from "../component-error.ts";
import { createArtifactRepository } from "../repository/artifact-repository.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import { BlobFolder } from "../repository/blob-folder.ts";
import type { NameMapping } from "../repository/component-names.ts";
import type { ComponentName, ComponentVersion } from "../repository/component-version.ts";
import type { RepositorySpec } from "../repository/repository-context.ts";
import { createRegistryStore } from "../repository/registry-store.ts";
import { openTransportStore } from "../repository/transport-store.ts";
import type { ArtifactSink } from "./artifact-sink.ts";
import { createRegistrySink } from "./registry-sink.ts";
import { createTransportSink } from "./transport-sink.ts";

/** Where component versions are written to. */
export interface TargetRepository {
  /** For messages, without credentials. */
  readonly text: string;
  readonly sink: ArtifactSink;
  readonly mapping: NameMapping;
  /** Without slashes at its ends; "" for none. */
  readonly subPath: string;
  /** What references to its artifacts begin with; undefined for files, whose artifacts nothing can refer to. */
  readonly registry: Pick<RepositoryReference, "host" | "scheme"> | undefined;
  /** What copies in it name as their repository; undefined for files, which may be moved. */
  readonly context: RepositoryContext | undefined;
  /** What is there now; undefined for nothing. */
  find(component: ComponentName, options: CallOptions): Promise<ComponentVersion | undefined>;
}

/** The folder of a common transport format; it is made where it does not exist. Throws LandscaperError for anything else, and for a new folder with the name of an archive. */
export async function openFolderTarget(path: string): Promise<TargetRepository> {
  await refuseArchive(path);
  const place = { mapping: "urlPath", subPath: "" } as const;
  return {
    text: path,
    sink: await createTransportSink(path),
    ...place,
    registry: undefined,
    context: undefined,
    find: async (component, options) => {
      const store = await openTransportStore(new BlobFolder(path));
      return store === undefined ? undefined : await createArtifactRepository(store, place).find(component, options);
    },
  };
}

/** Other commands take such a path for a packed archive. */
async function refuseArchive(path: string): Promise<void> {
  const [extension] = /\.(?:tar|tgz|tar\.gz)\/*$/i.exec(path) ?? [];
  if (extension === undefined) return;
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  const flags = /gz/i.test(extension) ? "-czf" : "-cf";
  const folder = `${path.slice(0, -extension.length)}.ctf`;
  throw componentError(
    "InvalidComponent",
    `${path}: expected the path of a folder, found that of an archive. Use ${folder}, and pack it: tar ${flags} ${path} -C ${folder} artifact-index.json blobs`,
  );
}

/** A registry, below a path of it where the specification has one. */
export function createRegistryTarget(
  session: RegistrySession,
  { host, scheme, subPath, mapping }: Extract<RepositorySpec, { kind: "registry" }>,
): TargetRepository {
  const registry = { host, scheme };
  const repository = createArtifactRepository(createRegistryStore(session, registry), { mapping, subPath });
  return {
    text: repository.text,
    sink: createRegistrySink(session, registry),
    mapping,
    subPath,
    registry,
    context: {
      type: "OCIRegistry",
      baseUrl: scheme === undefined ? host : `${scheme}://${host}`,
      ...(subPath === "" ? {} : { subPath }),
      componentNameMapping: mapping,
    },
    find: async (component, options) => await repository.find(component, options),
  };
}
