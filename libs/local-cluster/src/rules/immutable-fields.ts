import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField } from "../status/field-error.ts";
import { volumeSources } from "./storage-rules.ts";

interface ImmutableField {
  readonly path: string;
  /** Path in the error, if the real server prints another one than `path`. */
  readonly printed?: string;
  /** Default: an invalid value. */
  readonly detail?: string;
  readonly isForbidden?: boolean;
  /** Whether an update may set a field that was absent. */
  readonly maySet?: boolean;
}

const field = (path: string, more: Partial<ImmutableField> = {}): ImmutableField => ({ path, ...more });
const forbidden = (path: string, detail: string, more: Partial<ImmutableField> = {}): ImmutableField =>
  field(path, { detail, isForbidden: true, ...more });

/** Fields that an update may not change, by the storage of the kind. */
const immutableFields: Readonly<Record<string, readonly ImmutableField[]>> = {
  "controllerrevisions.apps": [field("data")],
  nodes: [
    forbidden("spec.podCIDRs", 'node updates may not change podCIDR except from "" to valid', { maySet: true }),
    forbidden("spec.providerID", 'node updates may not change providerID except from "" to valid', { maySet: true }),
    forbidden("spec.externalID", "may not be updated"),
  ],
  persistentvolumes: [
    ...volumeSources.map((name) =>
      forbidden(`spec.${name}`, "spec.persistentvolumesource is immutable after creation", {
        printed: "spec.persistentvolumesource",
      }),
    ),
    field("spec.volumeMode", { printed: "volumeMode" }),
    field("spec.nodeAffinity", { printed: "nodeAffinity", maySet: true }),
  ],
  "endpointslices.discovery.k8s.io": [field("addressType")],
  "ingressclasses.networking.k8s.io": [field("spec.controller")],
  "priorityclasses.scheduling.k8s.io": [
    forbidden("value", "may not be changed in an update."),
    field("preemptionPolicy"),
  ],
  resourcequotas: [field("spec.scopes")],
  "storageclasses.storage.k8s.io": [
    forbidden("parameters", "updates to parameters are forbidden."),
    forbidden("provisioner", "updates to provisioner are forbidden."),
    forbidden("reclaimPolicy", "updates to reclaimPolicy are forbidden."),
    field("volumeBindingMode"),
  ],
};

/** Compiles the check for changed immutable fields. Returns undefined if the kind has no such field. */
export function compileImmutable(
  storage: string,
): ((object: UnstructuredObject, old: UnstructuredObject) => readonly FieldError[]) | undefined {
  const fields = immutableFields[storage]?.map((rule) => ({ ...rule, steps: rule.path.split(".") }));
  if (fields === undefined) return undefined;
  return (object, old) =>
    fields.flatMap(
      ({ steps, path, printed = path, detail = "field is immutable", isForbidden = false, maySet = false }) => {
        const [now, before] = [fieldAt(object, ...steps), fieldAt(old, ...steps)];
        if (equalJson(now, before) || (maySet && before === undefined)) return [];
        return [isForbidden ? forbiddenField(printed, detail) : invalidField(printed, now ?? null, detail)];
      },
    );
}
