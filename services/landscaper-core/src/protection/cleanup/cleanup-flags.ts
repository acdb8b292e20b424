import { commonCleanupUsage, parseCleanup, type CommonCleanupFlags } from "@landscaper/deployer";

export const cleanupUsage = `usage: landscaper-core cleanup [FLAGS]
Removes the finalizers of the core from all Targets, Contexts, Secrets and RoleBindings. Helm runs this command before an uninstall.

${commonCleanupUsage}  --landscaper-kubeconfig FILE  of the landscaper cluster, if it is another one
`;

export interface CleanupFlags extends CommonCleanupFlags {
  readonly landscaperKubeconfig: string | undefined;
}

/** Whether a core with this value of LANDSCAPER_MODE adds the finalizers. A core that is split over two processes leaves them to one. */
export function addsFinalizers(mode: string | undefined): boolean {
  return mode === undefined || mode === "" || mode === "central-landscaper";
}

/** Throws LandscaperError that names the flag. */
export function parseCleanupFlags(words: readonly string[]): CleanupFlags {
  const options = { "landscaper-kubeconfig": { type: "string" } } as const;
  const { common, own } = parseCleanup(words, { program: "landscaper-core", options });
  const kubeconfig = own["landscaper-kubeconfig"];
  return { ...common, landscaperKubeconfig: typeof kubeconfig === "string" ? kubeconfig : undefined };
}
