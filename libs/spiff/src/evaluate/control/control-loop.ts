import { compareStrings } from "@landscaper/goyaml";
import type { Source } from "../../document/source.ts";
import { formatValue } from "../../output/format-value.ts";
import { completeMap, listOf } from "../../value/build-value.ts";
import { Cell } from "../../value/cell.ts";
import { isGone, typeName, undefinedValue, type ListValue, type MapValue, type Value } from "../../value/value.ts";
import type { Control } from "./control.ts";
import { optionValue, ownValue } from "./control-options.ts";
import { isMerged, pathNames, withBindings } from "../environment.ts";
import { EvaluationFailure, failLocally, issueOf, known, quoting, type Issue, type Message } from "../failure.ts";
import { mergeStubs } from "../merging/merge-stubs.ts";
import { isContainer } from "../merging/stubs.ts";
import { evaluateSource } from "../template.ts";

/** One dimension of a loop. */
interface Range {
  readonly name: string;
  readonly index: string;
  readonly entries: readonly { readonly key: string | bigint; readonly value: Value }[];
}

interface Step {
  readonly range: Range;
  readonly key: string | bigint;
  readonly value: Value;
}

/** `<<for` with `<<do` and `<<mapkey`: the body is evaluated for all combinations of the ranges, the last one fastest. */
export function loop(control: Control): Value {
  const value = optionValue(control, "for");
  if (value === undefinedValue) return undefinedValue;
  const ranges = rangesOf(value);
  const body = control.source.options.get("do");
  const key = control.source.options.get("mapkey");
  if (key !== undefined && key.kind !== "expression") return failLocally("mapkey must be an expression");
  const issues: Issue[] = [];
  const values: Value[] = [];
  const cells = new Map<string, Cell>();
  control.isStuck = true;
  for (const steps of combinations(ranges)) {
    control.inner.document.budget.chargeEntries(1);
    try {
      const result = body === undefined ? null : evaluateBody(body, steps, control);
      if (key === undefined) values.push(result);
      else addEntry(cells, evaluateBody(key, steps, control), mergedBody(result, body, control));
    } catch (error) {
      if (!(error instanceof EvaluationFailure) || !error.isLocal) throw error;
      issues.push(atStep(steps, error.failure.issue));
    }
  }
  if (issues.length > 0) return failLocally("error evaluating body", issues);
  control.isStuck = false;
  return key === undefined ? listOf(values.filter((result) => !isGone(result))) : completeMap(cells);
}

function addEntry(cells: Map<string, Cell>, key: Value, value: Value): void {
  if (key === null || key === undefinedValue) return;
  if (typeof key !== "string") failLocally(`map key must be string, but found ${typeName(key)}`);
  if (!isGone(value)) cells.set(key, new Cell(value));
}

function evaluateBody(body: Source, steps: readonly Step[], { around }: Control): Value {
  const names = new Map<string, Cell>();
  const path = pathNames(around.path).join(".");
  for (const { range, key, value } of steps.toReversed()) {
    names.set(range.index, new Cell(key));
    names.set(range.name, new Cell(value));
  }
  const isBody = body.markers?.isTemplate !== true;
  const environment = { ...withBindings(around, names), isBody };
  return evaluateSource(withoutData(body), environment, { what: known(`template '${path}.<<do'`) });
}

/** Stubs change maps and lists that an expression gives as they change those that a body writes: by the path of the loop. */
function mergedBody(result: Value, body: Source | undefined, { around }: Control): Value {
  const isMergedBody = body?.kind === "expression" && isMerged(around) && isContainer(result);
  return isMergedBody ? mergeStubs(result, around) : result;
}

/** A body inserts maps and expressions; data of other types at its insert key inserts nothing. */
function withoutData(body: Source): Source {
  const isData = body.kind === "map" && (body.insert?.kind === "scalar" || body.insert?.kind === "list");
  return isData ? { ...body, insert: undefined } : body;
}

/** Which values the variables had; the innermost first. */
function atStep(steps: readonly Step[], issue: Issue): Issue {
  const variables = steps
    .toReversed()
    .map(({ range, key, value }) => quoting`${known(range.name)}[${key}]=${formatValue(value)}`)
    .reduce<Message>((text, next) => quoting`${text}${known(text.text === "" ? " " : "; ")}${next}`, known(""));
  return { ...issueOf(quoting`control variables: ${variables}: ${issue}`, issue.nested), isNode: true };
}

function* combinations(ranges: readonly Range[]): Generator<readonly Step[]> {
  const [range, ...rest] = ranges;
  if (range === undefined) {
    yield [];
    return;
  }
  for (const entry of range.entries) {
    for (const steps of combinations(rest)) yield [{ range, ...entry }, ...steps];
  }
}

/** Variables by name: a map in the order of the variables, or a list of maps with name, values and index. */
function rangesOf(value: Value): Range[] {
  if (typeof value === "object" && value?.kind === "list") return value.items.map((item) => listedRange(item.value));
  if (typeof value !== "object" || value?.kind !== "map") {
    return failLocally(`value field must be map but got ${typeName(value)}`);
  }
  return [...value.cells]
    .map(([spec, cell]) => namedRange(spec, cell.value))
    .toSorted((a, b) => compareStrings(a.name, b.name) || compareStrings(a.index, b.index));
}

function namedRange(spec: string, values: Value): Range {
  const [first = "", second, ...more] = spec.split(",").map((name) => name.trim());
  if (more.length > 0) return failLocally(quoting`invalid control variable spec "${spec}"`);
  return second === undefined ? range(first, `index-${first}`, values) : range(second, first, values);
}

function listedRange(item: Value): Range {
  if (typeof item !== "object" || item?.kind !== "map") {
    return failLocally(`control variable list entry requires map but got ${typeName(item)}`);
  }
  const wrong = [...item.cells.keys()].find((key) => !["name", "values", "index"].includes(key));
  if (wrong !== undefined) return failLocally(quoting`invalid control variable list entry field "${wrong}"`);
  const name = nameIn(item, "name") ?? "";
  const values = item.cells.get("values");
  if (values === undefined) return failLocally("control variable list entry requires values field");
  return range(name, nameIn(item, "index") ?? `index-${name}`, ownValue(values));
}

function nameIn(item: MapValue, field: "name" | "index"): string | undefined {
  const value = item.cells.get(field)?.value;
  if (value === undefined || typeof value === "string") return value;
  const noun = field === "index" ? "control index variable" : "control variable";
  return failLocally(`${noun} name must be of type string but got ${typeName(value)}`);
}

function listEntries({ items }: ListValue): Range["entries"] {
  const values = items.map((item) => item.value).filter((value) => value !== undefinedValue);
  return values.map((value, index) => ({ key: BigInt(index), value }));
}

function range(name: string, index: string, values: Value): Range {
  for (const variable of [name, index]) {
    if (!/^[A-Za-z0-9_-]+$/.test(variable)) {
      return failLocally(quoting`invalid range variable name "${variable}" (must be [a-zA-Z0-9_]+)`);
    }
  }
  if (typeof values === "object" && values?.kind === "list") {
    return { name, index, entries: listEntries(values) };
  }
  if (typeof values === "object" && values?.kind === "map") {
    const cells = [...values.cells].toSorted(([a], [b]) => compareStrings(a, b));
    return { name, index, entries: cells.map(([key, cell]) => ({ key, value: cell.value })) };
  }
  return failLocally(
    quoting`control variable "${name}" requires list or map value, but got ${known(typeName(values))}`,
  );
}
