import { createClient, createSystemClock, loadConnection, runProgram } from "@landscaper/controller-runtime";
import { cleanupUsage, parseCleanupFlags } from "./cleanup-flags.ts";
import { runCleanup } from "./run-cleanup.ts";

/** Runs the command `cleanup` as a process, and ends the process: with 0, or with 1 and the reason in /dev/termination-log and on stderr. */
export async function runCleanupProgram(words: readonly string[]): Promise<void> {
  await runProgram(async ({ env, log, signal }) => {
    const { kubeconfig, help, ...options } = parseCleanupFlags(words);
    if (help) {
      process.stdout.write(cleanupUsage);
      return;
    }
    const connection = await loadConnection({ kubeconfigPath: kubeconfig, env });
    const client = createClient({ connection, userAgent: "container-deployer-cleanup" });
    try {
      await runCleanup(options, { client, clock: createSystemClock(), log, signal });
    } finally {
      await client.close();
    }
  });
}
