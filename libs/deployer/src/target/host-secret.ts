import { kubeResources, type Target } from "@landscaper/api";
import { ApiError, ConnectionError, type Reader } from "@landscaper/controller-runtime";
import { isJsonObject } from "@landscaper/resources";
import { targetError } from "./target-content.ts";

/** A Secret of the cluster that a deployer runs in, with the kubeconfig of a Target (docs/reference/deployer-management.md#the-target-of-the-host). */
export interface HostSecretRef {
  readonly namespace: string;
  readonly name: string;
  readonly key: string;
}

/** The one Secret of the host whose kubeconfig Targets may name. Names in Targets are data: they give no right to read. */
export type HostSecret = Pick<HostSecretRef, "namespace" | "name">;

const defaultKey = "kubeconfig";

/** The Secret that a kubeconfig is replaced by; undefined when the value is a kubeconfig. Throws LandscaperError for half a reference. */
export function parseHostSecret(
  target: Target,
  kubeconfig: Readonly<Record<string, unknown>>,
): HostSecretRef | undefined {
  const { secretRef } = kubeconfig;
  if (secretRef === undefined) return undefined;
  const { namespace, name, key = defaultKey } = isJsonObject(secretRef) ? secretRef : {};
  const field = (path: string, value: unknown): string => {
    if (typeof value === "string" && value !== "") return value;
    throw targetError(target, `kubeconfig.secretRef.${path} is missing`);
  };
  return { namespace: field("namespace", namespace), name: field("name", name), key: field("key", key) };
}

/** Whether only the deployers of a host can reach the cluster of a Target, and a process that may read `own` is none of them. */
export function isOfOtherHost({ spec }: Target, own: HostSecret | undefined): boolean {
  const { kubeconfig } = isJsonObject(spec.config) ? spec.config : {};
  if (!isJsonObject(kubeconfig) || !isJsonObject(kubeconfig["secretRef"])) return false;
  const { namespace, name } = kubeconfig["secretRef"];
  return own === undefined || namespace !== own.namespace || name !== own.name;
}

export interface HostSecretOptions {
  /** Of the host cluster. */
  readonly reader: Pick<Reader, "find">;
  readonly own: HostSecret;
  readonly signal: AbortSignal;
}

/** The kubeconfig in the Secret. Throws LandscaperError that names Target, Secret and key, never their content. */
export async function readHostSecret(
  target: Target,
  { namespace, name, key }: HostSecretRef,
  { reader, own, signal }: HostSecretOptions,
): Promise<string> {
  if (namespace !== own.namespace || name !== own.name) throw hostSecretDenied(target);
  const where = `the Secret ${namespace}/${name} of the host cluster`;
  try {
    const secret = await reader.find(kubeResources.secret, { namespace, name }, { signal });
    if (secret === undefined) throw targetError(target, `${where} does not exist`);
    const value = secret.data?.[key];
    if (value === undefined) throw targetError(target, `${where} has no key "${key}"`);
    return Buffer.from(value, "base64").toString("utf8");
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
    throw targetError(target, `${where} cannot be read: ${error.message}`);
  }
}

/** For whoever is no deployer of that host. */
export function hostSecretDenied(target: Target): Error {
  return targetError(
    target,
    "its kubeconfig is in a Secret of its host cluster: only the agent of that cluster connects to it",
  );
}
