import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fromYaml } from "@landscaper/goyaml";

/** Where a kubeconfig is looked for. */
export interface KubeconfigPlace {
  readonly file: string | undefined;
  readonly context: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The namespace of the current context, as kubectl has it; undefined when nothing says one. Nothing else is read. */
export function kubeconfigNamespace({ file, context, environment }: KubeconfigPlace): string | undefined {
  const named = file ?? environment["KUBECONFIG"] ?? "";
  const files = named === "" ? [join(environment["HOME"] ?? homedir(), ".kube/config")] : named.split(delimiter);
  const configs = files.map(readConfig);
  const wanted = context ?? configs.map((config) => config["current-context"]).find(isName);
  for (const entry of configs.flatMap((config) => listOf(config["contexts"]))) {
    if (recordOf(entry)["name"] !== wanted) continue;
    const namespace = recordOf(recordOf(entry)["context"])["namespace"];
    return isName(namespace) ? namespace : undefined;
  }
  return undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** A file that is not there, or is none, says nothing: no cluster is needed here. */
function readConfig(file: string): Readonly<Record<string, unknown>> {
  try {
    return recordOf(fromYaml(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
