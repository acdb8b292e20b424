import { didYouMean, findNearestName, type Target } from "@landscaper/api";
import { foldKeys } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { mapData } from "../parameter/map-data.ts";
import { standardBindings, type RenderContext, type TemplateStates } from "../render-context.ts";
import type { ResolvedImports } from "../import/resolve-imports.ts";
import { runExecutions } from "../template/run-execution.ts";
import { checkExports, type CheckedExports, type ExportedTarget } from "./check-exports.ts";
import { deepMerge } from "./deep-merge.ts";
import { findMisspelt, warnOfOutput } from "../template/warn-of-output.ts";

export interface RenderExportsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  readonly bindings: {
    /** Exports of the deploy items by item name. */
    readonly deployItems: Readonly<Record<string, unknown>>;
    /** Values of the data objects and Target objects of the Installation's own scope, by key. */
    readonly dataObjects: Readonly<Record<string, unknown>>;
    readonly targets: Readonly<Record<string, Target>>;
  };
  /** Names of the exports that the Installation lists; others may be missing (core.md §1.5 D14). */
  readonly wanted: { readonly data: readonly string[]; readonly targets: readonly string[] };
  /** spec.exportDataMappings of the Installation. */
  readonly mappings?: Readonly<Record<string, unknown>> | undefined;
  /** "export" state of the last run, by execution name. */
  readonly state?: TemplateStates;
}

export interface RenderedExports {
  /** Value of each wanted data export, by the name under which the Installation lists it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly targets: Readonly<Record<string, ExportedTarget>>;
  readonly state: TemplateStates;
}

/** Runs the export executions, checks the exports and maps them (core.md §1.2 no. 42-44). Throws LandscaperError. */
export function renderExports(options: RenderExportsOptions): RenderedExports {
  const { values, state, misspelt } = runExportExecutions(options);
  const checked = checkExports(values, options.context);
  warnOfMissing(options, checked);
  const declared = (options.context.source.definition.exports ?? []).map(({ name }) => name);
  const rendered = Object.keys(values).filter((name) => !declared.includes(name));
  const listing = { declared, rendered, misspelt };
  const mapped = mapData({
    mappings: options.mappings ?? {},
    direction: "exports",
    bindings: { ...checked.values, exports: checked.values },
    context: options.context,
  });
  return {
    data: pick({ ...checked.data, ...mapped }, options.wanted.data, { kind: "data", ...listing }),
    targets: pick(checked.targets, options.wanted.targets, { kind: "targets", ...listing }),
    state,
  };
}

/** Of exports that the Installation lists, a missing one is an error. */
function warnOfMissing({ context, wanted }: RenderExportsOptions, { values }: CheckedExports): void {
  const { onWarning, isShadow = false, source } = context;
  if (onWarning === undefined || isShadow) return;
  const listed = new Set([...wanted.data, ...wanted.targets]);
  for (const { name } of source.definition.exports ?? []) {
    if (listed.has(name) || Object.hasOwn(values, name)) continue;
    const message = `exports.${name}: no export execution of the blueprint gives a value`;
    onWarning({ reason: "ExportWithoutValue", message });
  }
}

function runExportExecutions(options: RenderExportsOptions): {
  values: Readonly<Record<string, unknown>>;
  state: TemplateStates;
  misspelt: readonly string[];
} {
  const { context, imports } = options;
  const misspelt: string[] = [];
  let values: Readonly<Record<string, unknown>> = {};
  const { deployItems: deployitems, dataObjects: dataobjects, targets } = options.bindings;
  const own = { deployitems, dataobjects, targets };
  const state = runExecutions({
    kind: "export execution",
    executors: context.source.definition.exportExecutions ?? [],
    context,
    bindings: () => ({ ...standardBindings(context, imports.bindings), ...own, values: own }),
    states: options.state ?? {},
    take: ({ output, where }) => {
      warnOfOutput(context, { where, output, wanted: "exports" });
      for (const { path } of findMisspelt(output, "exports")) {
        misspelt.push(`${where} gives the field ${JSON.stringify(path)}${didYouMean("exports")}`);
      }
      values = deepMerge(values, readExports(output, where));
    },
  });
  return { values, state, misspelt };
}

function readExports(output: Readonly<Record<string, unknown>>, where: string): Readonly<Record<string, unknown>> {
  const folded = foldKeys(output, ["exports"]);
  const found = isRecord(folded) ? folded["exports"] : undefined;
  if (found === undefined || found === null) return {};
  if (isRecord(found)) return found;
  throw blueprintError("ConstructExports", `${where}: exports: expected a map, found ${describeType(found)}`);
}

/** A list of exports in the spec of an Installation. */
interface Listing {
  readonly kind: "data" | "targets";
  /** Names that the blueprint declares. */
  readonly declared: readonly string[];
  /** Other names that the export executions give. */
  readonly rendered: readonly string[];
  /** One clause for each field of their outputs that is named like "exports", for messages. */
  readonly misspelt: readonly string[];
}

function notDeclared(name: string, { kind, declared }: Pick<Listing, "kind" | "declared">): Error {
  const nearest = findNearestName(name, declared);
  const names =
    declared.length === 0 ? "no exports" : `the exports ${declared.map((each) => JSON.stringify(each)).join(", ")}`;
  const found = nearest === undefined ? `the blueprint declares ${names}` : `did you mean ${JSON.stringify(nearest)}?`;
  return blueprintError(
    "ExportNotDeclared",
    `spec.exports.${kind}: the blueprint does not declare the export ${JSON.stringify(name)}: ${found}`,
  );
}

function nullExport(name: string, kind: Listing["kind"]): Error {
  return blueprintError(
    "ConstructExports",
    `exports.${kind}: the value of the export "${name}" is null; expected a value that is not null`,
    { hint: `set the value in an export execution of the blueprint, or remove "${name}" from spec.exports.${kind}` },
  );
}

function pick<T>(
  values: Readonly<Record<string, T>>,
  names: readonly string[],
  { kind, declared, rendered, misspelt: fields }: Listing,
): Record<string, T> {
  const picked: Record<string, T> = {};
  for (const name of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      if (!declared.includes(name)) throw notDeclared(name, { kind, declared });
      const misspelt = rendered.find((each) => findNearestName(each, [name]) !== undefined);
      const found = misspelt === undefined ? fields : [`one gives ${JSON.stringify(misspelt)}${didYouMean(name)}`];
      const meant = found.map((text) => `; ${text}`).join("");
      throw blueprintError(
        "ConstructExports",
        `exports.${kind}: the installation exports "${name}", but no export execution of the blueprint gives this value${meant}`,
      );
    }
    // A DataObject must have a value: the API server refuses null.
    if (value === null) throw nullExport(name, kind);
    picked[name] = value;
  }
  return picked;
}
