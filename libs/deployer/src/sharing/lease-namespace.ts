import { configurationError, kubeResources, leaseProbeName, type Lease } from "@landscaper/api";
import { isNotFound, type Client } from "@landscaper/controller-runtime";

/** Throws a LandscaperError when the namespace of the Leases does not exist: without Leases two deployers could work on one item. */
export async function demandLeaseNamespace(
  { client, namespace }: { readonly client: Pick<Client, "create">; readonly namespace: string },
  signal: AbortSignal,
): Promise<void> {
  const metadata = { namespace, name: leaseProbeName };
  const probe: Lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec: {} };
  try {
    await client.create(kubeResources.lease, probe, { dryRun: true, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw configurationError(
      `the namespace ${namespace} of the landscaper cluster does not exist: the Leases of its deployers are there`,
      {
        hint: "create it, or name another namespace with --lease-namespace, the same for all deployers of the cluster",
      },
    );
  }
}
