import { selectorOperators, type SelectorRequirement, type TargetSelector, type Warning } from "@landscaper/api";
import { isInteger } from "./match-target-selector.ts";

const reason = "IneffectiveSelector";

/**
 * Returns a warning for each part of target selectors that cannot hold, or that holds for every Target: an empty key, an unknown operator, values that do not
 * suit the operator. Deployers of the original start with such selectors, too. `path` names the list in messages. Pure.
 */
export function listSelectorWarnings(selectors: readonly TargetSelector[], path: string): readonly Warning[] {
  return selectors.flatMap(({ targets = [], annotations = [], labels = [] }, index) => {
    const at = `${path}[${index}]`;
    return [
      ...targets.flatMap(({ name }, each) =>
        name === ""
          ? [warn(`${at}.targets[${each}].name`, { expected: "a name", found: "", effect: "no Target has it" })]
          : [],
      ),
      ...annotations.flatMap((requirement, each) => ofRequirement(requirement, `${at}.annotations[${each}]`)),
      ...labels.flatMap((requirement, each) => ofRequirement(requirement, `${at}.labels[${each}]`)),
    ];
  });
}

interface Flaw {
  readonly expected: string;
  readonly found: unknown;
  /** What the selector selects because of it. */
  readonly effect: string;
}

function warn(at: string, { expected, found, effect }: Flaw): Warning {
  return { reason, message: `${at}: expected ${expected}, found ${JSON.stringify(found)}: ${effect}` };
}

/** Operators that hold for a Target without the key. */
const holdsWithoutKey: ReadonlySet<string> = new Set(["!", "!=", "notin"]);

function ofRequirement({ key, operator, values = [] }: SelectorRequirement, at: string): readonly Warning[] {
  const selected = holdsWithoutKey.has(operator) ? "every Target fulfils it" : "no Target fulfils it";
  if (!selectorOperators.some((known) => known === operator)) {
    return [
      warn(`${at}.operator`, {
        expected: `one of ${selectorOperators.join(" ")}`,
        found: operator,
        effect: "no Target fulfils it",
      }),
    ];
  }
  if (key === "")
    return [warn(`${at}.key`, { expected: "the key of an annotation or label", found: key, effect: selected })];
  const valuesAt = `${at}.values`;
  switch (operator) {
    case "exists":
    case "!":
      return values.length === 0
        ? []
        : [
            warn(valuesAt, {
              expected: `none for the operator ${operator}`,
              found: values,
              effect: "they have no effect",
            }),
          ];
    case "gt":
    case "lt":
      return values.length === 1 && isInteger(values[0] ?? "")
        ? []
        : [warn(valuesAt, { expected: `one integer for the operator ${operator}`, found: values, effect: selected })];
    default:
      return values.length > 0
        ? []
        : [warn(valuesAt, { expected: `values for the operator ${operator}`, found: values, effect: selected })];
  }
}
