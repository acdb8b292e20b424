import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseByteQuantity, type LandscaperConfiguration } from "@landscaper/api";
import { createChartFetcher } from "@landscaper/chart-source";
import { createComponentSource, openFilesBelow } from "@landscaper/components";
import type { EgressPolicy } from "@landscaper/egress";
import { certificatesIn, createContentCache, createRegistryClient, type ContentCache } from "@landscaper/oci";
import type { JobComponentsOptions } from "./job-components.ts";

/** Where components come from, as the configuration of the service says. */
export interface OpenedComponents extends Pick<JobComponentsOptions, "configFiles" | "source"> {
  close(): Promise<void>;
}

const cacheBytes = 1024 ** 3;

/** Throws LandscaperError for a size that cannot be read. */
export function openComponents(
  { registry, blueprintStore, egress: rules }: LandscaperConfiguration,
  { egress, userAgent }: { readonly egress: EgressPolicy; readonly userAgent: string },
): OpenedComponents {
  const { oci } = registry;
  const access = {
    userAgent,
    egress,
    allowPlainHttp: oci?.allowPlainHttp,
    insecureSkipVerify: oci?.insecureSkipVerify,
    tokenRealms: rules.tokenRealms,
    certificates: oci?.certificatesPath === undefined ? undefined : certificatesIn(oci.certificatesPath),
  };
  const registries = createRegistryClient(access);
  const { rootPath = "" } = registry.local ?? {};
  const directory = oci?.cache?.path ?? join(tmpdir(), "ocicache");
  const cache = createContentCache({ directory, maxBytes: cacheBytes });
  const charts = createChartFetcher({ ...access, cache });
  const files = rootPath === "" ? undefined : openFilesBelow(rootPath);
  const source = createComponentSource({
    registries,
    charts,
    cache,
    blueprints: openBlueprintStore(blueprintStore),
    files: files?.open,
  });
  const close = async (): Promise<void> => {
    await Promise.all([registries.close(), charts.close(), files?.close()]);
  };
  return { source, configFiles: oci?.configFiles, close };
}

function openBlueprintStore(store: LandscaperConfiguration["blueprintStore"]): ContentCache | undefined {
  const { path = join(tmpdir(), "blueprints"), disableCache, size } = store;
  const maxBytes = parseByteQuantity(size, "blueprintStore.size");
  return disableCache ? undefined : createContentCache({ directory: path, maxBytes });
}
