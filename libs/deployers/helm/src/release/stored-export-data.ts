import { mapFromPlain, toPlain } from "@landscaper/golang";
import { coalesceValues, loadDialect, releaseScope } from "@landscaper/helm";
import { readCapabilities } from "@landscaper/helm-release";
import { isJsonObject } from "@landscaper/resources";
import { chartFields } from "../rendering/chart-fields.ts";
import type { RenderingOptions } from "../rendering/helm-rendering.ts";
import type { DeployedRevision } from "./release-progress.ts";

/** What value exports read of a revision as it is stored: its values and its chart's own, without those of dependencies, as `helm get values --all`. */
export async function storedExportData(
  { name, namespace, version, chart, config, helmVersion = "3" }: DeployedRevision,
  { context, cluster }: Pick<RenderingOptions, "context" | "cluster">,
): Promise<Readonly<Record<string, unknown>>> {
  const { clock, signal } = context;
  const capabilities = await readCapabilities(cluster, { elapsedMs: clock.elapsed(), signal });
  const dialect = await loadDialect(helmVersion);
  const scope = releaseScope({ name, namespace, revision: version, isUpgrade: version > 1 }, capabilities, dialect);
  const metadata = isJsonObject(chart["metadata"]) ? chart["metadata"] : {};
  const stored = {
    metadata: { name: String(metadata["name"]) },
    values: mapFromPlain(chart["values"]),
    dependencies: [],
  };
  return {
    Values: toPlain(coalesceValues(stored, mapFromPlain(config), dialect.values)),
    Release: toPlain(scope.release),
    Chart: chartFields(metadata),
    Capabilities: toPlain(scope.capabilities),
  };
}
