import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { LabelRequirement } from "./label-selector.ts";
import { matchesLabels } from "./label-selector.ts";

/** Whether labels fit a LabelSelector object (matchLabels and matchExpressions); an empty one fits all. */
export function matchesLabelSelector(selector: unknown, labels: unknown): boolean {
  const requirements = labelRequirements(selector);
  const values = Object.entries(isRecord(labels) ? labels : {}).map(([key, value]) => [key, String(value)] as const);
  return matchesLabels(requirements, Object.fromEntries(values));
}

/** The requirements of a LabelSelector object. */
export function labelRequirements(selector: unknown): readonly LabelRequirement[] {
  const equal = Object.entries(recordAt(selector, "matchLabels")).map(([key, value]): LabelRequirement => ({
    key,
    operator: "In",
    values: [String(value)],
  }));
  const expressions = listAt(selector, "matchExpressions").map((expression): LabelRequirement => {
    const operator = stringAt(expression, "operator");
    const values = listAt(expression, "values").filter((value) => typeof value === "string");
    return { key: stringAt(expression, "key"), operator: parseOperator(operator), values };
  });
  return [...equal, ...expressions];
}

function parseOperator(operator: string): LabelRequirement["operator"] {
  switch (operator) {
    case "NotIn":
    case "Exists":
    case "DoesNotExist":
      return operator;
    default:
      return "In";
  }
}
