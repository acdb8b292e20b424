import { mkdir, readFile, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { kubeResources, LandscaperError } from "@landscaper/api";
import { createComponentSource, writeWholeFile } from "@landscaper/components";
import type { Client, ProgramSurroundings } from "@landscaper/controller-runtime";
import { createServiceEgress } from "@landscaper/egress";
import { createRegistryClient, type RegistryClient } from "@landscaper/oci";
import { readVariable, type ProcessEnvironment } from "../contract/environment.ts";
import { parseJobFile, type JobFile } from "../contract/job-file.ts";
import { containerPaths, type ContainerPaths } from "../contract/paths.ts";
import { contentKey } from "../contract/state-index.ts";
import { joinChunks } from "../state/join-chunks.ts";
import { restoreState } from "../state/restore-state.ts";
import { maxStateEntries } from "../state/state-limits.ts";
import { readComponentFiles } from "./component-files.ts";
import { readConfiguration, readRegistryInputs, readUnlessMissing, type RegistryInputs } from "./read-job-inputs.ts";

export interface InitOptions extends ProgramSurroundings {
  /** Of the host cluster, with the rights of `initRules`. */
  readonly client: Client;
  readonly paths?: ContainerPaths | undefined;
}

/**
 * Prepares the files of a program: imports, target, component descriptors, blueprint, and the state of the run before (docs/reference/container-deployer.md#init). It may be run again. Throws
 * LandscaperError, ApiError and ConnectionError.
 */
export async function runInit(options: InitOptions): Promise<void> {
  try {
    await prepareFiles(options);
  } catch (error) {
    throw options.signal.aborted ? interrupted() : error;
  }
}

async function prepareFiles({ env, log, client, signal, paths = containerPaths() }: InitOptions): Promise<void> {
  const job = parseJobFile(await readFile(paths.job, "utf8"), "job.json");
  const configuration = await readConfiguration(readVariable(env, "CONFIGURATION_PATH"));
  const files = readFileVariables(env);
  await mkdir(dirname(files.exports), { recursive: true });
  if (configuration.importValues !== undefined) await write(files.imports, JSON.stringify(configuration.importValues));
  await write(files.target, (await readUnlessMissing(paths.targetSource)) ?? "null");
  await writeComponentFiles(files, { configuration, job, paths, log, signal, env, server: client.server });
  await mkdir(files.state, { recursive: true });
  const { restore } = job.state;
  if (restore === undefined) return;
  const archive = joinChunks(restore, async (name) => {
    const secret = await client.find(
      kubeResources.secret,
      { namespace: readVariable(env, "POD_NAMESPACE"), name },
      { signal },
    );
    const content = secret?.data?.[contentKey];
    return content === undefined ? undefined : Buffer.from(content, "base64");
  });
  // What was kept within the limit of its time is restored, although the limit may be lower now.
  const bytes = restore.bytes ?? job.limits.stateBytes;
  await restoreState(archive, { folder: files.state, limits: { bytes, entries: maxStateEntries } });
  log(`the state of the run before has been restored from ${restore.chunks.length} Secrets`);
}

interface FileVariables {
  readonly imports: string;
  readonly exports: string;
  readonly target: string;
  readonly descriptors: string;
  readonly content: string;
  readonly state: string;
}

function readFileVariables(env: ProcessEnvironment): FileVariables {
  return {
    imports: readVariable(env, "IMPORTS_PATH"),
    exports: readVariable(env, "EXPORTS_PATH"),
    target: readVariable(env, "TARGET_PATH"),
    descriptors: readVariable(env, "COMPONENT_DESCRIPTOR_PATH"),
    content: readVariable(env, "CONTENT_PATH"),
    state: readVariable(env, "STATE_PATH"),
  };
}

interface ComponentWork extends Pick<ProgramSurroundings, "log" | "signal" | "env"> {
  readonly configuration: Awaited<ReturnType<typeof readConfiguration>>;
  readonly job: JobFile;
  readonly paths: ContainerPaths;
  /** Of the host cluster. */
  readonly server: string;
}

async function writeComponentFiles({ descriptors, content }: FileVariables, work: ComponentWork): Promise<void> {
  const { configuration, log, signal } = work;
  // Of a run of init before.
  await rm(content, { recursive: true, force: true });
  await mkdir(content, { recursive: true });
  const inputs = await readRegistryInputs(work.paths);
  for (const warning of inputs.warnings) log(warning);
  const { credentials, resolvers } = inputs;
  const registries = openRegistries(work, inputs);
  try {
    const fetcher = createComponentSource({ registries }).forJob({ credentials, resolvers });
    const hasResolvers = resolvers.length > 0;
    const found = await readComponentFiles(configuration, { fetcher, hasResolvers, signal });
    if (found.descriptors !== undefined) {
      await write(descriptors, found.descriptors.text);
      log(`${found.descriptors.count} component descriptors have been written`);
    }
    for await (const [path, bytes] of found.content ?? []) await write(join(content, path), bytes);
  } finally {
    await registries.close();
  }
}

function openRegistries(
  { job, env, server }: ComponentWork,
  { certificates, proxies }: Pick<RegistryInputs, "certificates" | "proxies">,
): RegistryClient {
  return createRegistryClient({
    userAgent: "container-deployer-init",
    ...job.oci,
    certificates,
    environment: { ...env, ...proxies },
    egress: createServiceEgress(job.egress, { servers: [server], env }),
    tokenRealms: job.egress.tokenRealms,
  });
}

/** What was there under the name is replaced, also when it is a link. */
async function write(file: string, content: string | Uint8Array): Promise<void> {
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  await writeWholeFile({ folder, content: [Buffer.from(content)], nameOf: () => basename(file) });
}

function interrupted(): LandscaperError {
  return new LandscaperError({
    reason: "JobInterrupted",
    message: "the Pod was stopped while the files of the program were prepared",
    retry: "never",
  });
}
