import { existsSync, readFileSync } from "node:fs";
import { productVersion } from "@landscaper/api";
import {
  createArtifactRepository,
  createComponentSource,
  createRegistryStore,
  openFileRepository,
  openLocalRepository,
  parseComponentLocation,
  parseRepositoryContext,
  type ComponentFetcher,
  type ComponentLocation,
  type ComponentRepository,
  type ComponentVersion,
  type FileRepository,
} from "@landscaper/components";
import { createRegistryClient, type RegistrySession } from "@landscaper/oci";
import { textOption, type CommandContext, type CommandInput } from "../command.ts";
import { readRegistryLogins } from "../helm/registry-logins.ts";
import { InvocationError, UsageError } from "../usage-error.ts";

/** Repositories and registries of one call. */
export interface Components {
  readonly session: RegistrySession;
  /** What rendering needs, by repository contexts; files may be anywhere. */
  readonly fetcher: ComponentFetcher;
  /** A registry with a path, or a file or folder. */
  open(repository: string): Promise<ComponentRepository & { listNames?(): Promise<readonly string[]> }>;
}

/** Runs `work` with what reads components, and closes that. */
export async function withComponents<T>(
  input: CommandInput,
  context: CommandContext,
  work: (components: Components) => Promise<T>,
): Promise<T> {
  const client = createRegistryClient({
    userAgent: `landscaper/${productVersion}`,
    // The user's own machine and credentials.
    tokenRealms: "any",
    ca: authorityOf(input),
  });
  const closings: (() => Promise<void>)[] = [async () => client.close()];
  const credentials = readRegistryLogins(textOption(input, "registryConfig"), context);
  const session = client.session(credentials);
  const openFiles = async (path: string): Promise<FileRepository> => {
    const files = await openFileRepository(path);
    closings.push(async () => files.close());
    return files;
  };
  const open: Components["open"] = async (repository) => {
    if (!isFile(repository)) return openRegistry(session, repository);
    return await openFiles(repository);
  };
  const source = createComponentSource({
    registries: client,
    files: async ({ kind, filePath }) =>
      kind === "local" ? await openLocalRepository(filePath, filePath) : await openFiles(filePath),
  });
  const fetcher = source.forJob({ credentials, resolvers: [] });
  try {
    return await work({ session, fetcher, open });
  } finally {
    for (const close of closings.toReversed()) await close();
  }
}

export function isFile(repository: string): boolean {
  return /^[./]/.test(repository) || existsSync(repository);
}

function openRegistry(session: RegistrySession, repository: string): ComponentRepository {
  const spec = parseRepositoryContext({ type: "OCIRegistry", baseUrl: repository }, repository);
  if (spec.kind !== "registry") throw new UsageError(`${repository}: expected a registry`);
  return createArtifactRepository(createRegistryStore(session, spec), spec);
}

function authorityOf(input: CommandInput): string | undefined {
  const file = textOption(input, "caFile");
  return file === undefined ? undefined : readTextFile(file, "--ca-file");
}

/** Throws InvocationError that names the flag. */
export function readTextFile(file: string, flag: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new InvocationError(`${flag}: ${file} cannot be read`, { cause: error });
  }
}

/** The argument of the command. */
export function locationOf(input: CommandInput): ComponentLocation {
  if (input.argument === undefined) throw new InvocationError("expected REPOSITORY//COMPONENT:VERSION");
  return parseComponentLocation(input.argument);
}

/** The component version of the argument; without a version the only one that there is. */
export async function findComponent(
  components: Components,
  { repository: place, name, version }: ComponentLocation,
  { signal }: CommandContext,
): Promise<{ readonly repository: ComponentRepository; readonly found: ComponentVersion }> {
  const repository = await components.open(place);
  const versions = version === undefined ? await repository.listVersions(name, { signal }) : [version];
  const [only, second] = versions;
  if (only === undefined) throw new UsageError(`${place}: there is no component ${name}`);
  if (second !== undefined) throw new UsageError(`${name}: expected a version, one of ${versions.join(", ")}`);
  const found = await repository.find({ name, version: only }, { signal });
  if (found === undefined) throw new UsageError(`${place}: there is no component ${name}:${only}`);
  return { repository, found };
}
