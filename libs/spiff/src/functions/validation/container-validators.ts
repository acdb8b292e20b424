import { compareStrings } from "@landscaper/goyaml";
import { EvaluationFailure, failLocally, known, quoting, type Message } from "../../evaluate/failure.ts";
import type { Value } from "../../value/value.ts";
import { outcome, type Outcome } from "./outcome.ts";
import type { Check, Validator } from "./validator.ts";

/** Validators that look into lists and maps. */
export const containerValidators: readonly [string, Validator][] = [
  ["list", list],
  ["map", map],
  ["mapfield", (check) => field(check, false)],
  ["optionalfield", (check) => field(check, true)],
];

function list({ value, args, check }: Check): Outcome {
  if (typeof value !== "object" || value?.kind !== "list") return outcome(false, { valid: "", invalid: "is no list" });
  if (args.length === 0) return outcome(true, { valid: "is a list", invalid: "" });
  for (const [index, cell] of value.items.entries()) {
    for (const [number, condition] of args.entries()) {
      const place = `entry ${index} condition ${number}`;
      const result = labelled(known(`list ${place}: `), () => check(cell.value, condition));
      if (!result.isValid) return { isValid: false, statement: quoting`${known(place)} ${result.statement}` };
    }
  }
  return outcome(true, { valid: "all entries match all conditions", invalid: "" });
}

/** One condition is for the values; of two the first is for the keys. */
function map({ value, args, check }: Check): Outcome {
  if (args.length > 2) return failLocally(`map validator takes a maximum of two arguments, got ${args.length}`);
  if (typeof value !== "object" || value?.kind !== "map") return outcome(false, { valid: "", invalid: "is no map" });
  const valueCondition = args.at(-1);
  if (valueCondition === undefined) return outcome(true, { valid: "is a map", invalid: "" });
  const [keyCondition] = args.length > 1 ? args : [];
  for (const [key, cell] of [...value.cells].toSorted(([a], [b]) => compareStrings(a, b))) {
    const parts: (readonly [string, Value, Value | undefined])[] = [
      ["key", key, keyCondition],
      ["entry", cell.value, valueCondition],
    ];
    for (const [noun, part, condition] of parts) {
      if (condition === undefined) continue;
      const place = quoting`map ${known(noun)} "${key}"`;
      const result = labelled(quoting`${place}: `, () => check(part, condition));
      if (!result.isValid) return { isValid: false, statement: quoting`${place} ${result.statement}` };
    }
  }
  return outcome(true, { valid: "all map entries and keys match", invalid: "" });
}

function field({ name, value, args, check }: Check, isOptional: boolean): Outcome {
  const [key, condition] = args;
  if (args.length < 1 || args.length > 2) return failLocally(`${name} requires one or two arguments`);
  if (typeof key !== "string") return failLocally("field name must be string");
  if (typeof value !== "object" || value?.kind !== "map") return outcome(false, { valid: "", invalid: "is no map" });
  const cell = value.cells.get(key);
  if (cell === undefined) {
    const statement = isOptional ? quoting`has no optional field "${key}"` : quoting`has no field "${key}"`;
    return { isValid: isOptional, statement };
  }
  const place = quoting`map entry "${key}"`;
  if (condition === undefined) return { isValid: true, statement: quoting`${place} exists` };
  const { isValid, statement } = labelled(quoting`${place} `, () => check(cell.value, condition));
  return { isValid, statement: quoting`${place} ${statement}` };
}

/** Says where a condition could not be checked. */
function labelled(place: Message, check: () => Outcome): Outcome {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
    const { issue } = error.failure;
    return failLocally(quoting`${place}${issue}`, issue.nested);
  }
}
