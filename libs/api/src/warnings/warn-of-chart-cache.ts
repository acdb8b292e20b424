import { annotations } from "../objects/annotations.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import type { Warning } from "./warnings.ts";

/** The annotation `cache-helm-charts` of an object has no effect: the original's cache keeps charts by reference, ours by digest. */
export function warnOfChartCache({ metadata }: Pick<KubeObject, "metadata">): readonly Warning[] {
  if (metadata.annotations?.[annotations.cacheHelmCharts] !== "true") return [];
  const message = `annotation ${annotations.cacheHelmCharts} has no effect: the helm deployer keeps charts by their digest in any case, and asks for the digest in every job`;
  return [{ reason: "WithoutEffect", message }];
}
