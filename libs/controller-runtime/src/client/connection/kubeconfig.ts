import { LandscaperError } from "@landscaper/api";
import { parse as parseYaml, YAMLParseError } from "yaml";

/** The parts of a kubeconfig that its current (or named) context selects, as written there. */
export interface SelectedContext {
  readonly contextName: string;
  readonly clusterName: string;
  readonly userName: string;
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly user: Readonly<Record<string, unknown>>;
}

/** A kubeconfig that is broken or names what it may not. Messages name fields, never values. */
export function kubeconfigError(problem: string, hint?: string): LandscaperError {
  return new LandscaperError({
    message: `kubeconfig: ${problem}`,
    reason: "InvalidKubeconfig",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    ...(hint === undefined ? {} : { hint }),
  });
}

export function parseKubeconfig(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Pretty errors would quote the lines around the mistake: keys and tokens.
    value = parseYaml(text, { prettyErrors: false, logLevel: "error" });
  } catch (error) {
    throw kubeconfigError(`not YAML${placeOf(error, text)}`, "correct the kubeconfig");
  }
  if (isMap(value)) return value;
  if (typeof value === "string" && isEncodedKubeconfig(value)) {
    throw kubeconfigError(
      "expected the kubeconfig as plain text, found its base64 text",
      "decode the text, or put the plain text into the field stringData of the Secret",
    );
  }
  throw kubeconfigError(`expected an object, found ${describe(value)}`, "correct the kubeconfig");
}

const kubeconfigFields = ["clusters", "contexts", "users", "current-context"];

/** Whether the text is base64, possibly of several lines, of YAML with a field of a kubeconfig. */
function isEncodedKubeconfig(text: string): boolean {
  const base64 = text.replaceAll(/\s/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return false;
  try {
    const decoded: unknown = parseYaml(Buffer.from(base64, "base64").toString("utf8"), { logLevel: "error" });
    return isMap(decoded) && kubeconfigFields.some((field) => field in decoded);
  } catch {
    return false;
  }
}

/** " at line 2, column 5". The message of the parser would quote the text. */
function placeOf(error: unknown, text: string): string {
  if (!(error instanceof YAMLParseError)) return "";
  const before = text.slice(0, error.pos[0]).split("\n");
  return ` at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
}

/** Follows current-context (or `context`) to its cluster and user. */
export function selectContext(config: Readonly<Record<string, unknown>>, context: string | undefined): SelectedContext {
  const contextName = context ?? textAt(config, "current-context", "current-context");
  if (contextName === undefined) {
    throw kubeconfigError("current-context is missing", "set current-context to the name of an entry of contexts");
  }
  const { entry: selected } = findNamed(config, {
    list: "contexts",
    member: "context",
    name: contextName,
    from: context === undefined ? "current-context" : "the given context",
  });
  const clusterName = textAt(selected, "cluster", `contexts[${contextName}].context.cluster`);
  const userName = textAt(selected, "user", `contexts[${contextName}].context.user`);
  if (clusterName === undefined) throw kubeconfigError(`contexts[${contextName}].context.cluster is missing`);
  const from = `contexts[${contextName}].context`;
  const { entry: cluster } = findNamed(config, {
    list: "clusters",
    member: "cluster",
    name: clusterName,
    from: `${from}.cluster`,
  });
  const user =
    userName === undefined || userName === ""
      ? {}
      : findNamed(config, { list: "users", member: "user", name: userName, from: `${from}.user` }).entry;
  return { contextName, clusterName, userName: userName ?? "", cluster, user };
}

interface NamedEntry {
  readonly list: string;
  readonly member: string;
  readonly name: string;
  /** Where the name is written. */
  readonly from: string;
}

function findNamed(
  config: Readonly<Record<string, unknown>>,
  { list, member, name, from }: NamedEntry,
): { entry: Readonly<Record<string, unknown>> } {
  const entries = config[list] ?? [];
  if (!Array.isArray(entries)) throw kubeconfigError(`${list}: expected a list, found ${describe(entries)}`);
  const found: unknown = entries.find((entry: unknown) => isMap(entry) && entry["name"] === name);
  if (!isMap(found)) {
    const problem = `${from} is "${name}", but ${list} has no entry with this name`;
    throw kubeconfigError(problem, `correct ${from}, or add an entry to ${list}`);
  }
  const entry = found[member] ?? {};
  if (!isMap(entry)) throw kubeconfigError(`${list}[${name}].${member}: expected an object, found ${describe(entry)}`);
  return { entry };
}

/** A text field; `path` is its name in messages. */
export function textAt(map: Readonly<Record<string, unknown>>, field: string, path: string): string | undefined {
  const value = map[field];
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string") throw kubeconfigError(`${path}: expected a string, found ${describe(value)}`);
  return value;
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
