import { LandscaperError } from "@landscaper/api";
import type { ChartFetcher, FetchContext } from "@landscaper/chart-source";
import type { ContentCache, CredentialEntry, RegistryClient, RegistrySession } from "@landscaper/oci";
import type { RepositoryContext } from "@landscaper/ocm";
import { componentError, placedError } from "../component-error.ts";
import { movedError } from "../pins/pin-closure.ts";
import { createArtifactRepository } from "../repository/artifact-repository.ts";
import type { CallOptions } from "../repository/artifact-store.ts";
import type { ComponentName, ComponentRepository, StoredComponent } from "../repository/component-version.ts";
import { createRegistryStore } from "../repository/registry-store.ts";
import { parseRepositoryContext } from "../repository/repository-context.ts";
import { describeRequest, type ComponentRequest, type DescriptorRequest } from "../supply/component-request.ts";
import type { Supply } from "../supply/supplies.ts";
import type { FetchChart } from "./fetch-chart.ts";
import { fetchContent } from "./fetch-content.ts";
import { fetchDigest } from "./fetch-digest.ts";
import { createHashBudget } from "./hash-budget.ts";
import { createHashMemory, type HashMemory } from "./hash-memory.ts";
import { repositoriesFor, type Resolver } from "./resolver.ts";

export interface ComponentSourceOptions {
  readonly registries: RegistryClient;
  /** Descriptors and content of a known digest. Default: none. */
  readonly cache?: ContentCache | undefined;
  /** Archives of blueprints. Default: none. */
  readonly blueprints?: ContentCache | undefined;
  /** Fetches charts of Helm repositories. Default: they are not read. */
  readonly charts?: Pick<ChartFetcher, "fetchFromRepository"> | undefined;
  /** Opens repositories in files. Default: they are refused. */
  readonly files?: OpenFiles | undefined;
}

/** A repository in files, by its context. Throws LandscaperError. */
export type OpenFiles = (
  spec: { readonly kind: "file" | "local"; readonly filePath: string },
  where: string,
) => Promise<ComponentRepository>;

/** What one job may see. */
export interface ComponentRights {
  readonly credentials: readonly CredentialEntry[];
  readonly resolvers: readonly Resolver[];
  /** Credentials for Helm repositories, read when a chart is fetched from one. Default: none. */
  readonly readRepositories?: ((options: CallOptions) => Promise<FetchContext["repositories"]>) | undefined;
  /** Finds charts in index files. Default: in this thread. */
  readonly findInIndex?: FetchContext["findInIndex"];
}

/** Fetches what one job asks for; what a tag named first is what it names for the whole job. */
export interface ComponentFetcher {
  /** Throws LandscaperError that names component, resource and host, never a credential. */
  fetch(request: ComponentRequest, options: CallOptions): Promise<Supply>;
}

/** Digests of the manifests that a job has seen, for all its fetchers. */
export type SeenManifests = Map<string, string>;

/** Where all jobs of a process have components from. */
export interface ComponentSource {
  /** A job that goes on with a new fetcher gives what the one before has seen: tags that have moved since then are errors. */
  forJob(rights: ComponentRights, seen?: SeenManifests): ComponentFetcher;
}

/** Component versions of registries and files (docs/reference/components.md#repositories). */
export function createComponentSource(options: ComponentSourceOptions): ComponentSource {
  const memory = createHashMemory();
  return { forJob: (rights, seen = new Map()) => new JobFetcher({ ...options, memory }, rights, seen) };
}

interface Opened {
  readonly stored: StoredComponent;
  readonly context: RepositoryContext;
}

class JobFetcher implements ComponentFetcher {
  readonly #options: ComponentSourceOptions & { readonly memory: HashMemory };
  readonly #rights: ComponentRights;
  readonly #seen: SeenManifests;
  readonly #session: RegistrySession;
  readonly #budget = createHashBudget();
  readonly #fetchChart: FetchChart | undefined;
  readonly #opened = new Map<string, Promise<Opened>>();

