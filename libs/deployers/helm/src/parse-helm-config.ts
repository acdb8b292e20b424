import { parseHelmProviderConfiguration, type HelmProviderConfiguration } from "@landscaper/api";
import { toFloat64Object, type Float64Object, typeWord } from "@landscaper/json";
import { configError, joinIgnoreFields, parseExports, parseReadiness } from "@landscaper/manifest-deployer-lib";
import { isJsonObject, type Export } from "@landscaper/resources";
import type { HelmConfig } from "./helm-config.ts";
import { parsePostRender } from "./post-render/post-render-config.ts";
import { checkLabels } from "./release/check-labels.ts";
import { parseRemediations } from "./remediation/remediation-config.ts";
import { hasTooManyValues, maxValues } from "./values/limit-values.ts";
import { parseValuesFrom } from "./values/values-reference.ts";

/**
 * The provider configuration of a helm item (deployers.md §2.1). Throws LandscaperError naming the field, what was expected and the
 * type of what was found, never a value.
 */
export function parseHelmConfig(value: unknown, where: string): HelmConfig {
  const config = parseHelmProviderConfiguration(value, where);
  const { name, namespace, chart, createNamespace, helmDeployment, updateStrategy } = config;
  checkReleaseName(name, `${where}: name`);
  checkChartSource(chart, `${where}: chart`);
  checkServerSideApply(config, where);
  const values = parseValues(config.values, `${where}: values`);
  const exports = [
    ...parseExports(config.exports?.exports, `${where}: exports.exports`),
    ...parseExports(config.exportsFromManifests, `${where}: exportsFromManifests`),
  ];
  return {
    name,
    namespace,
    helmVersion: config.helmVersion,
    chart,
    createNamespace,
    values,
    given: values,
    valuesFrom: parseValuesFrom(config.valuesFrom, `${where}: valuesFrom`),
    secrets: [],
    secretPaths: undefined,
    labels: checkLabels(config.labels, `${where}: labels`),
    postRender: parsePostRender(config.postRender, `${where}: postRender`),
    isRelease: helmDeployment,
    options: config.helmDeploymentConfig ?? {},
    remediations: parseRemediations(config.helmDeploymentConfig ?? {}, `${where}: helmDeploymentConfig`),
    hooks: config.hooks ?? "refuse",
    updateStrategy,
    serverSideApply: config.serverSideApply,
    requireApproval: config.requireApproval ?? false,
    driftDetection: config.driftDetection ?? "off",
    ignoreFields: joinIgnoreFields(config),
    readinessChecks: parseReadiness(config.readinessChecks, where),
    exports: exports.filter(isFromResource),
    valueExports: exports.filter((entry) => !isFromResource(entry)),
    deletionGroups: config.deletionGroups,
    deletionGroupsDuringUpdate: config.deletionGroupsDuringUpdate,
    continuousReconcile: config.continuousReconcile,
  };
}

function isFromResource({ fromResource }: Export): boolean {
  return fromResource !== undefined;
}

/** Of several sources, all but one would have no effect. An empty `ref` or `resourceRef` is absent, as with the original. */
function checkChartSource({ archive, ref, helmChartRepo, resourceRef }: HelmConfig["chart"], where: string): void {
  const sources = {
    "archive.raw": archive?.raw,
    "archive.remote": archive?.remote,
    ref: ref || undefined,
    helmChartRepo,
    resourceRef: resourceRef || undefined,
  };
  const given = Object.entries(sources).flatMap(([field, value]) => (value === undefined ? [] : [field]));
  if (given.length < 2) return;
  throw configError(
    `${where}: expected exactly one of ${Object.keys(sources).join(", ")}, found ${given.join(" and ")}; remove all but one`,
  );
}

/** What would have no effect is a mistake. */
function checkServerSideApply(
  { updateStrategy, serverSideApply, helmDeployment, helmDeploymentConfig = {} }: HelmProviderConfiguration,
  where: string,
): void {
  if (serverSideApply !== undefined && updateStrategy !== "apply") {
    throw configError(`${where}: serverSideApply: needs updateStrategy apply, found ${updateStrategy ?? "none"}`);
  }
  if (updateStrategy !== "apply" || !helmDeployment) return;
  for (const phase of ["install", "upgrade"] as const) {
    if (helmDeploymentConfig[phase]?.force !== true) continue;
    throw configError(
      `${where}: helmDeploymentConfig.${phase}.force: updateStrategy apply replaces nothing; use serverSideApply.force for fields of others`,
    );
  }
}

/** As Helm has it: a name of DNS, and its records need room for their own name. */
function checkReleaseName(name: string, where: string): void {
  if (/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name) && name.length <= 53) return;
  throw configError(
    `${where}: expected at most 53 lower case letters, digits, "-" and ".", beginning and ending with one`,
  );
}

function parseValues(values: unknown, where: string): Float64Object {
  if (values === undefined || values === null) return {};
  if (hasTooManyValues(values)) throw configError(`${where}: expected at most ${maxValues} values, found more`);
  if (isJsonObject(values)) return toFloat64Object(values);
  throw configError(
    `${where}: expected an object, found ${Array.isArray(values) ? "a list" : `a ${typeWord(values)}`}`,
  );
}
