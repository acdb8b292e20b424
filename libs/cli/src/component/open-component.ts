import { existsSync } from "node:fs";
import { LandscaperError, productVersion } from "@landscaper/api";
import { createChartFetcher } from "@landscaper/chart-source";
import {
  createArtifactRepository,
  createComponentSource,
  createRegistryStore,
  createRegistryTarget,
  createUrlFetcher,
  openFileRepository,
  openFolderTarget,
  openLocalRepository,
  parseComponentLocation,
  parseRepositoryContext,
  placedError,
  type ArtifactStore,
  type ComponentFetcher,
  type ComponentLocation,
  type ComponentName,
  type ComponentRepository,
  type ComponentVersion,
  type FetchChart,
  type FileRepository,
  type InputTools,
  type RepositorySpec,
  type ResolveArtifact,
  type TargetRepository,
} from "@landscaper/components";
import {
  createHttpTransport,
  createRegistryClient,
  parseReference,
  type ImageReference,
  type RegistrySession,
} from "@landscaper/oci";
import { componentText, parseIdentity, schemaVersionNamed, type Identity, type SchemaVersion } from "@landscaper/ocm";
import { listOption, textOption, type CommandContext, type CommandInput } from "../command.ts";
import { readRegistryLogins } from "../helm/charts/registry-logins.ts";
import { startRegistryWait } from "../registries/registry-wait.ts";
import { trustedTokenRealms } from "../registries/token-realms.ts";
import { readTextFile } from "../read-text-file.ts";
import { InvocationError, UsageError } from "../usage-error.ts";

/** Repositories and registries of one call. */
export interface Components {
  readonly session: RegistrySession;
  /** What rendering needs, by repository contexts; files may be anywhere. */
  readonly fetcher: ComponentFetcher;
  /** Charts of Helm repositories, without credentials. */
  readonly fetchChart: FetchChart;
  /** Content of URLs that inputs name, without credentials. */
  readonly fetchUrl: InputTools["fetchUrl"];
  /** A registry with a path, or a file or folder. */
  open(repository: string): Promise<ComponentRepository & { listNames?(): Promise<readonly string[]> }>;
}

/** Runs `work` with what reads components, and closes that. */
export async function withComponents<T>(
  input: CommandInput,
  context: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  const wait = startRegistryWait(textOption(input, "registryTimeout"), context);
  const access = {
    userAgent: `landscaper/${productVersion}`,
    // Somebody waits at a terminal, and can call again.
    retries: 2,
    tokenRealms: trustedTokenRealms(listOption(input, "allowTokenRealm")),
    ca: authorityOf(input),
    limit: wait.limit,
    watch: wait.watch,
    totalTimeoutMs: wait.totalTimeoutMs,
  } as const;
  const client = createRegistryClient(access);
  const charts = createChartFetcher(access);
  const transport = createHttpTransport(access);
  const closings: (() => Promise<void>)[] = [
    async () => wait.close(),
    async () => client.close(),
    async () => charts.close(),
    async () => transport.close(),
  ];
  const credentials = readRegistryLogins(textOption(input, "registryConfig"), context);
  const session = client.session(credentials);
  const openFiles = async (path: string): Promise<FileRepository> => {
    const files = await openFileRepository(path);
    closings.push(async () => files.close());
    return files;
  };
  const registries: string[] = [];
  const open: Components["open"] = async (repository) => {
    if (!isFile(repository)) {
      registries.push(repository);
      return openRegistry(session, repository);
    }
    return await openFiles(repository);
  };
  const source = createComponentSource({
    registries: client,
    charts,
    files: async ({ kind, filePath }) =>
      kind === "local" ? await openLocalRepository(filePath, filePath) : await openFiles(filePath),
  });
  const fetcher = source.forJob({ credentials, resolvers: [] });
  const fetchChart: FetchChart = async (chart, { signal }) =>
    await charts.fetchFromRepository(chart, { registries: credentials, repositories: [], signal });
  try {
    return await work({ session, fetcher, fetchChart, fetchUrl: createUrlFetcher(transport), open });
  } catch (error) {
    throw explainRegistry(error, registries);
  } finally {
    for (const close of closings.toReversed()) await close();
  }
}

export function isFile(repository: string): boolean {
  return /^[./]/.test(repository) || existsSync(repository);
}

/** Adds a hint to the error of an unreachable registry if its name may be meant as a folder. */
export function explainRegistry(error: unknown, registries: readonly string[]): unknown {
  if (!(error instanceof LandscaperError) || error.reason !== "RegistryUnreachable") return error;
  if (error.host === undefined) return error;
  const found = registries.find((name) => !name.includes("://") && hostOf(name) === error.host);
  if (found === undefined) return error;
  const hint = `No folder or file ${found} exists, so it was taken for a registry. Correct the path if you mean a folder.`;
  return placedError(error, "", { hint });
}

