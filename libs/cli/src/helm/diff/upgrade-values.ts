import { mapFromPlain, type GoMap } from "@landscaper/golang";
import { type Chart, coalesceValues } from "@landscaper/helm";
import type { ReleaseRecord } from "@landscaper/helm-release";
import type { ParsedFlags } from "../../flags/parse-flags.ts";

/** What an upgrade renders with. */
export interface UpgradeInput {
  /** With other defaults where the flags keep those of the release. */
  readonly chart: Chart;
  readonly values: GoMap;
}

/**
 * Chart and values of an upgrade of `record`, as `helm upgrade` chooses them: given values replace those of the release, without any these are
 * taken again; --reuse-values keeps the release's chart defaults, too, and --reset-then-reuse-values takes those of the new chart.
 */
export function upgradeInput(
  parsed: ParsedFlags,
  {
    chart,
    given,
    record,
  }: { readonly chart: Chart; readonly given: GoMap; readonly record: ReleaseRecord | undefined },
): UpgradeInput {
  if (record === undefined || parsed.isSet("reset-values")) return { chart, values: given };
  // A record has no dependencies: their values are in those of the chart.
  const named = { metadata: { name: chart.metadata.name }, dependencies: [] };
  const kept = mapFromPlain(record.config);
  const merged = coalesceValues({ ...named, values: kept }, given);
  if (parsed.isSet("reuse-values")) {
    const former = { ...named, values: mapFromPlain(record.chart["values"]) };
    return { chart: { ...chart, values: coalesceValues(former, kept) }, values: merged };
  }
  if (parsed.isSet("reset-then-reuse-values")) return { chart, values: merged };
  return { chart, values: given.size === 0 ? kept : given };
}
