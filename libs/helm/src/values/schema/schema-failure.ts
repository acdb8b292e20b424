import { formatFloat, quote } from "@landscaper/goyaml";

/** Why a value does not fit a schema, as the library that Helm uses tells it: a tree. */
export interface Failure {
  /** JSON pointer of the value. */
  readonly at: string;
  readonly text: string;
  readonly causes: readonly Failure[];
  /** "group": several failures of one schema. "reference": what a $ref leads to has failed. */
  readonly kind?: "group" | "reference";
}

const groupText = "validation failed";

/** The failures of one schema as one; undefined without any. */
export function joinFailures(at: string, failures: readonly Failure[]): Failure | undefined {
  if (failures.length <= 1) return failures[0];
  return { at, text: groupText, causes: failures, kind: "group" };
}

/** A group as its members. */
export function membersOf(failure: Failure): readonly Failure[] {
  return failure.kind === "group" ? failure.causes : [failure];
}

export function referenceFailure(at: string, failure: Failure): Failure {
  return { at, text: groupText, causes: membersOf(failure), kind: "reference" };
}

/** One line for each failure, causes two spaces further in. */
export function failureLines(failures: readonly Failure[], indent = ""): string[] {
  return failures.flatMap((failure) => {
    const { at, text, causes, kind } = failure;
    // A reference with a single failure is not worth a line.
    if (kind === "reference" && causes.length === 1) return failureLines(causes, indent);
    return [`${indent}- at ${quoted(at)}: ${text}`, ...failureLines(causes, `${indent}  `)];
  });
}

/** Text between single quotes. */
export function quoted(text: string): string {
  const inner = quote(text).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner.slice(1, -1)}'`;
}

export function quotedList(texts: readonly string[]): string {
  return texts.map(quoted).join(", ");
}

/** A step further in a JSON pointer. */
export function below(at: string, name: string | number): string {
  return `${at}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number as it is written for English readers: 1,234.5 or 1.2×10⁻⁰⁷. */
export function numberText(value: number): string {
  // Zero has no sign there.
  const [mantissa = "", exponent] = formatFloat(value + 0, "g", -1).split("e");
  const [whole = "", fraction] = mantissa.split(".");
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ",") + (fraction === undefined ? "" : `.${fraction}`);
  if (exponent === undefined) return grouped;
  const sign = exponent.startsWith("-") ? "⁻" : "";
  return `${grouped}×10${sign}${exponent.replace(/^[+-]/, "").replace(/\d/g, (digit) => superscripts.charAt(Number(digit)))}`;
}
