import type { Manager, MetricDefinitions } from "@landscaper/controller-runtime";
import { coreMetricTable } from "../metrics/core-metrics.ts";

const guide = "docs/guide/install.md#two-namespaces";

export interface HubNamespaces {
  readonly define: MetricDefinitions;
  /** Namespace of the core's Pod and Leases. Undefined: it has none. */
  readonly namespace: string | undefined;
  /** Namespace of deployer management. Undefined: the core manages no deployers in the cluster that it runs in. */
  readonly management: string | undefined;
}

/**
 * Warns in the log, in a metric and on `/readyz?verbose` if the core runs in the namespace of deployer management, where agents of Environments
 * read and write Secrets (docs/guide/install.md#two-namespaces).
 */
export function reportSharedNamespace(
  manager: Pick<Manager, "log" | "reportNote">,
  { define, namespace, management }: HubNamespaces,
): void {
  const isShared = namespace !== undefined && namespace === management;
  define.gauge<never>(coreMetricTable.sharedNamespace, () => [{ labels: {}, value: isShared ? 1 : 0 }]);
  if (!isShared) return;
  const problem = "the core runs in the namespace of deployer management, where agents of Environments read Secrets";
  manager.log.warn({ namespace, guide }, `${problem}: move the core with "landscaper hub move"`);
  manager.reportNote("namespace", `${problem} (${namespace}): move the core with "landscaper hub move" (${guide})`);
}
