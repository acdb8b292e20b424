import type { Api, Item } from "../../src/kits/plain-api.ts";
import { isConflict } from "../../src/kits/plain-api.ts";
import type { SampleConfig, SampleJob } from "./sample-job.ts";
import { FinalFailure, isMissing, untilDone } from "./sample-job.ts";

/** As it stands there: what only profiles/sample.yaml writes. */
export const readConfig = (item: Item): SampleConfig => item.spec?.["config"] as SampleConfig;

export function parseConfig(item: Item): SampleConfig {
  const config = readConfig(item);
  if (typeof config.value === "string") return config;
  throw new FinalFailure("spec.config.value: expected a string, found a list", ["ERR_CONFIGURATION_PROBLEM"]);
}

/** The password of the Target: its own, or that of its Secret. */
export async function readPassword(job: SampleJob, target: Item): Promise<string> {
  const { config, secretRef } = target.spec as { config?: unknown; secretRef?: { name: string; key: string } };
  const { name } = target.metadata;
  const inSecret = async (): Promise<unknown> => {
    const secret = await job.api.find("Secret", secretRef?.name ?? "");
    if (secret === undefined) throw new Error(`Target ${name}: Secret ${secretRef?.name} does not exist`);
    const text: unknown = Reflect.get(Object(secret.data), secretRef?.key ?? "");
    return JSON.parse(Buffer.from(String(text), "base64").toString());
  };
  const password: unknown = Reflect.get(Object(secretRef === undefined ? config : await inSecret()), "password");
  if (typeof password === "string") return password;
  const which = job.has("does not say which Target is unusable") ? "it" : `Target ${name}`;
  throw new Error(`${which}: expected a password, found none`);
}

/** Makes the ConfigMap, or gives it the value. */
export async function applyConfigMap(job: SampleJob, config: SampleConfig, api: Api): Promise<void> {
  const { name } = config.configMap;
  const data = { value: JSON.stringify(config.value).replaceAll('"', "") };
  const labels = job.has("uses the name of the item as a label") ? { item: job.name } : {};
  await untilDone(job, "the ConfigMap", async () => {
    if ((await api.find("ConfigMap", name)) !== undefined) await api.patch("ConfigMap", name, { data });
    else await api.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data });
    return true;
  });
}

/** True when it is gone. */
export async function removeConfigMap(job: SampleJob, name: string, api: Api): Promise<boolean> {
  const found = await api.find("ConfigMap", name);
  if (found === undefined) return true;
  try {
    if (found.metadata.deletionTimestamp === undefined) await api.delete("ConfigMap", name);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return job.has("lets the item go before all is gone") || (await api.find("ConfigMap", name)) === undefined;
}

/** The Secret of exported values; returns the fields of the status for it. */
export async function writeExports(job: SampleJob, config: SampleConfig): Promise<{ readonly exportRef?: unknown }> {
  const name = `${job.name}-export`;
  const { metadata } = job.item;
  if (config.exports === undefined) {
    if (job.item.status?.exportRef === undefined || job.has("keeps old exports")) return {};
    await job.api.delete("Secret", name);
    return { exportRef: undefined };
  }
  const owner = { apiVersion: job.item.apiVersion, kind: "DeployItem", name: job.name, uid: metadata.uid };
  const ownerReferences = job.has("exports into a Secret of nobody") ? [] : [owner];
  const stringData = { config: JSON.stringify(config.exports) };
  try {
    await job.api.create({ apiVersion: "v1", kind: "Secret", metadata: { name, ownerReferences }, stringData });
  } catch (error) {
    if (!isConflict(error)) throw error;
    await job.api.patch("Secret", name, { stringData });
  }
  const namespace = job.has("exports into another namespace") ? "default" : metadata.namespace;
  return { exportRef: { name, ...(job.has("exports without the namespace") ? {} : { namespace }) } };
}
