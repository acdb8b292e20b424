import { createHash } from "node:crypto";
import type { Place } from "./place.ts";

const typeLabel = "deployer.landscaper.gardener.cloud/claims-of";
const holderAnnotation = "deployer.landscaper.gardener.cloud/identity";
/** Longer than any scenario. */
const leaseDurationSeconds = 600;

/** Another deployer of the same type, of which there is nothing but its Lease. */
export interface OtherDeployer {
  /** Its `status.deployer.identity`. */
  readonly holder: string;
  /** Gives the Lease up. */
  end(): Promise<void>;
  /** Leaves nothing behind. */
  remove(): Promise<void>;
}

export async function startOtherDeployer({ namespace, landscape, profile }: Place): Promise<OtherDeployer> {
  const holder = `conformance-other/${namespace}`;
  const api = landscape.hub.namespace(profile.leases?.namespace ?? "");
  const labels = { [typeLabel]: createHash("sha1").update(profile.type).digest("hex") };
  await api.create({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: namespace, labels, annotations: { [holderAnnotation]: holder } },
    spec: { holderIdentity: holder, leaseDurationSeconds },
  });
  return {
    holder,
    end: async () => void (await api.patch("Lease", namespace, { spec: { holderIdentity: "" } })),
    remove: async () => api.delete("Lease", namespace),
  };
}
