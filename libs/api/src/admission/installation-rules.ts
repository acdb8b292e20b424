import { installationKind } from "../kinds/installation.ts";
import { maxInstallationNameLength } from "../objects/names.ts";
import { duplicatesOf, isUnique, listOrEmpty, type AdmissionRule, type AdmissionRuleSet } from "./admission-rule.ts";

/** generateName gets 5 characters more. */
const maxGenerateNameLength = maxInstallationNameLength - 5;
const mapKeyPattern = "^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$";

/** How many of the conditions hold, in CEL. */
function exactlyOneOf(conditions: readonly string[]): string {
  return `[${conditions.join(", ")}].filter(isSet, isSet).size() == 1`;
}

function isFilled(field: string): string {
  return `(has(${field}) && ${field} != '')`;
}

const dataSources = exactlyOneOf([isFilled("d.dataRef"), "has(d.secretRef)", "has(d.configMapRef)"]);
const refNames = ["d.secretRef", "d.configMapRef"].map((ref) => `(!has(${ref}) || ${ref}.name != '')`).join(" && ");
const targetSources = exactlyOneOf([
  isFilled("t.target"),
  "has(t.targets)",
  isFilled("t.targetListRef"),
  "has(t.targetMap)",
  isFilled("t.targetMapRef"),
]);

/** A list of names, or a list of maps from a key to a name (core.md §1.5 D4). */
const targetsAreNames = "t.targets.all(e, type(e) == string && e != '')";
const targetsAreMaps = `t.targets.all(e, type(e) == map && size(e) > 0 && e.all(k, k.matches('${mapKeyPattern}') && type(e[k]) == string && e[k] != ''))`;
const targetMapIsLegal = `t.targetMap.all(k, k.matches('${mapKeyPattern}') && t.targetMap[k] != '')`;

interface EntryRule {
  /** Variable with the list. */
  readonly list: string;
  readonly field: string;
  /** Name of an entry in `isGood`. */
  readonly as: string;
  readonly isGood: string;
  readonly expectation: string;
}

/** A rule about each entry; its message names the first that breaks it. */
function everyEntry({ list, field, as, isGood, expectation }: EntryRule): AdmissionRule {
  return {
    expression: `variables.${list}.all(${as}, ${isGood})`,
    message: `${field}: ${expectation}`,
    messageExpression: `'${field}[' + variables.${list}.filter(${as}, !(${isGood}))[0].name + ']: ${expectation}'`,
  };
}

function uniqueNames(names: string, field: string, among: string): AdmissionRule {
  return {
    expression: isUnique(`variables.${names}`),
    message: `${field}: names must be unique among ${among}`,
    messageExpression: `'${field}: the name ' + ${duplicatesOf(`variables.${names}`)} + ' must be unique among ${among}'`,
  };
}

const nameRules: readonly AdmissionRule[] = [
  {
    expression: `!has(object.metadata.generateName) || size(object.metadata.generateName) <= ${maxGenerateNameLength}`,
    message: `metadata.generateName: must have at most ${maxGenerateNameLength} characters`,
  },
  {
    expression: `size(object.metadata.name) <= ${maxInstallationNameLength}`,
    message: `metadata.name: must have at most ${maxInstallationNameLength} characters`,
  },
  {
    expression: "object.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
    message:
      "metadata.name: must be a DNS label: lower-case letters, digits and -, with a letter or digit at both ends",
  },
];

const sourceRules: readonly AdmissionRule[] = [
  {
    expression: "has(object.spec.blueprint.inline) != has(object.spec.blueprint.ref)",
    message: "spec.blueprint: exactly one of inline and ref must be set",
  },
  {
    expression:
      "!has(object.spec.componentDescriptor) || has(object.spec.componentDescriptor.inline) != has(object.spec.componentDescriptor.ref)",
    message: "spec.componentDescriptor: exactly one of inline and ref must be set",
  },
];

const importRules: readonly AdmissionRule[] = [
  {
    expression: "variables.importNames.all(n, n != '')",
    message: "spec.imports: every data and target import must have a name",
  },
  uniqueNames("importNames", "spec.imports", "data and target imports"),
  everyEntry({
    list: "dataImports",
    field: "spec.imports.data",
    as: "d",
    isGood: dataSources,
    expectation: "exactly one of dataRef, secretRef and configMapRef must be set",
  }),
  everyEntry({
    list: "dataImports",
    field: "spec.imports.data",
    as: "d",
    isGood: refNames,
    expectation: "the name of secretRef and configMapRef must not be empty",
  }),
  everyEntry({
    list: "targetImports",
    field: "spec.imports.targets",
    as: "t",
    isGood: targetSources,
    expectation: "exactly one of target, targets, targetListRef, targetMap and targetMapRef must be set",
  }),
  everyEntry({
    list: "targetImports",
    field: "spec.imports.targets",
    as: "t",
    isGood: `!has(t.targets) || ${targetsAreNames} || ${targetsAreMaps}`,
    expectation: "targets must be names that are not empty",
  }),
  everyEntry({
    list: "targetImports",
    field: "spec.imports.targets",
    as: "t",
    isGood: `!has(t.targetMap) || ${targetMapIsLegal}`,
    expectation:
      "targetMap must have keys of at most 63 lower-case letters, digits, - and . that begin and end with a letter or digit, and names that are not empty",
  }),
];

function exportRules(list: string, field: string, reference: string): readonly AdmissionRule[] {
  const expectation = `every export must have a name and a ${reference}`;
  return [
    {
      expression: `variables.${list}.all(e, e.name != '' && has(e.${reference}) && e.${reference} != '')`,
      message: `${field}: ${expectation}`,
    },
    {
      expression: isUnique(`variables.${list}Names`),
      message: `${field}: names must be unique`,
      messageExpression: `'${field}: the name ' + ${duplicatesOf(`variables.${list}Names`)} + ' must be unique'`,
    },
  ];
}

function namesOf(list: string): { name: string; expression: string } {
  return { name: `${list}Names`, expression: `variables.${list}.map(e, e.name)` };
}

/** core.md §3.6 "inst"; cron specs are checked by the controller. */
export const installationRules: AdmissionRuleSet = {
  kind: installationKind,
  variables: [
    { name: "dataImports", expression: listOrEmpty("object.spec.imports.data") },
    { name: "targetImports", expression: listOrEmpty("object.spec.imports.targets") },
    {
      name: "importNames",
      expression: "variables.dataImports.map(d, d.name) + variables.targetImports.map(t, t.name)",
    },
    { name: "dataExports", expression: listOrEmpty("object.spec.exports.data") },
    namesOf("dataExports"),
    { name: "targetExports", expression: listOrEmpty("object.spec.exports.targets") },
    namesOf("targetExports"),
  ],
  rules: [
    ...nameRules,
    ...sourceRules,
    ...importRules,
    ...exportRules("dataExports", "spec.exports.data", "dataRef"),
    ...exportRules("targetExports", "spec.exports.targets", "target"),
  ],
};
