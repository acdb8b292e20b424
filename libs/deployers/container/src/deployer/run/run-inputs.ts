import { gunzipSync, gzipSync } from "node:zlib";
import { annotations, kubeResources, type DeployItem, type Warning } from "@landscaper/api";
import { parseChartPin } from "@landscaper/components";
import type { DeployContext } from "@landscaper/deployer";
import { parseJson } from "@landscaper/json";
import { parseJobFile, type RunPins } from "../../contract/job-file.ts";
import { secretTypes } from "../../contract/labels.ts";
import { parseContainerConfig, type ContainerConfig } from "../container-config.ts";
import { decodeEntry, secretLabels, type HostObjects } from "../host/host-objects.ts";

/** What a run of a program is given. Secret. */
export interface RunInputs {
  /** The provider configuration as JSON. */
  readonly configuration: string;
  readonly pins?: RunPins | undefined;
  /** Content of the file at TARGET_PATH. */
  readonly target: string;
  /** Data of the ConfigMap with the OCM configuration. */
  readonly ocmConfig: Readonly<Record<string, string>>;
}

/** As the item says it now. */
export async function liveInputs(
  { item, target }: Pick<DeployContext<ContainerConfig>, "item" | "target">,
  ocmConfig: RunInputs["ocmConfig"],
): Promise<RunInputs> {
  const raw = await target.raw();
  return {
    configuration: JSON.stringify(item.spec.config ?? null),
    pins: pinsOf(item),
    target: raw === undefined ? "null" : JSON.stringify({ target: bareTarget(raw.target), content: raw.content }),
    ocmConfig,
  };
}

/** What the core has noted on an item of its components. Throws LandscaperError. */
export function pinsOf({ metadata }: DeployItem): RunPins {
  const { manifest, blueprint } = parseChartPin(metadata.annotations?.[annotations.componentPins]) ?? {};
  return {
    ...(manifest === undefined ? {} : { image: manifest }),
    ...(blueprint === undefined ? {} : { blueprint }),
  };
}

/** Who has written which field of a Target is of no use to programs. */
function bareTarget<T extends { readonly metadata: object }>(target: T): T {
  const { managedFields: _, ...metadata } = target.metadata as { readonly managedFields?: unknown };
  return { ...target, metadata };
}

const contentKey = "content";
const maxBytes = 1_000_000;

/** Keeps what a run that has succeeded was given, for the run that takes it back. False: it does not fit into a Secret. */
export async function keepInputs(objects: HostObjects, inputs: RunInputs): Promise<boolean> {
  const content = gzipSync(JSON.stringify(inputs));
  if (content.length > maxBytes) return false;
  const labels = secretLabels(objects.labels, secretTypes.lastSuccess);
  const data = { [contentKey]: content.toString("base64") };
  await objects.write({ type: kubeResources.secret, object: "last-success", labels, body: { type: "Opaque", data } });
  return true;
}

/** The warning that `keepInputs` has returned false. */
export const inputsTooLarge: Warning = {
  reason: "InputsTooLarge",
  message:
    "configuration and target together are too large to keep: the DELETE run gets those of the last run, even if that run has failed",
};

/** What the last run that has succeeded was given; undefined when none has. */
export async function keptInputs(objects: HostObjects): Promise<RunInputs | undefined> {
  const secret = await objects.findSecret("last-success");
  const content = secret?.data?.[contentKey];
  if (content === undefined) return undefined;
  // Written by keepInputs, in a namespace of the deployer.
  return parseJson(gunzipSync(Buffer.from(content, "base64")).toString("utf8")) as unknown as RunInputs;
}

/** What the last run was given, whatever became of it; undefined when there was none. */
export async function lastInputs(objects: HostObjects): Promise<RunInputs | undefined> {
  const [config, target] = await Promise.all([objects.findSecret("config"), objects.findSecret("target")]);
  const configuration = config && decodeEntry(config, "configuration.json");
  const job = config && decodeEntry(config, "job.json");
  if (configuration === undefined || job === undefined) return undefined;
  const ocm = await objects.findConfigMap("ocmconfig");
  return {
    configuration,
    pins: parseJobFile(job, "job.json").pins,
    target: (target && decodeEntry(target, "target.json")) ?? "null",
    ocmConfig: ocm?.data ?? {},
  };
}

export function configOf({ configuration }: RunInputs): ContainerConfig {
  return parseContainerConfig(parseJson(configuration), "spec.config");
}
