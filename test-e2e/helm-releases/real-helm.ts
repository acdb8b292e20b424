import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { buildOracle } from "../oracles/build-oracle.ts";

/** The real helm command on one cluster and namespace. */
export interface RealHelm {
  /** What it prints. Throws with its words when it fails. */
  run(...args: readonly string[]): Promise<string>;
  /** The same with what it says beside. */
  tell(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }>;
  dispose(): void;
}

const run = promisify(execFile);

/** The helm of the version that is pinned in oracles/helm, built once. */
export function createRealHelm(kubeconfig: string, namespace: string): RealHelm {
  const program = join(buildOracle("helm").folder, "helm");
  const folder = mkdtempSync(join(tmpdir(), "landscaper-helm-"));
  const file = join(folder, "kubeconfig");
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  // Its caches are its own, so that runs do not see each other.
  const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: file, HELM_NAMESPACE: namespace };
  const tell: RealHelm["tell"] = async (...args) => await run(program, args, { env, timeout: 60_000 });
  return {
    run: async (...args) => (await tell(...args)).stdout,
    tell,
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
