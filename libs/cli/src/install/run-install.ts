import { defaultContextName, LandscaperError, resources, type Context, type Installation } from "@landscaper/api";
import { connectionFromKubeconfig } from "@landscaper/controller-runtime";
import { stringify } from "yaml";
import { withCluster, type ClusterAccess } from "../cluster-command.ts";
import type { CommandContext, CommandRun } from "../command.ts";
import { withComponents, type Components } from "../component/open-component.ts";
import { copyComponent } from "../component/run-transfer.ts";
import { waitForJob } from "../operate/operation-command.ts";
import { escapeYaml } from "../output/escape-yaml.ts";
import { maskDerived } from "../render/mask-derived.ts";
import { readTextFile } from "../read-text-file.ts";
import { UsageError } from "../usage-error.ts";
import type { GivenText } from "./import-values.ts";
import { parseInstallRequest, type InstallRequest, type NamedWord } from "./install-request.ts";
import { locateComponent, readSource, type InstallSource } from "./install-source.ts";
import { planObjects, type InstallPlan } from "./plan-objects.ts";
import { checkObjects, pruneObjects, writeObjects, type WriteOptions } from "./write-objects.ts";

/** `landscaper install`: reads and checks everything, writes the objects of the Installation, and follows its job. */
export const runInstall: CommandRun = async (input, context) => {
  const request = parseInstallRequest(input);
  const imports = request.imports.map(readValue);
  const targets = request.targets.map(readKubeconfig);
  await withCluster(input, context, async (access) => {
    const job = await beforeStart(context, async () =>
      withComponents(input, context, async (components) => {
        const given = { namespace: access.namespace, imports, targets, exports: request.exports };
        const source = await readSource(components, { request, given, context });
        return await start(source, { request, context, components, access });
      }),
    );
    if (job !== undefined) await follow(job, { request, context, access });
  });
};

interface Run {
  readonly request: InstallRequest;
  readonly context: CommandContext;
  readonly access: ClusterAccess;
}

/** A job that was started. */
interface StartedJob {
  readonly installation: Installation;
  readonly plan: InstallPlan;
}

/** Writes everything; undefined for a dry run. */
async function start(
  source: InstallSource,
  { components, ...run }: Run & { readonly components: Components },
): Promise<StartedJob | undefined> {
  const { request, context, access } = run;
  const plan = planObjects(source, access.namespace, await readContexts(source, run));
  checkSize(plan.installation, source);
  const options = writeOptionsOf(run);
  await checkObjects(plan, options);
  for (const { message } of source.blueprint.warnings) context.writeError(`warning: ${message}\n`);
  if (request.isDryRun) {
    for (const object of [...plan.before.map((planned) => planned.object), plan.installation]) {
      const text = stringify(maskDerived({ value: object, other: object }), { aliasDuplicateObjects: false });
      context.write(`---\n${escapeYaml(text)}`);
    }
    return undefined;
  }
  context.write(`${source.text}\n`);
  if (request.push !== undefined) await push(components, request.push, run);
  const installation = await writeObjects(plan, options);
  context.write(`installation/${source.name} triggered\n`);
  return { installation, plan };
}

async function follow({ installation, plan }: StartedJob, run: Run): Promise<void> {
  const { context, access, request } = run;
  const { name = "", uid = "" } = installation.metadata;
  const job = { uid, which: "new", jobID: installation.status?.jobID } as const;
  const reference = { kind: "Installation", name } as const;
  const done = `installation/${name} succeeded`;
  await waitForJob({ ...access, reference, context }, { job, goal: ["succeeded"], done }, request.timeoutMs);
  await pruneObjects(plan, writeOptionsOf(run));
}

function writeOptionsOf({ access, context: { signal, write } }: Run): WriteOptions {
  return { ...access, signal, write };
}

/** What an interrupt ends before there is a job is said in words. */
async function beforeStart<T>({ signal }: CommandContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new UsageError("stopped before a job was started; calling the command again takes up what was written");
  }
}

async function readContexts({ name }: InstallSource, { request, access, context }: Run) {
  const named = request.context;
  const found = new Map<string, Context | undefined>();
  for (const each of named === undefined ? [defaultContextName, name] : [named]) {
    const key = { namespace: access.namespace, name: each };
    found.set(each, await access.client.find(resources.context, key, { signal: context.signal }));
  }
  return { named, find: (each: string): Context | undefined => found.get(each) };
}

/** The API server takes about 1.5 MiB, and nested Installations have copies of what they share. */
const maxInstallationBytes = 1024 * 1024;

function checkSize(installation: Installation, { repository }: InstallSource): void {
  const bytes = Buffer.byteLength(JSON.stringify(installation));
  if (bytes <= maxInstallationBytes) return;
  const way =
    repository === undefined
      ? '"landscaper component create" makes a component of the folder, which --push copies into a registry'
      : "--push REGISTRY copies it to where the services find it";
  throw new UsageError(
    `the Installation would have ${Math.ceil(bytes / 1024)} KiB, expected at most ${maxInstallationBytes / 1024} KiB: the blueprint does not fit into it; ${way}`,
  );
}

/** Copies the component with all that it refers to. */
async function push(components: Components, to: string, { request: { place }, context }: Run): Promise<void> {
  if (place.kind === "folder") return;
  const location = await locateComponent(components, place);
  await copyComponent(
    components,
    { location, to },
    { recursive: true, copyResources: true, overwrite: false, context },
  );
}

function readValue(word: NamedWord): GivenText {
  const isFile = word.value.startsWith("@");
  const text = isFile ? readTextFile(word.value.slice(1), `--import ${word.name}`) : word.value;
  return { ...word, text, isFile };
}

/** A kubeconfig that the deployers would refuse is refused here. Messages name fields, never values. */
function readKubeconfig(word: NamedWord): GivenText {
  const text = readTextFile(word.value, `--target ${word.name}`);
  try {
    connectionFromKubeconfig(text);
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw new UsageError(`--target ${word.name}: ${word.value}: ${error.message}`);
  }
  return { ...word, text, isFile: true };
}
