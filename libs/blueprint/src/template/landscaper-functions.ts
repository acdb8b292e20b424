import { FunctionError } from "@landscaper/golang";
import type { BlueprintComponent } from "../blueprint-component.ts";
import { hostFunctionNames, type HostFunction, type HostFunctionName, type TemplateHost } from "../template-host.ts";
import { checkArguments, type ArgumentType } from "./check-arguments.ts";
import { componentFunctions, type ComponentFunctionName } from "./component-functions.ts";
import { parseOciReference } from "./oci-reference.ts";

type OciFunctionName = "parseOCIRef" | "ociRefRepo" | "ociRefVersion";
export type LandscaperFunctionName = ComponentFunctionName | HostFunctionName | OciFunctionName;

/** Landscaper's own template functions, on plain data. They throw FunctionError for mistakes of the template. */
export type LandscaperFunctions = Readonly<Record<LandscaperFunctionName, HostFunction>>;

/** Functions of both template languages (core.md §3.7): components, OCI references, and what the host gives. */
export function landscaperFunctions(
  component: BlueprintComponent | undefined,
  host: TemplateHost | undefined,
): LandscaperFunctions {
  return { ...componentFunctions(component, host), ...ociFunctions, ...hostFunctions(host) };
}

/** Functions that templates of type Spiff do not have (spiff.md §3.9). */
export const goTemplateOnly: ReadonlySet<string> = new Set<LandscaperFunctionName>([
  "getResources",
  "getRepositoryContext",
]);

const ociFunctions: Readonly<Record<OciFunctionName, HostFunction>> = {
  parseOCIRef: (...args) => parseReference(args),
  ociRefRepo: (...args) => parseReference(args)[0],
  ociRefVersion: (...args) => parseReference(args)[1],
};

function parseReference(args: readonly unknown[]): readonly [string, string] {
  checkArguments(args, ["string"]);
  return parseOciReference(String(args[0]));
}

/** Name, namespace, seconds and Target, and what issuer and client are for OIDC (spiff.md §3.9). */
const hostFunctionArguments: Readonly<Record<HostFunctionName, readonly ArgumentType[]>> = {
  getShootAdminKubeconfig: ["string", "string", "integer", "map"],
  getShootAdminKubeconfigWithExpirationTimestamp: ["string", "string", "integer", "map"],
  getServiceAccountKubeconfig: ["string", "string", "integer", "map"],
  getServiceAccountKubeconfigWithExpirationTimestamp: ["string", "string", "integer", "map"],
  getOidcKubeconfig: ["string", "string", "map"],
};

function hostFunctions(host: TemplateHost | undefined): Readonly<Record<HostFunctionName, HostFunction>> {
  const entries = hostFunctionNames.map((name): [HostFunctionName, HostFunction] => [
    name,
    (...args) => {
      checkArguments(args, hostFunctionArguments[name]);
      const call = host?.functions?.[name];
      if (call !== undefined) return call(...args);
      throw new FunctionError("this function needs access to a cluster, and there is none here");
    },
  ]);
  return Object.fromEntries(entries) as Record<HostFunctionName, HostFunction>; // one entry for each name, as built above
}
