import { labelValueProblems, qualifiedNameProblems } from "../objects/validate-names.ts";
import { formatFieldErrors, invalidField } from "../status/field-error.ts";
import { StatusError, badRequest } from "../status/status-error.ts";

export type Labels = Readonly<Record<string, string>>;

export interface LabelRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "GreaterThan" | "LessThan";
  readonly values: readonly string[];
}

interface Token {
  readonly kind: "word" | "in" | "notin" | "symbol" | "end";
  readonly text: string;
}

const wordPattern = /^[^=!(),<>\s]+/;
const symbolPattern = /^(==|!=|=|!|\(|\)|,|<|>)/;

/**
 * Parses a label selector ("a=b,c in (d,e),!f,g"). Throws a 400 StatusError in the words of the real server.
 */
export function parseLabelSelector(text: string): readonly LabelRequirement[] {
  const tokens = tokenize(text);
  if (tokens[0]?.kind === "end") return [];
  const parser = new Parser(tokens);
  return parser.requirements().toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

export function matchesLabels(requirements: readonly LabelRequirement[], labels: Labels | undefined): boolean {
  return requirements.every((requirement) => matches(requirement, labels ?? {}));
}

function matches({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "GreaterThan":
      return value !== undefined && /^[-+]?\d+$/.test(value) && BigInt(value) > BigInt(values[0] ?? "0");
    case "LessThan":
      return value !== undefined && /^[-+]?\d+$/.test(value) && BigInt(value) < BigInt(values[0] ?? "0");
  }
}

function checkRequirement(requirement: LabelRequirement): LabelRequirement {
  const { key, values } = requirement;
  const errors = qualifiedNameProblems(key).map((problem) => invalidField("key", key, problem));
  values.forEach((value, i) => {
    const problems = labelValueProblems(value);
    if (problems.length > 0) errors.push(invalidField(`values[${i}][${key}]`, value, problems.join("; ")));
  });
  if (errors.length > 0) throw badRequest(formatFieldErrors(errors));
  return requirement;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let rest = text.trimStart();
  while (rest !== "") {
    const symbol = symbolPattern.exec(rest)?.[0];
    const word = symbol === undefined ? wordPattern.exec(rest)?.[0] : undefined;
    const taken = symbol ?? word ?? rest;
    if (symbol !== undefined) tokens.push({ kind: "symbol", text: symbol });
    else tokens.push({ kind: taken === "in" ? "in" : taken === "notin" ? "notin" : "word", text: taken });
    rest = rest.slice(taken.length).trimStart();
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

/** Models apimachinery/pkg/labels/selector.go Parser. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  requirements(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const first = this.#peek();
      if (first.kind !== "word" && first.kind !== "in" && first.kind !== "notin" && first.text !== "!") {
        throw badRequest(`found '${first.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#checkedRequirement());
      const separator = this.#take();
      if (separator.kind === "end") return requirements;
      if (separator.text !== ",") throw badRequest(`found '${separator.text}', expected: ',' or 'end of string'`);
      const next = this.#peek();
      if (next.kind === "symbol" && next.text !== "!") {
        throw badRequest(`found '${next.text}', expected: identifier after ','`);
      }
      if (next.kind === "end") throw badRequest(`found '', expected: identifier after ','`);
    }
  }

  #checkedRequirement(): LabelRequirement {
    try {
      return checkRequirement(this.#requirement());
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      throw badRequest(`unable to parse requirement: ${error.message}`);
    }
  }

  #requirement(): LabelRequirement {
    const negated = this.#peek().text === "!";
    if (negated) this.#take();
    const token = this.#take();
    if (token.kind === "symbol" || token.kind === "end") {
      throw badRequest(`found '${token.text}', expected: identifier`);
    }
    const key = token.text;
    const next = this.#peek();
    if (negated || next.kind === "end" || next.text === ",") {
      return { key, operator: negated ? "DoesNotExist" : "Exists", values: [] };
    }
    return this.#comparison(key);
  }

  #comparison(key: string): LabelRequirement {
    const operator = this.#take();
    switch (operator.text) {
      case "=":
      case "==":
        return { key, operator: "In", values: [this.#exactValue()] };
      case "!=":
        return { key, operator: "NotIn", values: [this.#exactValue()] };
      case "in":
        return { key, operator: "In", values: this.#valueList() };
      case "notin":
        return { key, operator: "NotIn", values: this.#valueList() };
      case ">":
      case "<":
        return this.#order(key, operator.text);
      default:
        throw badRequest(`found '${operator.text}', expected: in, notin, =, ==, !=, gt, lt`);
    }
  }

  #order(key: string, operator: ">" | "<"): LabelRequirement {
    const value = this.#exactValue();
    if (!/^[-+]?\d+$/.test(value)) {
      throw badRequest(
        `values[0]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
      );
    }
    return { key, operator: operator === ">" ? "GreaterThan" : "LessThan", values: [value] };
  }

  #exactValue(): string {
    const next = this.#peek();
    if (next.kind === "end" || next.text === ",") return "";
    const token = this.#take();
    if (token.kind !== "symbol") return token.text;
    throw badRequest(`found '${token.text}', expected: identifier`);
  }

  #valueList(): string[] {
    const open = this.#take();
    if (open.text !== "(") throw badRequest(`found '${open.text}' expected: '('`);
    const values: string[] = [];
    for (;;) {
      const next = this.#peek();
      values.push(next.text === "," || next.text === ")" ? "" : this.#listValue());
      const separator = this.#take();
      if (separator.text === ")") return values;
      if (separator.text !== ",") throw badRequest(`found '${separator.text}', expected: ',' or ')'`);
    }
  }

  #listValue(): string {
    const token = this.#take();
    if (token.kind === "symbol" || token.kind === "end") {
      throw badRequest(`found '${token.text}', expected: ',', ')' or identifier`);
    }
    return token.text;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "" };
  }

  #take(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }
}
