import type { PostRenderFields } from "@landscaper/api";
import { matchesLabels, parseLabelSelector, type LabelRequirement } from "@landscaper/controller-runtime";
import { GoRegExp, RegExpSyntaxError } from "@landscaper/golang";
import { isJsonObject } from "@landscaper/resources";
import { configError } from "@landscaper/manifest-deployer-lib";

export type TargetFields = NonNullable<NonNullable<PostRenderFields["patches"]>[number]["target"]>;

/** Which objects a patch is for. */
export interface PatchTarget {
  readonly patterns: readonly (readonly [IdentityField, GoRegExp])[];
  readonly labels: readonly LabelRequirement[];
}

const identityFields = ["group", "version", "kind", "name", "namespace"] as const;
type IdentityField = (typeof identityFields)[number];

/** What names a rendered object; "" for what it does not have. */
export type ObjectIdentity = Readonly<Record<IdentityField, string>>;

/** `where` is the field. Throws LandscaperError. */
export function parseTarget(fields: TargetFields, where: string): PatchTarget {
  const patterns = identityFields.flatMap((field) => {
    const pattern = fields[field];
    return pattern === undefined ? [] : [[field, parsePattern(pattern, `${where}.${field}`)] as const];
  });
  if (patterns.length === 0 && fields.labelSelector === undefined) {
    throw configError(`${where}: expected at least one field, found an empty object`);
  }
  return { patterns, labels: parseLabels(fields.labelSelector ?? "", `${where}.labelSelector`) };
}

/** As kustomize has it: of the whole text. */
function parsePattern(pattern: string, where: string): GoRegExp {
  try {
    return GoRegExp.compile(`^(?:${pattern})$`);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    throw configError(`${where}: expected a regular expression: ${error.message}`);
  }
}

function parseLabels(selector: string, where: string): readonly LabelRequirement[] {
  try {
    return parseLabelSelector(selector);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw configError(`${where}: expected labels such as app=web,tier in (a,b): ${error.message}`);
  }
}

export function matchesTarget(
  { patterns, labels }: PatchTarget,
  object: Readonly<Record<string, unknown>>,
  releaseNamespace: string,
): boolean {
  const identity = identityOf(object, releaseNamespace);
  if (!patterns.every(([field, pattern]) => pattern.test(identity[field]))) return false;
  const own = isJsonObject(object["metadata"]) ? object["metadata"]["labels"] : undefined;
  return labels.length === 0 || matchesLabels(labels, isJsonObject(own) ? textsOf(own) : {});
}

function identityOf(
  { apiVersion, kind, metadata }: Readonly<Record<string, unknown>>,
  namespace: string,
): ObjectIdentity {
  const [group, version] = groupAndVersion(textOf(apiVersion));
  const { name, namespace: own } = isJsonObject(metadata) ? metadata : {};
  return { group, version, kind: textOf(kind), name: textOf(name), namespace: textOf(own) || namespace };
}

function groupAndVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}

function textsOf(labels: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, textOf(value)]));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
