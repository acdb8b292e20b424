import { installOrder, uninstallOrder } from "../manifests/kind-order.ts";
import { splitManifests } from "../manifests/split-manifests.ts";
import { chartObject } from "../objects/chart-metadata.ts";
import type { HelmDialect } from "./helm-dialect.ts";

/** Helm v3.22.0. */
export const helm3: HelmDialect = {
  version: "3",
  build: { release: "v3.22.0" },
  goPackages: { values: "chartutil", manifests: "releaseutil" },
  values: { documents: "first", keepsNullDefaults: true, setsJsonObjects: false, mayEndInIndex: false },
  loading: { namesFileOfBadHeader: false, fileBytes: 5 * 1024 * 1024 },
  sharesAliasedCharts: true,
  installOrder,
  uninstallOrder,
  splitManifests,
  chartObject,
  keepsKubeVersionSuffix: false,
};
