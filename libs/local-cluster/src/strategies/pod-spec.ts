import { listAt, stringAt } from "../objects/json.ts";
import { dnsLabelProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField, unsupportedField } from "../status/field-error.ts";

/** The rules of pod specs that people meet: containers with names and images, each name once, known policies. */
export function validatePodSpec(spec: unknown, at: string): FieldError[] {
  const containers = listAt(spec, "containers");
  const errors: FieldError[] = [];
  if (containers.length === 0) errors.push(requiredField(`${at}.containers`));
  errors.push(...validateContainers(containers, `${at}.containers`));
  errors.push(...validateContainers(listAt(spec, "initContainers"), `${at}.initContainers`));
  errors.push(...validateVolumes(spec, at));
  const policy = stringAt(spec, "restartPolicy");
  const policies = ["Always", "OnFailure", "Never"];
  if (!policies.includes(policy)) errors.push(unsupportedField(`${at}.restartPolicy`, policy, policies));
  return errors;
}

function validateContainers(containers: readonly unknown[], at: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, i) => {
    const errors = validateName(stringAt(container, "name"), `${at}[${i}].name`, seen);
    if (stringAt(container, "image") === "") errors.push(requiredField(`${at}[${i}].image`));
    return errors;
  });
}

function validateVolumes(spec: unknown, at: string): FieldError[] {
  const seen = new Set<string>();
  return listAt(spec, "volumes").flatMap((volume, i) =>
    validateName(stringAt(volume, "name"), `${at}.volumes[${i}].name`, seen),
  );
}

function validateName(name: string, at: string, seen: Set<string>): FieldError[] {
  if (name === "") return [requiredField(at)];
  const errors = dnsLabelProblems(name).map((problem) => invalidField(at, name, problem));
  if (seen.has(name)) {
    errors.push({ reason: "FieldValueDuplicate", field: at, message: `Duplicate value: ${JSON.stringify(name)}` });
  }
  seen.add(name);
  return errors;
}
