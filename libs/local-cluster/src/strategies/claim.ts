import type { UnstructuredObject } from "@landscaper/api";
import { parseQuantity } from "../builtin-types/quantity.ts";
import { equalJson, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField } from "../status/field-error.ts";
import { withFinalizer } from "./protection.ts";

/** Claims never change, but for the storage that a bound one asks for: that may grow. */
export const claimStrategy: Strategy = {
  prepareForCreate: withFinalizer("kubernetes.io/pvc-protection"),
  // The older of the two fields for the source of a claim is a copy of the newer one, and the other way round.
  applyDefaults: (claim) => {
    const { dataSource, dataSourceRef, ...others } = recordAt(claim, "spec");
    // Sources in other namespaces are behind a feature gate that is off: such a reference is dropped.
    const isDropped = stringAt(dataSourceRef, "namespace") !== "";
    const spec: Record<string, unknown> = {
      ...others,
      ...(isDropped || dataSourceRef === undefined ? {} : { dataSourceRef }),
    };
    const source = spec["dataSourceRef"] ?? (isKnownSource(dataSource) ? dataSource : undefined);
    if (source === undefined) return dataSource === undefined && !isDropped ? claim : { ...claim, spec };
    const older = isKnownSource(dataSource) ? dataSource : source;
    return { ...claim, spec: { ...spec, dataSource: older, dataSourceRef: source } };
  },
  validate: (claim, old) => (old === undefined ? [] : validateUpdate(claim, old)),
};

/** The older field takes claims and snapshots; others are dropped. */
function isKnownSource(source: unknown): boolean {
  const kind = `${stringAt(source, "apiGroup")}/${stringAt(source, "kind")}`;
  return ["/PersistentVolumeClaim", "snapshot.storage.k8s.io/VolumeSnapshot"].includes(kind);
}

const onlyStorage =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

function validateUpdate(claim: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  const [spec, before] = [recordAt(claim, "spec"), recordAt(old, "spec")];
  const isBound = stringAt(old, "status", "phase") === "Bound";
  const errors: FieldError[] = [];
  if (!equalJson(fixedPart(spec, isBound), fixedPart(before, isBound)))
    errors.push(forbiddenField("spec", onlyStorage));
  if (!equalJson(spec["volumeMode"], before["volumeMode"])) {
    errors.push(invalidField("volumeMode", spec["volumeMode"] ?? null, "field is immutable"));
  }
  const capacity = parseQuantity(stringAt(old, "status", "capacity", "storage"));
  if (storageOf(spec) < storageOf(before) && storageOf(spec) <= capacity) {
    const text = "field can not be less than status.capacity";
    errors.push(forbiddenField("spec.resources.requests.storage", text));
  }
  return errors;
}

function storageOf(spec: unknown): bigint {
  return parseQuantity(stringAt(spec, "resources", "requests", "storage"));
}

/** A claim gets the volume that it is bound to after its creation. */
function fixedPart(spec: Readonly<Record<string, unknown>>, isBound: boolean): unknown {
  const { resources, volumeAttributesClassName: _class, ...rest } = spec;
  const { requests, ...others } = recordAt({ resources }, "resources");
  const { storage: _storage, ...amounts } = recordAt({ requests }, "requests");
  return isBound ? { ...rest, resources: { ...others, requests: amounts } } : { ...spec };
}
