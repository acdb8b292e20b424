import { everything, type DeployItemTemplate, type JsonPath } from "@landscaper/api";
import type { RenderedExports } from "../export/render-exports.ts";
import type { ImportedValues, ParameterValue } from "../parameter/parameter-value.ts";
import type { ResolvedImports } from "../import/resolve-imports.ts";
import { differingPaths } from "./differing-paths.ts";
import type { Traced } from "./trace-secrets.ts";

/** The values of resolved imports, each with what of it is secret. */
export function sensitiveImports({ value, shadow }: Traced<ResolvedImports>): ImportedValues {
  const entries = Object.entries(value.values).map(([name, own]): [string, ParameterValue] => {
    if (own.type !== "data") return [name, own];
    const other = shadow?.values[name];
    const paths = other?.type === "data" ? differingPaths(own.value, other.value) : everything;
    return [name, { type: "data", value: own.value, ...(paths.length === 0 ? {} : { sensitive: paths }) }];
  });
  return Object.fromEntries(entries);
}

/** What of the configuration of each deploy item is secret, by item name. */
export function sensitiveConfigs(
  items: readonly DeployItemTemplate[],
  shadows: readonly DeployItemTemplate[] | undefined,
): Readonly<Record<string, readonly JsonPath[]>> {
  const others = new Map((shadows ?? []).map((item) => [item.name, item]));
  const entries = items.map(({ name, config }) => {
    const other = others.get(name);
    return [name, other === undefined ? everything : differingPaths(config, other.config)] as const;
  });
  return Object.fromEntries(entries);
}

/** What of each exported value is secret, by the name of the export. */
export function sensitiveExportData({
  value,
  shadow,
}: Traced<RenderedExports>): Readonly<Record<string, readonly JsonPath[]>> {
  const entries = Object.entries(value.data).map(([name, data]) => {
    if (shadow === undefined || !Object.hasOwn(shadow.data, name)) return [name, everything] as const;
    return [name, differingPaths(data, shadow.data[name])] as const;
  });
  return Object.fromEntries(entries);
}
