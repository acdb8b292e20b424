import { kubeResources, redactLeaves, type UnstructuredObject } from "@landscaper/api";
import { resourcePath } from "@landscaper/controller-runtime";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { literalsOf, secretNamesOf } from "./pod-secrets.ts";

/** Enough to see what a program complained about last. */
const maxLines = 5;
const maxCharacters = 1000;
/** What is fetched at most: a log line has no bound. */
const limitBytes = 64 * 1024;
/** More Secrets than any real pod has. */
const maxSecrets = 20;

export interface LogSource {
  readonly container: string;
  /** The container that ran before the present one. */
  readonly previous: boolean;
}

/**
 * The last lines of a container's log, at most 5 and 1,000 characters, with every value masked that the container has from a
 * Secret, its environment or its arguments, and what the connection knows. Throws when the log, or a Secret that has to be masked, cannot be read.
 */
export async function readLogTail(
  { client }: Pick<TargetCluster, "client">,
  pod: UnstructuredObject,
  { signal, ...source }: LogSource & { readonly signal: AbortSignal },
): Promise<string> {
  const secrets = await readSecrets(client, pod, signal);
  const { namespace = "", name = "" } = pod.metadata;
  const query = new URLSearchParams({
    container: source.container,
    previous: String(source.previous),
    tailLines: String(maxLines),
    limitBytes: String(limitBytes),
  });
  const path = `${resourcePath(kubeResources.pod, { namespace, name, subresource: "log" })}?${query.toString()}`;
  const text = await client.request({ method: "GET", path, accept: "*/*", answer: "text", signal });
  // Masked before it is cut: half a secret would not be recognised.
  return cutTail(redactLeaves(client.mask(typeof text === "string" ? text : ""), [secrets, literalsOf(pod)]));
}

async function readSecrets(
  client: TargetCluster["client"],
  pod: UnstructuredObject,
  signal: AbortSignal,
): Promise<unknown[]> {
  const names = secretNamesOf(pod);
  if (names.length > maxSecrets) throw new RangeError(`the pod uses more than ${maxSecrets} Secrets`);
  const { namespace } = pod.metadata;
  const found = await Promise.all(
    names.map((name) => client.find(kubeResources.secret, { namespace, name }, { signal })),
  );
  return found.flatMap((secret) => Object.values(secret?.data ?? {})).flatMap((value) => [value, decode(value)]);
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

/** The end of the text in one line, without control characters. */
function cutTail(text: string): string {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\p{Cc}+/gu, " ").trim())
    .filter((line) => line !== "");
  const tail = lines.slice(-maxLines).join(" | ");
  return tail.length > maxCharacters ? `...${tail.slice(-maxCharacters)}` : tail;
}
