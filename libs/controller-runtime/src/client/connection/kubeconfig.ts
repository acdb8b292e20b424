import { LandscaperError } from "@landscaper/api";
import { parse as parseYaml } from "yaml";

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
  } catch {
    throw kubeconfigError("expected YAML, found a text that cannot be parsed");
  }
  if (!isMap(value)) throw kubeconfigError(`expected an object, found ${describe(value)}`);
  return value;
}

/** Follows current-context (or `context`) to its cluster and user. */
export function selectContext(config: Readonly<Record<string, unknown>>, context: string | undefined): SelectedContext {
  const contextName = context ?? textAt(config, "current-context", "current-context");
  if (contextName === undefined) throw kubeconfigError("current-context is missing");
  const { entry: selected } = findNamed(config, { list: "contexts", member: "context", name: contextName });
  const clusterName = textAt(selected, "cluster", `contexts[${contextName}].context.cluster`);
  const userName = textAt(selected, "user", `contexts[${contextName}].context.user`);
  if (clusterName === undefined) throw kubeconfigError(`contexts[${contextName}].context.cluster is missing`);
  const { entry: cluster } = findNamed(config, { list: "clusters", member: "cluster", name: clusterName });
  const user =
    userName === undefined || userName === ""
      ? {}
      : findNamed(config, { list: "users", member: "user", name: userName }).entry;
  return { contextName, clusterName, userName: userName ?? "", cluster, user };
}

function findNamed(
  config: Readonly<Record<string, unknown>>,
  { list, member, name }: { list: string; member: string; name: string },
): { entry: Readonly<Record<string, unknown>> } {
  const entries = config[list] ?? [];
  if (!Array.isArray(entries)) throw kubeconfigError(`${list}: expected a list, found ${describe(entries)}`);
  const found: unknown = entries.find((entry: unknown) => isMap(entry) && entry["name"] === name);
  if (!isMap(found)) throw kubeconfigError(`${list} has no entry with the name "${name}"`);
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
