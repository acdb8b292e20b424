import { UsageError } from "../usage-error.ts";
import { mapAt, parseTarget, isMap } from "./parse-render-imports.ts";
import type { RenderExportsOptions } from "@landscaper/blueprint";

/** What deploy items and sub-installations export; a run without a cluster has to be told. */
export type ItemExports = RenderExportsOptions["bindings"];

/** Reads `{ deployItems: {NAME: VALUE}, dataObjects: {KEY: VALUE}, targets: {KEY: {type, config}} }`. Throws UsageError. */
export function parseItemExports(value: unknown): ItemExports {
  const input = value ?? {};
  const known = ["deployItems", "dataObjects", "targets"];
  if (!isMap(input)) throw new UsageError(`expected a map with ${known.join(", ")}`);
  const unknown = Object.keys(input).find((key) => !known.includes(key));
  if (unknown !== undefined) throw new UsageError(`${unknown}: expected ${known.join(" or ")}`);
  const targets = Object.entries(mapAt(input, "targets")).map(
    ([name, target]) => [name, parseTarget(target, `targets.${name}`)] as const,
  );
  return {
    deployItems: mapAt(input, "deployItems"),
    dataObjects: mapAt(input, "dataObjects"),
    targets: Object.fromEntries(targets),
  };
}