  constructor(
    options: ComponentSourceOptions & { readonly memory: HashMemory },
    rights: ComponentRights,
    seen: SeenManifests,
  ) {
    this.#options = options;
    this.#rights = rights;
    this.#seen = seen;
    this.#session = options.registries.session(rights.credentials);
    const { charts } = options;
    const { credentials: registries, readRepositories, findInIndex } = rights;
    if (charts === undefined) return;
    this.#fetchChart = async (chart, { signal }) => {
      const repositories = (await readRepositories?.({ signal })) ?? [];
      return await charts.fetchFromRepository(chart, { registries, repositories, findInIndex, signal });
    };
  }

  async fetch(request: ComponentRequest, options: CallOptions): Promise<Supply> {
    try {
      if (request.type === "descriptor") return await this.#fetchDescriptor(request, options);
      const { blueprints, cache, memory } = this.#options;
      const { component, context } = request;
      const content = {
        ...options,
        session: this.#session,
        fetchChart: this.#fetchChart,
        repository: context === undefined ? undefined : parseRepositoryContext(context, "repositoryContext"),
        open: async () => (await this.#open(component, context, options)).stored,
      };
      if (request.type === "digest")
        return await fetchDigest(request, { ...content, cache, budget: this.#budget, memory });
      return await fetchContent(request, { ...content, cache: request.use === "blueprint" ? blueprints : cache });
    } catch (error) {
      throw atRequest(error, request);
    }
  }

  async #fetchDescriptor({ component, context }: DescriptorRequest, options: CallOptions): Promise<Supply> {
    const opened = await this.#open(component, context, options);
    const text = await opened.stored.readText(options);
    const { place, where } = opened.stored;
    return { ...text, mediaType: "", where: place ?? where, context: opened.context };
  }

  /** What failed is tried again by the next one that asks. */
  async #open(component: ComponentName, context: RepositoryContext | undefined, options: CallOptions): Promise<Opened> {
    const key = JSON.stringify([component.name, component.version, context ?? null]);
    const known = this.#opened.get(key);
    if (known !== undefined) return await known;
    const opening = this.#search(component, context, options).then((opened) => this.#checkSeen(key, opened));
    this.#opened.set(key, opening);
    try {
      return await opening;
    } catch (error) {
      this.#opened.delete(key);
      throw error;
    }
  }

  #checkSeen(key: string, opened: Opened): Opened {
    const { where, manifest } = opened.stored;
    const first = this.#seen.get(key);
    if (manifest === undefined) return opened;
    if (first !== undefined && first !== manifest) throw movedError(where, { first, found: manifest });
    this.#seen.set(key, manifest);
    return opened;
  }

  async #search(
    component: ComponentName,
    context: RepositoryContext | undefined,
    options: CallOptions,
  ): Promise<Opened> {
    const resolved = repositoriesFor(component.name, this.#rights.resolvers);
    const contexts = context === undefined ? resolved : [context, ...resolved];
    if (contexts.length === 0) {
      throw componentError(
        "RepositoryContextMissing",
        "no repository is known for it: neither the Installation nor its Context has a repositoryContext, and no resolver of the OCM configuration fits",
      );
    }
    const searched: string[] = [];
    for (const each of contexts) {
      const repository = await this.#repositoryOf(each);
      const stored = await repository.open(component, options);
      if (stored !== undefined) return { stored, context: each };
      searched.push(repository.text);
    }
    throw componentError("ComponentNotFound", `there is no such component version in ${searched.join(", ")}`);
  }

  async #repositoryOf(context: RepositoryContext): Promise<ComponentRepository> {
    const where = "repositoryContext";
    const spec = parseRepositoryContext(context, where);
    switch (spec.kind) {
      case "registry": {
        const store = createRegistryStore(this.#session, spec, { cache: this.#options.cache });
        return createArtifactRepository(store, spec);
      }
      case "inline":
        throw componentError("InvalidComponent", `${where}: type: inline repositories cannot be searched here`);
      case "file":
      case "local":
        if (this.#options.files !== undefined) return await this.#options.files(spec, where);
        throw componentError(
          "InvalidComponent",
          `${where}: type: repositories in files are not allowed, because no folder is configured for them (registry.local.rootPath)`,
        );
    }
  }
}

/** What a registry does not have, or has otherwise than its digest says, is so again; a registry that is away may be back. */
const finalReasons: ReadonlySet<string> = new Set(["RegistryNotFound", "DigestMismatch", "InvalidRegistryAnswer"]);

/** The error with component and resource in front, unless it names them already. */
function atRequest(error: unknown, request: ComponentRequest): unknown {
  const isFinal = error instanceof LandscaperError && finalReasons.has(error.reason);
  const isMissing = error instanceof LandscaperError && error.reason === "ComponentNotFound";
  const from = request.type === "descriptor" && isMissing ? request.from : undefined;
  return placedError(error, describeRequest(request), {
    ...(isFinal ? { codes: ["ERR_CONFIGURATION_PROBLEM"] as const, retry: "never" as const } : {}),
    ...(from === undefined ? {} : { hint: `it is wanted by ${from}` }),
  });
}
