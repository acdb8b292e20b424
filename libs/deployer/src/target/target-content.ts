import { LandscaperError, kubeResources, type Target } from "@landscaper/api";
import type { Reader } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";

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
  const { namespace } = target.metadata;
  const secret = await options.reader.find(
    kubeResources.secret,
    { namespace, name: secretRef.name },
    { signal: options.signal },
  );
  if (secret === undefined) throw targetError(target, `its Secret ${namespace}/${secretRef.name} does not exist`);
  const data = secret.data ?? {};
  checkSize(target, secretRef, data);
  const parse = (key: string, value: string): unknown =>
    parseEntry(target, `Secret ${secretRef.name}, key ${key}`, value);
  if (secretRef.key === undefined || secretRef.key === "") {
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, parse(key, value)]));
  }
  const value = data[secretRef.key];
  if (value === undefined) {
    throw targetError(target, `its Secret ${namespace}/${secretRef.name} has no key "${secretRef.key}"`);
  }
  return parse(secretRef.key, value);
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
  const text = Buffer.from(base64, "base64").toString("utf8");
  try {
    return fromYaml(text);
  } catch {
    // The parser's own message would quote the text.
    throw targetError(target, `${where}: expected YAML, found a text that cannot be parsed`);
  }
}

/** "Target ns/name: problem"; tried again, because Secrets come and change without notice. */
export function targetError(target: Target, problem: string): LandscaperError {
  return new LandscaperError({
    message: `Target ${target.metadata.namespace}/${target.metadata.name}: ${problem}`,
    reason: "InvalidTarget",
  });
}
