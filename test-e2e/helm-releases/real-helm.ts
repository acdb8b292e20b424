import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildOracle } from "../oracles/build-oracle.ts";

/** The real helm command on one cluster and namespace. */
export interface RealHelm {
  /** What it prints. Throws with its words when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** Begins a command, to be killed in the middle of it. */
  start(...args: readonly string[]): RunningHelm;
  /** The same with what it says beside. */
  tell(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  dispose(): void;
}

/** A helm at work. */
export interface RunningHelm {
  /** Ends the process at once, as a power cut does. */
  kill(): Promise<void>;
  /** Its words when it has ended by itself; undefined: it was well. */
  readonly ended: Promise<string | undefined>;
}

export interface RealHelmOptions {
  /** Default "3". */
  readonly version?: keyof typeof oracleOf;
  /** Where helm keeps its records. Default "secret". */
  readonly driver?: "secret" | "configmap";
  /** After which a command is ended (ms). Default 60 s. */
  readonly timeoutMs?: number;
}

const run = promisify(execFile);
/** Oracles that pin the versions. */
const oracleOf = { "3": "helm", "4": "helm4" } as const;

/** The helm of the version that is pinned in oracles/helm or oracles/helm4, built once. */
export function createRealHelm(
  kubeconfig: string,
  namespace: string,
  { version = "3", driver = "secret", timeoutMs = 60_000 }: RealHelmOptions = {},
): RealHelm {
  const program = join(buildOracle(oracleOf[version]).folder, "helm");
  const folder = mkdtempSync(join(tmpdir(), "landscaper-helm-"));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  // Its caches are its own, so that runs do not see each other.
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    KUBECONFIG: file,
    HELM_NAMESPACE: namespace,
    HELM_DRIVER: driver,
  };
  const tell: RealHelm["tell"] = async (...args) => await run(program, args, { env, timeout: timeoutMs });
  return {
    run: async (...args) => (await tell(...args)).stdout,
    tell,
    start: (...args) => start(program, args, env),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv): RunningHelm {
  const child = spawn(program, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (words += text));
  const ended = once(child, "exit").then(([code]) => (code === 0 ? undefined : words));
  return {
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
