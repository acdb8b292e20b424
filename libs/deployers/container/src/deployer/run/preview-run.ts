import { isDeepStrictEqual } from "node:util";
import type { Preview, PreviewContext } from "@landscaper/deployer";
import { parseJson } from "@landscaper/json";
import type { ContainerConfig } from "../container-config.ts";
import { decodeEntry, HostObjects, placeFor } from "../host/host-objects.ts";
import { identityOf } from "./run-identity.ts";
import { mainImage } from "./prepare-run.ts";
import { pinsOf } from "./run-inputs.ts";
import { readStatus } from "./run-status.ts";
import type { ContainerSettings } from "../settings.ts";

/** What a job would do: run the program, always. Names only, no values. */
interface PlannedRun {
  readonly type: "run";
  readonly operation: "RECONCILE";
  readonly image: string;
  /** Whether the program has never run for this item. */
  readonly isFirst: boolean;
  /** Fields of the configuration that are others than in the last run, such as `importValues.replicas`. */
  readonly changed: readonly string[];
}

/** Operation "plan" of a container item. */
export async function previewRun(
  context: PreviewContext<ContainerConfig>,
  settings: ContainerSettings,
): Promise<Preview> {
  const { config, providerStatus } = context;
  const { image } = mainImage(config, settings, pinsOf(context.item).image);
  settings.allowedImages.check(image, "spec.config: image");
  const isFirst = readStatus(providerStatus).podStatus === undefined;
  const last = isFirst ? undefined : await lastConfiguration(context, settings);
  const changed = last === undefined ? [] : changedFields(last, config);
  const planned: PlannedRun = { type: "run", operation: "RECONCILE", image, isFirst, changed };
  const summary = `run ${image}: ${describe(planned, last !== undefined)}`;
  return {
    summary,
    text: `${[summary, ...changed.map((field) => `  changed: ${field}`)].join("\n")}\n`,
    changes: [planned],
  };
}

function describe({ isFirst, changed }: PlannedRun, isKnown: boolean): string {
  if (isFirst) return "for the first time";
  if (!isKnown) return "with inputs that cannot be compared with those of the last run";
  return changed.length === 0 ? "with the configuration of the last run" : `${changed.length} changed`;
}

async function lastConfiguration(
  context: PreviewContext<ContainerConfig>,
  settings: ContainerSettings,
): Promise<unknown> {
  const secret = await new HostObjects(placeFor(identityOf(context.item), context, settings)).findSecret("config");
  const text = secret && decodeEntry(secret, "configuration.json");
  return text === undefined ? undefined : parseJson(text);
}

/** Of import values the names one level down, too: they are what users know. Pure. */
export function changedFields(before: unknown, after: unknown, path = ""): readonly string[] {
  const [one, other] = [before, after].map((value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? new Map(Object.entries(value)) : undefined,
  );
  if (one === undefined || other === undefined) return isDeepStrictEqual(before, after) ? [] : [path];
  return [...new Set([...one.keys(), ...other.keys()])].toSorted().flatMap((key) => {
    const [old, fresh] = [one.get(key) as unknown, other.get(key) as unknown];
    if (isDeepStrictEqual(old, fresh)) return [];
    return path === "" && key === "importValues"
      ? changedFields(old, fresh, key)
      : [path === "" ? key : `${path}.${key}`];
  });
}
