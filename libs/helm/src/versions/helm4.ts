import { installOrder, uninstallOrder } from "../manifests/kind-order.ts";
import { chartMap } from "./chart-map.ts";
import type { HelmDialect } from "./helm-dialect.ts";
import { splitKeepingSpace } from "../manifests/split-keeping-space.ts";

const webhooks = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

/** Helm v4.3.1. */
export const helm4: HelmDialect = {
  version: "4",
  build: { release: "v4.3.1", kubeClient: "v1.37" },
  goPackages: { values: "common", manifests: "util" },
  values: { documents: "all", keepsNullDefaults: false, setsJsonObjects: true, mayEndInIndex: true },
  loading: { apiVersions: ["", "v1", "v2"], namesFileOfBadHeader: true, fileBytes: 100 * 1024 * 1024 },
  sharesAliasedCharts: false,
  installOrder: [...installOrder, ...webhooks],
  // Validation first: it must not refuse the removal of the other objects.
  uninstallOrder: [...webhooks.toReversed(), ...uninstallOrder],
  splitManifests: splitKeepingSpace,
  chartObject: chartMap,
  keepsKubeVersionSuffix: true,
};
