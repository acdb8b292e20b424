import type { Source } from "../../document/source.ts";
import { SpiffError } from "../../spiff-error.ts";
import { expandedSize } from "../../value/expanded-size.ts";
import { typeName, type MapValue, type TemplateValue, type Value } from "../../value/value.ts";
import { cleanTree } from "../../output/clean-tree.ts";
import type { DocumentRun, Environment } from "../environment.ts";
import { evaluateDocument } from "../evaluate-document.ts";
import { failLocally } from "../failure.ts";
import { sourceOfValue } from "../source-of-value.ts";

/** merge(a, b, ...): maps and map templates as documents of their own, the first merged with the others as its stubs. */
export function mergeValues(args: readonly Value[], environment: Environment): Value {
  if (args.length === 0) return failLocally("at least one argument required for merge function");
  const [template, ...stubs] = documentsOf(args);
  if (template === undefined) return failLocally("merge: no map found for merge");
  const { budget } = environment.document;
  budget.charge(documentsOf(args).reduce((sum, part) => sum + (part.kind === "map" ? expandedSize(part) : 0), 0));
  return budget.descend(() => {
    const values: Value[] = [];
    for (const stub of stubs.toReversed()) values.unshift(evaluatePart(stub, values, environment));
    return evaluatePart(template, values, environment);
  });
}

type Part = MapValue | TemplateValue;

function documentsOf(args: readonly Value[]): Part[] {
  const [first] = args;
  if (args.length === 1 && typeof first === "object" && first?.kind === "list") {
    return first.items.map(({ value }, index) => partOf(value, `entry of list argument: ${index + 1}`));
  }
  return args.map((value, index) => partOf(value, `argument ${index + 1}`));
}

function partOf(value: Value, where: string): Part {
  if (typeof value === "object" && value?.kind === "map") return value;
  if (typeof value !== "object" || value?.kind !== "template") {
    return failLocally(`merge: ${where}: no map or map template, but ${typeName(value)}`);
  }
  const { kind } = value.source;
  return kind === "list" || kind === "scalar" ? failLocally(`merge: ${where}: template is not a map template`) : value;
}

/** Names that the part does not know are looked up around the call. */
function evaluatePart(part: Part, stubs: readonly Value[], { document, scope }: Environment): Value {
  const source: Source = part.kind === "template" ? part.source : sourceOfValue(part);
  const run: DocumentRun = {
    ...document,
    root: undefined,
    stubs,
    outerScope: scope,
    outer: document,
    unresolved: undefined,
  };
  try {
    const value = evaluateDocument(source, run);
    return cleanTree(value, ({ isTemporary, isLocal }) => isTemporary || isLocal);
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    return failLocally({
      text: `merging failed: ${error.message}`,
      safeText: `merging failed: ${error.safeMessage}`,
    });
  }
}
