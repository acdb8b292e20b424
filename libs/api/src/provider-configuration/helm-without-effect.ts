import type { IgnoredField } from "../schema/ignored-fields.ts";
import { isJsonRecord, type JsonRecord } from "../values/json-value.ts";

const phases = ["install", "upgrade", "uninstall"] as const;
/** Also charts that make no release are checked against their schemas. */
const checksOfValues = "skipSchemaValidation";

/**
 * The fields of a helm configuration that have no effect because of others, in any form that a user may have written. Those that never have
 * one are in the schema.
 */
export function findHelmFieldsWithoutEffect(config: unknown): readonly IgnoredField[] {
  if (!isJsonRecord(config)) return [];
  return config["helmDeployment"] === false ? findWithoutRelease(config) : findOfRelease(config);
}

interface Phase {
  readonly name: string;
  readonly fields: JsonRecord;
}

function phasesOf({ helmDeploymentConfig: options }: JsonRecord): readonly Phase[] {
  if (!isJsonRecord(options)) return [];
  return phases.flatMap((name) => {
    const fields = options[name];
    return isJsonRecord(fields) ? [{ name: `helmDeploymentConfig.${name}`, fields }] : [];
  });
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0);
}

function findWithoutRelease(config: JsonRecord): readonly IgnoredField[] {
  const why = "helmDeployment is false, so that there is no release";
  const ofReleases = isSet(config["labels"]) ? [{ path: "labels", why }] : [];
  const ofPhases = phasesOf(config).flatMap(({ name, fields }) =>
    Object.entries(fields)
      // The timeout of an uninstallation never has an effect, as its schema says.
      .filter(([field, value]) => isSet(value) && field !== checksOfValues && !isTimeoutOfUninstall(name, field))
      .map(([field]) => ({ path: `${name}.${field}`, why })),
  );
  return [...ofReleases, ...ofPhases];
}

function isTimeoutOfUninstall(phase: string, field: string): boolean {
  return phase.endsWith(".uninstall") && field === "timeout";
}

function findOfRelease(config: JsonRecord): readonly IgnoredField[] {
  const { hooks, updateStrategy, deletionGroups } = config;
  const found: IgnoredField[] = [];
  if (isSet(hooks)) found.push({ path: "hooks", why: "a release runs the hooks of its chart" });
  if (isSet(updateStrategy) && updateStrategy !== "apply" && updateStrategy !== "update") {
    found.push({ path: "updateStrategy", why: "a release is updated by the three-way merge of Helm, or by apply" });
  }
  if (isSet(deletionGroups))
    found.push({ path: "deletionGroups", why: "a release is uninstalled in the order of Helm" });
  return [...found, ...phasesOf(config).flatMap((phase) => [...findOfWait(phase, config), ...findOfAttempts(phase)])];
}

/** An item without `helmVersion` may work as Helm 4, where `atomic` implies `wait`. */
function findOfWait({ name, fields }: Phase, { helmVersion }: JsonRecord): IgnoredField[] {
  const { wait, waitStrategy, waitForJobs, atomic } = fields;
  const given = Object.entries({ waitStrategy, waitForJobs }).filter(([, value]) => isSet(value));
  const mayWait = wait === true || (atomic === true && helmVersion !== "3");
  if (!mayWait) return given.map(([field]) => ({ path: `${name}.${field}`, why: "wait is not true" }));
  if (waitStrategy !== "hookOnly" || !isSet(waitForJobs)) return [];
  return [{ path: `${name}.waitForJobs`, why: "waitStrategy hookOnly waits for hooks only" }];
}

function findOfAttempts({ name, fields }: Phase): IgnoredField[] {
  const { atomic, remediation, timeout } = fields;
  const hasTimeout = isSet(timeout) && !isTimeoutOfUninstall(name, "timeout");
  if (!isSet(remediation)) {
    const why = "without remediation the timeout of the deploy item counts";
    return hasTimeout ? [{ path: `${name}.timeout`, why }] : [];
  }
  if (atomic !== true) return [];
  const why = "atomic undoes the first failure";
  return [...(hasTimeout ? [{ path: `${name}.timeout`, why }] : []), { path: `${name}.remediation`, why }];
}
