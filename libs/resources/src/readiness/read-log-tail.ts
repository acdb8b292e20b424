import { kubeResources, redactTextsInTurns, type UnstructuredObject } from "@landscaper/api";
import { createBreather, resourcePath } from "@landscaper/controller-runtime";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { literalsOf, secretNamesOf } from "./pod-secrets.ts";

/** Enough to see what a program complained about last. */
const maxLines = 5;
const maxCharacters = 1000;
/** What is fetched at most: a log line has no bound. */
const limitBytes = 64 * 1024;
/** Of UTF-8. If the server cuts within a character, decoding changes the length of the log by less than this. */
const maxBytesOfCharacter = 4;
/** More Secrets than any real pod has. */
const maxSecrets = 20;

export interface LogSource {
  readonly container: string;
  /** The container that ran before the present one. */
  readonly previous: boolean;
}

/**
 * Returns the last lines of a container's log, at most 5 lines and 1,000 characters. Masks the secrets of the item and of the connection, and all values
 * that the container has from Secrets, its environment or its arguments. Throws if the log or one of these Secrets cannot be read.
 */
export async function readLogTail(
  { client, itemSecrets = [] }: Pick<TargetCluster, "client" | "itemSecrets">,
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
  const answer = await client.request({ method: "GET", path, accept: "*/*", answer: "text", signal });
  const text = client.mask(completeLines(typeof answer === "string" ? answer : ""));
  // Masked before it is cut: half a secret would not be recognised.
  const [masked = ""] = await redactTextsInTurns([text], [secrets, literalsOf(pod), itemSecrets], createBreather());
  return cutTail(masked);
}

/** Omits the last line of a log that the server has cut: the line may end with half a secret. */
function completeLines(text: string): string {
  return Buffer.byteLength(text) < limitBytes - maxBytesOfCharacter ? text : text.slice(0, text.lastIndexOf("\n") + 1);
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
    .map((line) => line.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, " ").trim())
    .filter((line) => line !== "");
  const tail = lines.slice(-maxLines).join(" | ");
  return tail.length > maxCharacters ? `...${tail.slice(-maxCharacters)}` : tail;
}
