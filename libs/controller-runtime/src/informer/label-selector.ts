/** A parsed label selector. */
export type LabelRequirement =
  | { readonly key: string; readonly operator: "exists" | "absent" }
  | { readonly key: string; readonly operator: "in" | "notIn"; readonly values: readonly string[] };

const setPattern = /^([^\s!=,()]+)\s+(in|notin)\s*\(([^)]*)\)$/;
const equalityPattern = /^([^\s!=,()]+)\s*(==|=|!=)\s*([^\s!=,()]*)$/;
const existencePattern = /^(!?)\s*([^\s!=,()<>]+)$/;

/** Parses the text form of the API ("a=b,c!=d,e in (f,g),h,!i"). Throws TypeError for any other text. */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  return splitRequirements(text).map(parseRequirement);
}

export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  return requirements.every((requirement) => {
    const value = labels?.[requirement.key];
    switch (requirement.operator) {
      case "exists":
        return value !== undefined;
      case "absent":
        return value === undefined;
      case "in":
        return value !== undefined && requirement.values.includes(value);
      case "notIn":
        return value === undefined || !requirement.values.includes(value);
    }
  });
}

/** Splits at commas outside of parentheses. */
function splitRequirements(text: string): string[] {
  const parts = text.match(/(?:[^,(]|\([^)]*\))+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

function parseRequirement(text: string): LabelRequirement {
  const set = setPattern.exec(text);
  if (set !== null) {
    const [, key = "", operator, list = ""] = set;
    const values = list.split(",").map((value) => value.trim());
    return { key, operator: operator === "in" ? "in" : "notIn", values };
  }
  const equality = equalityPattern.exec(text);
  if (equality !== null) {
    const [, key = "", operator, value = ""] = equality;
    return { key, operator: operator === "!=" ? "notIn" : "in", values: [value] };
  }
  const existence = existencePattern.exec(text);
  if (existence === null) throw new TypeError(`label selector: "${text}" is no requirement`);
  return { key: existence[2] ?? "", operator: existence[1] === "!" ? "absent" : "exists" };
}
