import type { CommandContext } from "../command.ts";
import type { ParsedFlags } from "../flags/parse-flags.ts";
import { kubeconfigNamespace } from "../kubeconfig-namespace.ts";

/** The namespace of the release: -n, HELM_NAMESPACE, that of the kubeconfig's context, or default. */
export function releaseNamespace(parsed: ParsedFlags, { environment }: Pick<CommandContext, "environment">): string {
  const given = parsed.text("namespace") ?? environment["HELM_NAMESPACE"] ?? "";
  if (given !== "") return given;
  const context = parsed.text("kube-context") ?? environment["HELM_KUBECONTEXT"];
  return kubeconfigNamespace({ file: parsed.text("kubeconfig"), context, environment }) ?? "default";
}
