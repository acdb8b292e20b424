import {
  LandscaperError,
  deployerApiVersion,
  parseManifestProviderConfiguration,
  parseManifestProviderConfigurationV1alpha1,
  type ManifestProviderConfiguration,
  type ReadinessChecks as ReadinessFields,
  type ResourceExport,
  type TypedObjectRef,
  type Warning,
} from "@landscaper/api";
import {
  checkManifest,
  compileFieldPath,
  describeTextProblems,
  expandManifests,
  findTextProblems,
  formatResource,
  isJsonObject,
  referenceTo,
  warnOfManifests,
  type CheckedResource,
  type CustomCheck,
  type Export,
  type HealthChecker,
  type IgnoreRule,
  type Manifest,
  type ReadinessChecks,
} from "@landscaper/resources";
import { parseEmptyStatus } from "./empty-status.ts";
import type { ManifestConfig } from "./manifest-config.ts";

/**
 * The provider configuration of a manifest item, v1alpha1 or v1alpha2 (deployers.md §2.2). Throws LandscaperError naming the
 * field, what was expected and the type of what was found, never a value.
 */
export function parseManifestConfig(value: unknown, where: string): ManifestConfig {
  const config = parseVersion(value, where);
  const manifests = config.manifests ?? [];
  for (const [index, { manifest }] of manifests.entries()) {
    const [problem] = checkManifest(manifest, `manifests[${index}].manifest`);
    if (problem === undefined) continue;
    const { text, hint } = describeTextProblems([problem]);
    throw configError(`${where}: ${text}`, problem.expected === "a string" ? hint : undefined);
  }
  // Checked above: each entry is an object with apiVersion, kind and name, or a List of such objects.
  const expanded = expandManifests(manifests as unknown as readonly Manifest[]);
  checkTexts(expanded, where);
  return {
    updateStrategy: config.updateStrategy,
    serverSideApply: config.serverSideApply,
    requireApproval: config.requireApproval ?? false,
    driftDetection: config.driftDetection ?? "off",
    ignoreFields: joinIgnoreFields(config),
    manifests: expanded,
    readinessChecks: parseReadiness(config.readinessChecks, where),
    exports: parseExports(config.exports?.exports, `${where}: exports.exports`),
    deletionGroups: config.deletionGroups,
    deletionGroupsDuringUpdate: config.deletionGroupsDuringUpdate,
    continuousReconcile: config.continuousReconcile,
  };
}

/** The API server refuses these manifests however often they are sent. What the item ignores is not sent. */
function checkTexts(manifests: readonly Manifest[], where: string): void {
  for (const { policy, manifest } of manifests) {
    const problems = policy === "ignore" ? [] : findTextProblems(manifest);
    if (problems.length === 0) continue;
    const { text, hint } = describeTextProblems(problems);
    throw configError(`${where}: ${formatResource(referenceTo(manifest))}: ${text}`, hint);
  }
}

/** The fields that a configuration ignores, under both names. */
export function joinIgnoreFields({
  ignoreFields = [],
  driftIgnore = [],
}: Pick<ManifestProviderConfiguration, "ignoreFields" | "driftIgnore">): readonly IgnoreRule[] {
  return [...ignoreFields, ...driftIgnore];
}

/** Settings of a deployer that apply to all items. */
export interface DeployerRules {
  /** Fields of objects that others may change. */
  readonly ignoreFields?: readonly IgnoreRule[] | undefined;
  readonly health: HealthChecker;
  /** Whether names, namespaces and kinds of objects may derive from secrets. */
  readonly allowSecretNames?: boolean | undefined;
}

interface RuledConfig {
  readonly ignoreFields: readonly IgnoreRule[];
  readonly readinessChecks: ReadinessChecks | undefined;
}

/** Returns a parser that adds the settings of the deployer to the parsed configuration. */
export function addDeployerRules<T extends RuledConfig>(
  parse: (value: unknown, where: string) => T,
  { ignoreFields = [], health, allowSecretNames }: DeployerRules,
): (value: unknown, where: string) => T {
  return (value, where) => {
    const config = parse(value, where);
    const readinessChecks = config.readinessChecks && { ...config.readinessChecks, health };
    return { ...config, ignoreFields: [...config.ignoreFields, ...ignoreFields], readinessChecks, allowSecretNames };
  };
}

