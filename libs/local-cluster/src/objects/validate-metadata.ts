import type { ObjectMeta, OwnerReference } from "@landscaper/api";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import { equalJson } from "./json.ts";
import { dnsSubdomainProblems, labelValueProblems, qualifiedNameProblems } from "./validate-names.ts";

const maxAnnotationBytes = 256 * 1024;

/** Finalizers without a domain that Kubernetes itself uses. */
const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/**
 * Models apimachinery/pkg/api/validation/objectmeta.go ValidateObjectMetaAccessor; finalizers without a domain are refused for
 * built-in kinds only.
 */
export function validateMetadata(
  metadata: ObjectMeta,
  { custom, strategy }: Pick<ResourceDefinition, "custom" | "strategy">,
): readonly FieldError[] {
  const validateName = strategy.validateName ?? dnsSubdomainProblems;
  const errors: FieldError[] = [];
  const { name = "", generateName = "" } = metadata;
  if (generateName !== "") {
    // The server appends characters, so that a dash at the end is no problem.
    for (const problem of validateName(generateName.replace(/-$/, "a"))) {
      errors.push(invalidField("metadata.generateName", generateName, problem));
    }
  }
  if (name === "") errors.push(requiredField("metadata.name", "name or generateName is required"));
  else for (const problem of validateName(name)) errors.push(invalidField("metadata.name", name, problem));
  return [
    ...errors,
    ...validateLabels(metadata.labels ?? {}),
    ...validateAnnotations(metadata.annotations ?? {}),
    ...validateOwners(metadata.ownerReferences ?? []),
    ...validateFinalizers(metadata.finalizers ?? [], custom || strategy.allowsBareFinalizers === true),
  ];
}

/** What an update may not change. Models ValidateObjectMetaAccessorUpdate. */
export function validateMetadataUpdate(metadata: ObjectMeta, old: ObjectMeta): readonly FieldError[] {
  const errors: FieldError[] = [];
  const immutable = ["name", "uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const;
  if (old.deletionTimestamp !== undefined) {
    const added = (metadata.finalizers ?? []).filter((finalizer) => !(old.finalizers ?? []).includes(finalizer));
    if (added.length > 0) {
      const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
      errors.push(
        forbiddenField(
          "metadata.finalizers",
          `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
        ),
      );
    }
  }
  for (const field of immutable) {
    if (!equalJson(metadata[field], old[field])) {
      errors.push(
        invalidField(`metadata.${field}`, metadata[field] ?? (field === "name" ? "" : null), "field is immutable"),
      );
    }
  }
  return errors;
}

function validateLabels(labels: Readonly<Record<string, string>>): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidField("metadata.labels", key, problem)),
    ...labelValueProblems(value).map((problem) => invalidField("metadata.labels", value, problem)),
  ]);
}

function validateAnnotations(annotations: Readonly<Record<string, string>>): FieldError[] {
  const errors = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalidField("metadata.annotations", key, problem)),
  );
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (bytes > maxAnnotationBytes) {
    const message = `Too long: may not be more than ${maxAnnotationBytes} bytes`;
    errors.push({ reason: "FieldValueTooLong", field: "metadata.annotations", message });
  }
  return errors;
}

function validateFinalizers(finalizers: readonly string[], allowsBare: boolean): FieldError[] {
  const problems = finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalidField("metadata.finalizers", finalizer, problem)),
  );
  if (allowsBare) return problems;
  const text = "name is neither a standard finalizer name nor is it fully qualified";
  const bare = finalizers.flatMap((finalizer, i) =>
    finalizer.includes("/") || standardFinalizers.has(finalizer)
      ? []
      : [invalidField(`metadata.finalizers[${i}]`, finalizer, text)],
  );
  return [...problems, ...bare];
}

function validateOwners(owners: readonly OwnerReference[]): FieldError[] {
  const errors = owners.flatMap((owner) => [...validateOwner(owner), ...validateOwnerKind(owner)]);
  const [first, second] = owners.filter(({ controller }) => controller === true);
  if (first !== undefined && second !== undefined) {
    const names = `${first.kind}/${first.name} and ${second.kind}/${second.name}`;
    const text = `Only one reference can have Controller set to true. Found "true" in references for ${names}`;
    errors.push(invalidField("metadata.ownerReferences", owners, text));
  }
  return errors;
}

function validateOwner(owner: OwnerReference): FieldError[] {
  const required = [
    ["apiVersion", owner.apiVersion, "version must not be empty"],
    ["kind", owner.kind, "must not be empty"],
    ["name", owner.name, "must not be empty"],
    ["uid", owner.uid, "must not be empty"],
  ] as const;
  return required
    .filter(([, value]) => (value ?? "") === "")
    .map(([field, , text]) => invalidField(`metadata.ownerReferences.${field}`, "", text));
}

function validateOwnerKind(owner: OwnerReference): FieldError[] {
  if (owner.apiVersion !== "v1" || owner.kind !== "Event") return [];
  const text = "/v1, Kind=Event is disallowed from being an owner";
  return [invalidField("metadata.ownerReferences", owner, text)];
}
