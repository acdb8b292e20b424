import { createClient, createSystemClock, loadConnection, runProgram } from "@landscaper/controller-runtime";
import { addsFinalizers, cleanupUsage, parseCleanupFlags } from "./cleanup-flags.ts";
import { releaseProtected } from "./release-protected.ts";

const userAgent = "landscaper-core-cleanup";

/** Runs the command `cleanup` as a process, and ends the process: with 0, or with 1 and the reason in /dev/termination-log and on stderr. */
export async function runCleanupProgram(words: readonly string[]): Promise<void> {
  await runProgram(async ({ env, log, signal }) => {
    const { kubeconfig, landscaperKubeconfig = kubeconfig, help, ...options } = parseCleanupFlags(words);
    if (help) {
      process.stdout.write(cleanupUsage);
      return;
    }
    if (!addsFinalizers(env["LANDSCAPER_MODE"])) {
      log("nothing to do: the core in the mode central-landscaper removes its finalizers itself");
      return;
    }
    const connect = async (kubeconfigPath: string | undefined) =>
      createClient({ connection: await loadConnection({ kubeconfigPath, env }), userAgent });
    const client = await connect(kubeconfig);
    const landscaper = await connect(landscaperKubeconfig);
    try {
      await releaseProtected({ ...options, landscaper }, { client, clock: createSystemClock(), log, signal });
    } finally {
      await Promise.all([client.close(), landscaper.close()]);
    }
  });
}
