import type { LocalRef, Secret } from "@landscaper/api";
import { fromYaml, toYaml } from "@landscaper/goyaml";
import { invalidTargetSync } from "./target-sync-error.ts";

/** Entry of a Secret that holds a kubeconfig when its reference names none. */
export const kubeconfigKey = "kubeconfig";

/** The kubeconfig in a Secret. Messages name Secret and entry, never a value. */
export function readKubeconfig(secret: Secret, ref: LocalRef): string {
  const key = entryOf(ref);
  const value = secret.data?.[key];
  if (value === undefined) throw invalidTargetSync(`spec.secretRef: Secret ${ref.name} has no key "${key}"`);
  return Buffer.from(value, "base64").toString("utf8");
}

/** The Secret with another kubeconfig. */
export function replaceKubeconfig(secret: Secret, ref: LocalRef, kubeconfig: string): Secret {
  return { ...secret, data: { ...secret.data, [entryOf(ref)]: Buffer.from(kubeconfig).toString("base64") } };
}

function entryOf({ key }: LocalRef): string {
  return key === undefined || key === "" ? kubeconfigKey : key;
}

/** The only user of a kubeconfig, which is what token rotation works with (core.md §3.9). */
export interface SoleUser {
  /** Also the name of its ServiceAccount in the source namespace. */
  readonly name: string;
  readonly token: string | undefined;
  /** The kubeconfig with another token. */
  readonly withToken: (token: string) => string;
}

export function soleUserOf(kubeconfig: string): SoleUser {
  const config = parseMap(kubeconfig);
  const users = config["users"];
  const list: readonly unknown[] = Array.isArray(users) ? users : [];
  const [entry] = list;
  if (list.length !== 1 || !isMap(entry)) {
    throw invalidTargetSync(`token rotation: expected a kubeconfig with one user, found ${list.length}`);
  }
  const { name } = entry;
  if (typeof name !== "string" || name === "") throw invalidTargetSync("token rotation: users[0].name is missing");
  const user = isMap(entry["user"]) ? entry["user"] : {};
  const { token } = user;
  return {
    name,
    token: typeof token === "string" ? token : undefined,
    withToken: (next) => toYaml({ ...config, users: [{ ...entry, user: { ...user, token: next } }] }),
  };
}

/**
 * The shoot that a kubeconfig of Gardener is for, by its current context, such as "garden-<project>--<shoot>-external"; undefined
 * when that names no cluster of the project. The namespace of a project is "garden-<project>".
 */
export function shootOf(kubeconfig: string, projectNamespace: string): string | undefined {
  const context = parseMap(kubeconfig)["current-context"];
  const project = projectNamespace.replace(/^garden-/, "");
  const [, owner, shoot] = /^(?:garden-|shoot--)?(.*?)--(.+?)(?:-external|-internal)?$/.exec(String(context)) ?? [];
  return owner === project ? shoot : undefined;
}

function parseMap(kubeconfig: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = fromYaml(kubeconfig);
  } catch {
    // The parser's own message would quote the text.
    throw invalidTargetSync("kubeconfig: expected YAML, found a text that cannot be parsed");
  }
  if (!isMap(value)) throw invalidTargetSync("kubeconfig: expected an object");
  return value;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
