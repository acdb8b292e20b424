import { isNumeric, listAt, recordAt } from "../objects/json.ts";
import { qualifiedNameProblems } from "../objects/validate-names.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import { all, dnsLabel, each, exactlyOneOf, isAbsent, labelValue, labels, required, textOf } from "./field-rules.ts";

/** Requires a valid label key; an absent key is invalid, too. */
export const labelKey: FieldRule = (value, at) => {
  const key = typeof value === "string" ? value : "";
  return qualifiedNameProblems(key).map((problem) => invalidField(at, key, problem));
};

function operatorErrors(
  owner: Owner,
  at: string,
  counts: Readonly<Record<string, readonly [least: number, most: number]>>,
): FieldError[] {
  const operator = textOf(owner["operator"] ?? "");
  const values = listAt(owner, "values");
  const range = Object.hasOwn(counts, operator) ? counts[operator] : undefined;
  if (range === undefined) return [invalidField(`${at}.operator`, operator, "not a valid selector operator")];
  const [least, most] = range;
  if (values.length < least) {
    return [requiredField(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (values.length <= most) return [];
  return [forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
}

const many = [1, Number.POSITIVE_INFINITY] as const;
const none = [0, 0] as const;
const setOperators = { In: many, NotIn: many, Exists: none, DoesNotExist: none };
const nodeOperators = { ...setOperators, Gt: many, Lt: many };
const comparing = ["Gt", "Lt"];

/** Selectors of labels, nodes and taints. */
export const selectorRules: Readonly<Record<string, StructRules>> = {
  LabelSelector: { fields: { matchLabels: labels } },
  LabelSelectorRequirement: {
    fields: { key: labelKey, values: each(labelValue) },
    whole: (owner, at) => operatorErrors(owner, at, setOperators),
  },
  NodeSelector: { fields: { nodeSelectorTerms: required("must have at least one node selector term") } },
  NodeSelectorTerm: {
    fields: {
      matchExpressions: each((value, at) => nodeRequirement(value, at, labelKey)),
      matchFields: each((value, at) => nodeField(value, at)),
    },
  },
  PreferredSchedulingTerm: { fields: { weight: weight } },
  WeightedPodAffinityTerm: { fields: { weight: weight } },
  PodAffinityTerm: {
    fields: {
      topologyKey: all(required("can not be empty"), labelKey),
      namespaces: each((value, at, owner) => dnsLabel(value, at.replace(/namespaces\[\d+\]$/, "namespace"), owner)),
      matchLabelKeys: each(labelKey),
      mismatchLabelKeys: each(labelKey),
    },
    whole: ({ matchLabelKeys, mismatchLabelKeys }, at) => {
      const others = listAt(mismatchLabelKeys);
      return listAt(matchLabelKeys).flatMap((key, i) =>
        others.includes(key)
          ? [invalidField(`${at}.matchLabelKeys[${i}]`, key, "exists in both matchLabelKeys and mismatchLabelKeys")]
          : [],
      );
    },
  },
};

function weight(value: unknown, at: string): readonly FieldError[] {
  const number = isNumeric(value) ? value : 0;
  return number >= 1 && number <= 100 ? [] : [invalidField(at, number, "must be in the range 1-100")];
}

function nodeRequirement(value: unknown, at: string, key: FieldRule): readonly FieldError[] {
  const owner = recordAt(value);
  return [
    ...key(owner["key"], `${at}.key`, owner),
    ...(["In", "NotIn"].includes(textOf(owner["operator"]))
      ? each(labelValue)(owner["values"], `${at}.values`, owner)
      : []),
    ...operatorErrors(owner, at, nodeOperators),
    ...(comparing.includes(textOf(owner["operator"])) && listAt(owner, "values").length > 1
      ? [requiredField(`${at}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
      : []),
  ];
}

function nodeField(value: unknown, at: string): readonly FieldError[] {
  const owner = recordAt(value);
  const field = textOf(owner["key"] ?? "");
  const errors: FieldError[] = [];
  if (!["In", "NotIn"].includes(textOf(owner["operator"] ?? ""))) {
    errors.push(invalidField(`${at}.operator`, owner["operator"] ?? "", "not a valid selector operator"));
  } else if (listAt(owner, "values").length !== 1)
    errors.push(
      requiredField(
        `${at}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (field !== "metadata.name") errors.push(invalidField(`${at}.key`, field, "not a valid field selector key"));
  return errors;
}

/** Taints of nodes and tolerations of pods. */
export const taintEffects = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

export function validateToleration(owner: Owner, at: string): readonly FieldError[] {
  const operator = textOf(owner["operator"] ?? "");
  const effect = textOf(owner["effect"] ?? "");
  const errors: FieldError[] = [];
  if (!isAbsent(owner["key"])) errors.push(...labelKey(owner["key"], `${at}.key`, owner));
  if (isAbsent(owner["key"]) && operator !== "Exists") {
    errors.push(invalidField(`${at}.operator`, operator, "operator must be Exists when `key` is empty"));
  }
  if (owner["tolerationSeconds"] !== undefined && effect !== "NoExecute") {
    errors.push(invalidField(`${at}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  if (["", "Equal"].includes(operator)) {
    const isValue = labelValue(owner["value"], `${at}.operator`, owner).length === 0;
    if (!isValue) errors.push(invalidField(`${at}.operator`, owner["value"], "a valid label value is required"));
  } else if (operator === "Exists") {
    if (!isAbsent(owner["value"])) {
      errors.push(invalidField(`${at}.operator`, operator, "value must be empty when `operator` is 'Exists'"));
    }
  } else errors.push(...exactlyOneOf("Equal", "Exists")(operator, `${at}.operator`, owner));
  if (effect !== "") errors.push(...exactlyOneOf(...taintEffects)(effect, `${at}.effect`, owner));
  return errors;
}
