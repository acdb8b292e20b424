import { isJsonRecord, type JsonRecord } from "../values/json-value.ts";

/** Objects of the namespace of a helm item that its configuration names. */
export interface HelmReferences {
  /** Of `valuesFrom`. */
  readonly secrets: readonly string[];
  /** Targets beside the Target of the item: `targetName` of readiness checks, exports and deletion groups. */
  readonly targets: readonly string[];
}

function fieldsOf(value: unknown): JsonRecord {
  return isJsonRecord(value) ? value : {};
}

function entriesOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function namesOf(entries: readonly JsonRecord[], field: string): readonly string[] {
  const names = entries.map((entry) => entry[field]);
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))] as string[]; // texts alone are left
}

/** Returns what a configuration names, sorted by its fields. Fields of another shape name nothing: the deployer refuses them. */
export function findHelmReferences(config: unknown): HelmReferences {
  const { valuesFrom, readinessChecks, exports, exportsFromManifests, ...groups } = fieldsOf(config);
  const deletion = [groups["deletionGroups"], groups["deletionGroupsDuringUpdate"]].flatMap(entriesOf);
  const naming = [
    ...entriesOf(fieldsOf(readinessChecks)["custom"]),
    ...entriesOf(fieldsOf(exports)["exports"]),
    ...entriesOf(exportsFromManifests),
    ...deletion.map(({ customResourceGroup }) => fieldsOf(customResourceGroup)),
  ];
  const secrets = entriesOf(valuesFrom).filter(({ kind }) => kind === "Secret");
  return { secrets: namesOf(secrets, "name"), targets: namesOf(naming, "targetName") };
}
