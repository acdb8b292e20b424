import { compareStrings } from "@landscaper/goyaml";
import { GoRegExp, RegExpSyntaxError } from "@landscaper/golang";
import { instructionsPerMs } from "../text/pattern-functions.ts";
import { isSameValue } from "../same-value.ts";
import { failLocally, known, quoting } from "../../evaluate/failure.ts";
import { parseIp, parseNetwork } from "../../evaluate/operators/ip-address.ts";
import type { Value } from "../../value/value.ts";
import { shownType } from "../arguments.ts";
import { chargeComparisons } from "../charge.ts";
import { findSemverProblem, readVersion } from "../find-semver-problem.ts";
import { outcome, joinStatements, type Outcome } from "./outcome.ts";
import type { Check, Validator } from "./validator.ts";

const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const domainPattern = new RegExp(`^${label}(\\.${label})*$`);
const labelPattern = new RegExp(`^${label}$`);

const domainRule = "lower-case letters, digits, '-' and '.' are expected, 253 at most";

/** Validators of one value. */
export const valueValidators: readonly [string, Validator][] = [
  ["empty", empty],
  ["dnsdomain", (check) => named("dns domain", isDomain(checkedText(check)) ? undefined : domainRule)],
  [
    "wildcarddnsdomain",
    (check) => named("wildcard dns domain", isWildcard(checkedText(check)) ? undefined : `"*." and ${domainRule}`),
  ],
  [
    "dnslabel",
    (check) => {
      const text = checkedText(check);
      const isLabel = labelPattern.test(text) && text.length <= 63;
      return named("dns label", isLabel ? undefined : "lower-case letters, digits and '-' are expected, 63 at most");
    },
  ],
  [
    "dnsname",
    (check) => {
      const text = checkedText(check);
      return named("dns name", isDomain(text) || isWildcard(text) ? undefined : domainRule);
    },
  ],
  ["ip", ip],
  ["cidr", cidr],
  ["semver", semver],
  ["type", type],
  ["valueset", valueSet],
  ["value", sameValue],
  ["=", sameValue],
  ["match", match],
  ["~=", match],
  ["gt", (check) => ordered(check, (order) => order > 0, ["greater than", "less or equal to"])],
  [">", (check) => ordered(check, (order) => order > 0, ["greater than", "less or equal to"])],
  ["lt", (check) => ordered(check, (order) => order < 0, ["less than", "greater or equal to"])],
  ["<", (check) => ordered(check, (order) => order < 0, ["less than", "greater or equal to"])],
  ["ge", (check) => ordered(check, (order) => order >= 0, ["greater or equal to", "less than"])],
  [">=", (check) => ordered(check, (order) => order >= 0, ["greater or equal to", "less than"])],
  ["le", (check) => ordered(check, (order) => order <= 0, ["less or equal to", "greater than"])],
  ["<=", (check) => ordered(check, (order) => order <= 0, ["less or equal to", "greater than"])],
];

function empty({ value }: Check): Outcome {
  const statements = { valid: "is empty", invalid: "is not empty" };
  if (typeof value === "string") return outcome(value === "", statements);
  if (typeof value === "object" && value?.kind === "list") return outcome(value.items.length === 0, statements);
  if (typeof value === "object" && value?.kind === "map") return outcome(value.cells.size === 0, statements);
  return failLocally(`invalid type for empty: ${shownType(value)}`);
}

function checkedText(check: Check): string {
  const { name, value } = check;
  return typeof value === "string"
    ? value
    : failLocally(`${name}: ${name} requires string, but got ${shownType(value)}`);
}

function isDomain(text: string): boolean {
  return text.length <= 253 && domainPattern.test(text);
}

function isWildcard(text: string): boolean {
  return text.startsWith("*.") && text.length <= 253 && domainPattern.test(text.slice(2));
}

function named(noun: string, problem: string | undefined): Outcome {
  return outcome(problem === undefined, { valid: `is ${noun}`, invalid: `is no ${noun}: ${problem ?? ""}` });
}

function ip(check: Check): Outcome {
  const text = checkedText(check);
  const isValid = parseIp(text) !== undefined;
  return { isValid, statement: isValid ? known("is ip address") : quoting`is no ip address: ${text}` };
}

