import { redacted, type UnstructuredObject } from "@landscaper/api";
import { maskAnswer, secretsBut } from "../cluster/sent-secrets.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import type { Trouble } from "./pod-trouble.ts";
import { readLogTail } from "./read-log-tail.ts";
import { tolerate } from "./read-pods.ts";

const everythingSecret = secretsBut([]);
const maxSaid = 300;

export interface ExplainedTrouble {
  /** Masked. */
  readonly text: string;
  /** What users can do. */
  readonly remedy: string;
}

/** Returns the trouble of the Pod, masked, with the end of its log. `live`: the object that is waited for. */
export async function explainTrouble(
  { trouble, pod, live }: TroubledPod & { readonly live: UnstructuredObject },
  { cluster, signal }: { readonly cluster: TargetCluster; readonly signal: AbortSignal },
): Promise<ExplainedTrouble> {
  const text = await maskTrouble(trouble, live, cluster);
  const log = await describeLog(cluster, { pod, trouble }, signal);
  return { text: log === undefined ? text : `${text}; ${log}`, remedy: trouble.remedy };
}

/** Returns the trouble as text. The words of the target are masked before they are cut: half a secret would not be recognised. */
export async function maskTrouble(
  { text, said = "" }: Pick<Trouble, "text" | "said">,
  { apiVersion, kind, metadata, spec }: UnstructuredObject & { readonly spec?: unknown },
  { client, sentSecrets = everythingSecret }: TargetCluster,
): Promise<string> {
  if (said === "") return text;
  const { name, namespace } = metadata;
  const sent = { apiVersion, kind, metadata: { name, namespace }, spec };
  const line = client
    .mask(await maskAnswer(said, sent, sentSecrets))
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, " ")
    .trim();
  // All of what it would tell is secret.
  if (line === `image ${redacted}`) return text;
  return `${text}: ${line.length > maxSaid ? `${line.slice(0, maxSaid)}...` : line}`;
}

export interface TroubledPod {
  readonly pod: UnstructuredObject;
  readonly trouble: Trouble;
}

/** Returns how the log of the container ends, masked; undefined without a log. */
export async function describeLog(
  cluster: Pick<TargetCluster, "client" | "itemSecrets">,
  { pod, trouble: { log } }: TroubledPod,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (log === undefined) return undefined;
  const tail = await tolerate(() => readLogTail(cluster, pod, { ...log, signal }), signal);
  if (tail === undefined) return "its log cannot be read";
  return tail === "" ? undefined : `its log ends with: ${tail}`;
}
