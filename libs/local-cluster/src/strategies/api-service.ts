import { stringAt } from "../objects/json.ts";
import { pathSegmentProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import { invalidField } from "../status/field-error.ts";

/** APIServices are named by the version that they serve. */
export const apiServiceStrategy: Strategy = {
  allowsBareFinalizers: true,
  validateName: pathSegmentProblems,
  validate: (service) => {
    const [version, group] = [stringAt(service, "spec", "version"), stringAt(service, "spec", "group")];
    const { name = "" } = service.metadata;
    const expected = `${version}.${group}`;
    return name === expected
      ? []
      : [invalidField("metadata.name", name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`)];
  },
};