/** Warnings of the manifests of a configuration, v1alpha1 or v1alpha2, that are accepted although they may not be meant so. Pure. */
export function warnOfManifestConfig(value: unknown, where: string): readonly Warning[] {
  const manifests = isJsonObject(value) && Array.isArray(value["manifests"]) ? value["manifests"] : [];
  const isBare = isJsonObject(value) && value["apiVersion"] === deployerApiVersion("manifest");
  const objects = manifests.map((entry: unknown) => (isBare || !isJsonObject(entry) ? entry : entry["manifest"]));
  return warnOfManifests(objects, (index) => `${where}: manifests[${index}]${isBare ? "" : ".manifest"}`);
}

/** v1alpha1 differs in its manifests alone: bare objects with policy manage. Everything else is carried over. */
function parseVersion(value: unknown, where: string): ManifestProviderConfiguration {
  const apiVersion = isJsonObject(value) ? value["apiVersion"] : undefined;
  if (apiVersion !== deployerApiVersion("manifest")) return parseManifestProviderConfiguration(value, where);
  const { manifests = [], ...others } = parseManifestProviderConfigurationV1alpha1(value, where);
  const entries = manifests.map((manifest) => ({ policy: "manage" as const, manifest }));
  return { ...others, apiVersion: deployerApiVersion("manifest", "v1alpha2"), manifests: entries };
}

/** Field `readinessChecks`. Throws LandscaperError as parseManifestConfig does. */
export function parseReadiness(fields: ReadinessFields | undefined, where: string): ReadinessChecks | undefined {
  if (fields === undefined) return undefined;
  const custom = (fields.custom ?? []).map((check, index) =>
    parseCheck(check, `${where}: readinessChecks.custom[${index}]`),
  );
  const { emptyStatusWait: _wait, emptyStatusWaitByKind: _byKind, ...others } = fields;
  return { ...others, custom, emptyStatus: parseEmptyStatus(fields, `${where}: readinessChecks`) };
}

function parseCheck(check: NonNullable<ReadinessFields["custom"]>[number], where: string): CustomCheck {
  const { resourceSelector, labelSelector } = check;
  if (resourceSelector === undefined && labelSelector === undefined) {
    throw configError(`${where}: expected resourceSelector or labelSelector, found neither`);
  }
  const { requirements = [], cel } = check;
  if (requirements.length === 0 && cel === undefined) {
    throw configError(`${where}: expected requirements or cel, found neither`);
  }
  for (const [index, { jsonPath, operator, values = [] }] of requirements.entries()) {
    const at = `${where}.requirements[${index}]`;
    compileFieldPath(jsonPath, `${at}.jsonPath`);
    const needsValue = operator !== "!" && operator !== "exists";
    if (needsValue && values.length === 0) throw configError(`${at}.values: operator ${operator} needs a value`);
    if (values.length > 1 && operator !== "in" && operator !== "notin") {
      throw configError(`${at}.values: operator ${operator} takes one value, found ${values.length}`);
    }
  }
  const selected = resourceSelector?.map((entry, index) =>
    parseReference(entry, `${where}.resourceSelector[${index}]`),
  );
  return { ...check, resourceSelector: selected };
}

/** A list of exports; `where` is its field. Throws LandscaperError as parseManifestConfig does. */
export function parseExports(entries: readonly ResourceExport[] | undefined, where: string): Export[] {
  return (entries ?? []).map((entry, index) => parseExport(entry, `${where}[${index}]`));
}

function parseExport(entry: ResourceExport, where: string): Export {
  compileFieldPath(entry.jsonPath, `${where}.jsonPath`);
  if (entry.fromObjectRef !== undefined)
    compileFieldPath(entry.fromObjectRef.jsonPath, `${where}.fromObjectRef.jsonPath`);
  const fromResource =
    entry.fromResource === undefined ? undefined : parseReference(entry.fromResource, `${where}.fromResource`);
  return { ...entry, fromResource };
}

function parseReference(reference: TypedObjectRef, where: string): CheckedResource {
  const { name } = reference;
  if (name === undefined || name === "") throw configError(`${where}.name: required field is missing`);
  return { ...reference, name };
}

/** A configuration that cannot work; `message` names the field. */
export function configError(message: string, hint?: string): LandscaperError {
  return new LandscaperError({
    message,
    hint,
    reason: "InvalidInput",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