/** Returns the host in the form of `LandscaperError.host`: without the default port. */
function hostOf(repository: string): string | undefined {
  return URL.parse(`https://${registrySpec(repository).host}`)?.host;
}

function openRegistry(session: RegistrySession, repository: string): ComponentRepository {
  const spec = registrySpec(repository);
  return createArtifactRepository(createRegistryStore(session, spec), spec);
}

/** A registry with a path. Throws UsageError. */
export function registrySpec(repository: string): Extract<RepositorySpec, { kind: "registry" }> {
  const spec = parseRepositoryContext({ type: "OCIRegistry", baseUrl: repository }, repository);
  if (spec.kind === "registry") return spec;
  throw new UsageError(`${repository}: expected a registry`);
}

/** A path that begins like one, exists or has the extension of an archive, and what cannot be the host of a registry. */
export function isFolder(repository: string): boolean {
  if (isFile(repository) || /^[^/:]+\.(?:ctf|tar|tgz|tar\.gz)$/i.test(repository)) return true;
  return !/^(?:[a-z]+:\/\/|localhost(?:\/|$)|[^/]*[.:])/.test(repository);
}

/** Where component versions are written to: a registry, or the folder of a common transport format, which need not exist. */
export async function openTarget({ session }: Components, repository: string): Promise<TargetRepository> {
  return isFolder(repository)
    ? await openFolderTarget(repository)
    : createRegistryTarget(session, registrySpec(repository));
}

/** The registries that references lead to. */
export interface Registries {
  readonly openRegistry: (reference: ImageReference) => ArtifactStore;
  readonly resolveArtifact: ResolveArtifact;
}

/** A registry that is the host of one of the repositories is spoken to in the same way: with TLS or without. */
export function registriesOf({ session }: Components, repositories: readonly string[]): Registries {
  const known = repositories.filter((repository) => !isFolder(repository)).map(registrySpec);
  const withScheme = (reference: ImageReference): ImageReference => {
    const scheme = reference.scheme ?? known.find(({ host }) => host === reference.host)?.scheme;
    return { ...reference, scheme };
  };
  return {
    openRegistry: (reference) => createRegistryStore(session, withScheme(reference)),
    resolveArtifact: async (reference, options) =>
      (await session.resolve(withScheme(parseReference(reference)), options)).digest,
  };
}

function authorityOf(input: CommandInput): string | undefined {
  return fileOption(input, "caFile", "--ca-file");
}

/** The argument of the command. */
export function locationOf(input: CommandInput): ComponentLocation {
  if (input.argument === undefined) throw new InvocationError("expected REPOSITORY//COMPONENT:VERSION");
  return parseComponentLocation(input.argument);
}

/** The component version of the argument; without a version the only one that there is. */
export async function findComponent(
  components: Components,
  location: ComponentLocation,
  context: CommandContext,
): Promise<{ readonly repository: ComponentRepository; readonly found: ComponentVersion }> {
  const repository = await components.open(location.repository);
  const component = await selectVersion(repository, location, context);
  const found = await repository.find(component, { signal: context.signal });
  if (found !== undefined) return { repository, found };
  throw new UsageError(`${location.repository}: there is no component ${componentText(component)}`);
}

/** Name and version of the argument; without a version that of the only one that there is. */
export async function selectVersion(
  repository: ComponentRepository,
  { repository: place, name, version }: ComponentLocation,
  { signal }: CommandContext,
): Promise<ComponentName> {
  const versions = version === undefined ? await repository.listVersions(name, { signal }) : [version];
  const [only, second] = versions;
  if (only === undefined) throw new UsageError(`${place}: there is no component ${name}`);
  if (second !== undefined) throw new UsageError(`${name}: expected a version, one of ${versions.join(", ")}`);
  return { name, version: only };
}

/** The schema that `--schema` names; undefined when it was not given. */
export function schemaOption(input: CommandInput): SchemaVersion | undefined {
  const name = textOption(input, "schema");
  const schema = name === undefined ? undefined : schemaVersionNamed(name);
  if (name === undefined || schema !== undefined) return schema;
  throw new InvocationError(`--schema: expected v2 or v3alpha1, found "${name}"`);
}

/** The value of an option that has to be given. */
export function requiredOption(input: CommandInput, name: string, message: string): string {
  const value = textOption(input, name);
  if (value === undefined) throw new InvocationError(message);
  return value;
}

/** The text of the file that an option names. */
export function fileOption(input: CommandInput, name: string, flag: string): string | undefined {
  const file = textOption(input, name);
  return file === undefined ? undefined : readTextFile(file, flag);
}

/** Reads `NAME[,key=value...]`, the value of `--resource`. Throws InvocationError. */
export function parseSelector(text: string): Identity {
  const identity = parseIdentity(text);
  if (identity !== undefined) return identity;
  throw new InvocationError(`--resource: expected NAME[,key=value], found "${text}"`);
}
