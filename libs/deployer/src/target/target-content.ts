import { LandscaperError, kubeResources, type Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { fromYaml, YamlError } from "@landscaper/goyaml";

export interface TargetContentOptions {
  /** Of the cluster that the Target lives in. */
  readonly reader: Pick<Reader, "find">;
  readonly signal: AbortSignal;
}

/**
 * The access data of a Target (core.md §3.9): its config; or an entry of its Secret, parsed as YAML; or all entries, each
 * parsed. Throws LandscaperError naming Target, Secret and key, never their content.
 */
export async function resolveTargetContent(target: Target, options: TargetContentOptions): Promise<unknown> {
  const { secretRef, config } = target.spec;
  if (secretRef === undefined) {
    if (config === undefined || config === null) throw targetError(target, "spec has neither config nor secretRef");
    return config;
  }
  const { data, key } = await readEntries(target, secretRef, options);
  checkSize(target, secretRef, data);
  const parse = (name: string, value: string): unknown =>
    parseEntry(target, `Secret ${target.metadata.namespace}/${secretRef.name}, key ${name}`, value);
  if (key !== undefined) return parse(key, data[key] ?? "");
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, parse(name, value)]));
}

/** A Target as it was read, and its access data as text. */
export interface RawTarget {
  readonly target: Target;
  /** Secret: the entry of the Secret that the Target names; else JSON of all entries, or of the Target's config. */
  readonly content: string;
}

/**
 * As resolveTargetContent, for deployers that hand the access data on: an entry that is named stays as it is written, whatever it holds. Of all
 * entries together, those are parsed that are YAML.
 */
export async function resolveTargetText(target: Target, options: TargetContentOptions): Promise<string> {
  const { secretRef, config } = target.spec;
  if (secretRef === undefined) {
    if (config === undefined || config === null) throw targetError(target, "spec has neither config nor secretRef");
    return JSON.stringify(config);
  }
  const { data, key } = await readEntries(target, secretRef, options);
  if (key !== undefined) return decode(data[key] ?? "");
  const parsed = Object.entries(data).map(([name, value]) => [name, parseOrKeep(decode(value))]);
  return JSON.stringify(Object.fromEntries(parsed));
}

function parseOrKeep(text: string): unknown {
  if (text.length > maxContentBytes) return text;
  try {
    return fromYaml(text);
  } catch {
    return text;
  }
}

/** `key`: the only entry that counts, which is there. */
async function readEntries(
  target: Target,
  { name, key = "" }: NonNullable<Target["spec"]["secretRef"]>,
  { reader, signal }: TargetContentOptions,
): Promise<{ readonly data: Readonly<Record<string, string>>; readonly key: string | undefined }> {
  const { namespace } = target.metadata;
  const secret = await reader.find(kubeResources.secret, { namespace, name }, { signal });
  if (secret === undefined) {
    const problem = `its Secret ${namespace}/${name} does not exist`;
    throw secretMissing(target, problem, "create the Secret, or correct spec.secretRef of the Target");
  }
  const data = secret.data ?? {};
  if (key === "") return { data, key: undefined };
  if (data[key] === undefined) {
    // Keys of a Secret may be secret: the message suggests none.
    const hint = "add the key to the Secret, or correct spec.secretRef.key of the Target";
    throw secretMissing(target, `its Secret ${namespace}/${name} has no key "${key}"`, hint);
  }
  return { data, key };
}

function decode(base64: string): string {
  return Buffer.from(base64, "base64").toString("utf8");
}

/** Of the entries that are parsed, together. */
function checkSize(
  target: Target,
  { name, key = "" }: NonNullable<Target["spec"]["secretRef"]>,
  data: Readonly<Record<string, string>>,
): void {
  const texts = key === "" ? Object.values(data) : [data[key] ?? ""];
  const bytes = texts.reduce((sum, text) => sum + (text.length * 3) / 4, 0);
  if (bytes <= maxContentBytes) return;
  const where = key === "" ? `Secret ${name}` : `Secret ${name}, key ${key}`;
  throw targetError(target, `${where}: expected at most ${maxContentBytes / 1024} KiB, found more`);
}

/** Larger texts take longer to parse than the main thread may be busy; a kubeconfig has some KiB. */
const maxContentBytes = 128 * 1024;

function parseEntry(target: Target, where: string, base64: string): unknown {
  try {
    return fromYaml(decode(base64));
  } catch (error) {
    // The message of the parser would quote the text.
    const place = error instanceof YamlError ? error.place : "";
    throw targetError(target, `${where}: not YAML${place}`, "correct the Secret");
  }
}

/** Reason of the error that jobs retry for `targetWait`: the Secret may be created after the Target. */
export const targetSecretMissing = "TargetSecretMissing";

function describeProblem({ metadata }: Target, problem: string): string {
  return `Target ${metadata.namespace}/${metadata.name}: ${problem}`;
}

function secretMissing(target: Target, problem: string, hint: string): LandscaperError {
  return new LandscaperError({
    message: describeProblem(target, problem),
    reason: targetSecretMissing,
    hint,
    retry: "briefly",
  });
}

/** Returns "Secret ns/name, key key: " for a Target whose access data are in a Secret, otherwise "". */
export function placeOfSecret({ metadata, spec: { secretRef } }: Target): string {
  if (secretRef === undefined) return "";
  const { name, key = "" } = secretRef;
  return `Secret ${metadata.namespace}/${name}${key === "" ? "" : `, key ${key}`}: `;
}

/** "Target ns/name: problem"; tried again, because Secrets come and change without notice. */
export function targetError(target: Target, problem: string, hint?: string): LandscaperError {
  return new LandscaperError({
    message: describeProblem(target, problem),
    reason: "InvalidTarget",
    hint,
  });
}
