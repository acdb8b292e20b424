import type { RegistrySession, RepositoryReference } from "@landscaper/oci";
import type { RepositoryContext } from "@landscaper/ocm";
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

/** The folder of a common transport format; it is made where it does not exist. Throws LandscaperError for anything else. */
export async function openFolderTarget(path: string): Promise<TargetRepository> {
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