function cidr(check: Check): Outcome {
  const text = checkedText(check);
  if (parseNetwork(text) !== undefined) return outcome(true, { valid: "is CIDR", invalid: "" });
  return { isValid: false, statement: quoting`is no CIDR: invalid CIDR address: ${text}` };
}

function semver({ value, args }: Check): Outcome {
  const statements = { valid: "is semantic version", invalid: "" };
  if (typeof value !== "string") {
    const invalid = `semver requires one string argument, but got ${shownType(value)}`;
    return outcome(false, { ...statements, invalid });
  }
  const constraints = args.map((constraint, index) =>
    typeof constraint === "string" ? constraint : failLocally(`semver: constraint argument ${index} must be string`),
  );
  const version = readVersion("semver", value);
  const problem = "major" in version ? findSemverProblem(version, constraints, known("semver")) : version;
  return problem === undefined ? outcome(true, statements) : { isValid: false, statement: problem };
}

/** One of the types. */
function type({ value, args }: Check): Outcome {
  const wanted = args.map((name) =>
    typeof name === "string" ? name : failLocally(`type: type arg requires string, but got ${shownType(name)}`),
  );
  const actual = shownType(value);
  if (wanted.includes(actual)) return { isValid: true, statement: known(`is of type ${actual}`) };
  return { isValid: false, statement: joinStatements(wanted.map((name) => quoting`is not of type ${name}`)) };
}

function valueSet({ value, args, environment }: Check): Outcome {
  const [set] = args;
  if (args.length !== 1 || typeof set !== "object" || set?.kind !== "list") {
    return failLocally("valueset requires a list argument with possible values");
  }
  chargeComparisons(value, set.items.length, environment);
  if (set.items.some((cell) => isSameValue(value, cell.value))) {
    return { isValid: true, statement: known("matches valueset") };
  }
  return typeof value === "bigint"
    ? { isValid: false, statement: quoting`invalid value ${value}` }
    : invalidValue(value);
}

function invalidValue(value: Value): Outcome {
  const statement = typeof value === "string" ? quoting`invalid value "${value}"` : known("invalid value");
  return { isValid: false, statement };
}

function validValue(value: Value): Outcome {
  return {
    isValid: true,
    statement: typeof value === "string" ? quoting`valid value "${value}"` : known("valid value"),
  };
}

function sameValue({ value, args }: Check): Outcome {
  const [wanted] = args;
  if (wanted === undefined || args.length !== 1) return failLocally("value requires a value argument");
  return isSameValue(value, wanted) ? validValue(value) : invalidValue(value);
}

function match({ value, args, environment }: Check): Outcome {
  const [pattern] = args;
  if (typeof pattern !== "string" || args.length !== 1) return failLocally("match requires a regexp argument");
  if (typeof value !== "string") return failLocally("no string to match regexp");
  const compiled = compile(pattern);
  environment.document.budget.spend((compiled.size * (value.length + 16)) / instructionsPerMs, "match");
  return compiled.test(value) ? validValue(value) : invalidValue(value);
}

function compile(pattern: string): GoRegExp {
  try {
    return GoRegExp.compile(pattern);
  } catch (error) {
    if (!(error instanceof RegExpSyntaxError)) throw error;
    return failLocally(quoting`regexp ${pattern}: ${error.message}`);
  }
}

function ordered(
  { name, value, args }: Check,
  accepts: (order: number) => boolean,
  [valid, invalid]: readonly [string, string],
): Outcome {
  const [bound] = args;
  if (bound === undefined || args.length !== 1) return failLocally(`${name} requires a value argument`);
  const { order, text } = compareWith(bound, value);
  const isValid = accepts(order);
  return { isValid, statement: quoting`${known(isValid ? valid : invalid)} ${text}` };
}

/** The order of a value and a bound of the same type, and the bound as text. */
function compareWith(bound: Value, value: Value): { order: number; text: string } {
  if (typeof bound === "string") {
    if (typeof value !== "string") return failLocally("must be string to compare to string");
    return { order: compareStrings(value, bound), text: bound };
  }
  if (typeof bound !== "bigint" && typeof bound !== "number") return failLocally(`invalid type ${shownType(bound)}`);
  if (typeof value !== "bigint" && typeof value !== "number") return failLocally("must be number to compare to number");
  return { order: value < bound ? -1 : Number(value > bound), text: String(bound) };
}
