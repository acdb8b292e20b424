// The program that played Pods run in suites: it keeps a ConfigMap on the cluster of its Target, as its imports say, counts in its state, and removes the
// ConfigMap in its DELETE run.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { kubeResources, type ConfigMap } from "@landscaper/api";
import type { ProgramContext } from "@landscaper/container-deployer-lib/testing";
import {
  connectionFromKubeconfig,
  createClient,
  isAlreadyExists,
  isNotFound,
  type Client,
} from "@landscaper/controller-runtime";

/** Its `importValues`. */
export interface ConfigMapImports {
  /** Of the ConfigMap. */
  readonly name: string;
  readonly namespace: string;
  readonly data?: Readonly<Record<string, string>>;
  /** Name of another ConfigMap for which it waits; then it writes `late: yes`. */
  readonly gate?: string;
  /** Further lines of its log. */
  readonly says?: string;
  /** 0 by default; with another one it touches nothing. */
  readonly exitCode?: number;
  readonly exports?: unknown;
}

const pauseMs = 50;
/** As the shell tells of SIGTERM. */
const terminatedCode = 143;

function readJson(file: string | undefined): unknown {
  return file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function targetClient(env: ProgramContext["env"]): Client {
  // What the contract says of the two files.
  const { content } = readJson(env["TARGET_PATH"]) as { readonly content: string };
  const { kubeconfig } = JSON.parse(content) as { readonly kubeconfig: unknown };
  const text = typeof kubeconfig === "string" ? kubeconfig : JSON.stringify(kubeconfig);
  return createClient({ connection: connectionFromKubeconfig(text), userAgent: "config-map-program" });
}

/** How often the program has run for the item, this time included. */
function count(env: ProgramContext["env"]): number {
  const file = join(env["STATE_PATH"] ?? "", "runs");
  const runs = 1 + (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0);
  writeFileSync(file, String(runs));
  return runs;
}

export async function runConfigMapProgram(context: ProgramContext): Promise<number> {
  const { env, log, operation, signal } = context;
  const imports = readJson(env["IMPORTS_PATH"]) as ConfigMapImports;
  const runs = count(env);
  log(`run ${runs}`);
  if (imports.says !== undefined) log(imports.says);
  const client = targetClient(env);
  try {
    if (operation === "DELETE") return await remove(client, imports, signal);
    if (imports.exitCode !== undefined && imports.exitCode !== 0) return imports.exitCode;
    const data = { ...imports.data, runs: String(runs) };
    return await apply(client, { ...imports, data }, context);
  } finally {
    await client.close();
  }
}

async function apply(client: Client, imports: ConfigMapImports, { env, signal }: ProgramContext): Promise<number> {
  const { name, namespace, data = {}, gate, exports } = imports;
  await write(client, { name, namespace }, data);
  if (gate !== undefined) {
    const isOpen = async () => (await client.find(kubeResources.configMap, { namespace, name: gate })) !== undefined;
    if (!(await poll(isOpen, signal))) return terminatedCode;
    await write(client, { name, namespace }, { ...data, late: "yes" });
  }
  if (exports !== undefined) {
    const file = env["EXPORTS_PATH"] ?? "";
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(exports));
  }
  return signal.aborted ? terminatedCode : 0;
}

async function write(client: Client, key: { name: string; namespace: string }, data: object): Promise<void> {
  const object: ConfigMap = { apiVersion: "v1", kind: "ConfigMap", metadata: key, data: { ...data } };
  try {
    await client.create(kubeResources.configMap, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    await client.patch(kubeResources.configMap, key, { type: "merge", body: { data } });
  }
}

async function remove(client: Client, { name, namespace }: ConfigMapImports, signal: AbortSignal): Promise<number> {
  const key = { namespace, name };
  try {
    await client.delete(kubeResources.configMap, key);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const isGone = async () => (await client.find(kubeResources.configMap, key)) === undefined;
  return (await poll(isGone, signal)) ? 0 : terminatedCode;
}

/** False: the Pod is stopped. */
async function poll(check: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if (await check()) return true;
    await sleep(pauseMs);
  }
  return false;
}
