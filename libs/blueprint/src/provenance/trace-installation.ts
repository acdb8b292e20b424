import { perturb, perturbAt, type JsonPath, type Target } from "@landscaper/api";
import { renderExports, type RenderedExports, type RenderExportsOptions } from "../export/render-exports.ts";
import type { ImportedValues, ParameterValue } from "../parameter/parameter-value.ts";
import type { RenderContext, TemplateStates } from "../render-context.ts";
import { isRecord } from "../parameter/describe-value.ts";
import { resolveImports, type ResolvedImports, type ResolveImportsOptions } from "../import/resolve-imports.ts";
import { checkSecretNames } from "./check-secret-names.ts";
import { traceSecrets, type Traced, type TracedInput } from "./trace-secrets.ts";

/** Mappings, defaults, checks and import executions (`resolveImports`), with what of the result derives from secrets. */
export function traceImports({ context, given, mappings }: ResolveImportsOptions): Traced<ResolvedImports> {
  return traceSecrets({
    context,
    input: { value: given, shadow: shadowOfImports(given) },
    run: (inner, values) => resolveImports({ context: inner, given: values, mappings }),
    bindingsOf: (imports) => ({ imports }),
    passesInput: true,
  });
}

/** What sub-objects are rendered out of; `S` has the states of executions by the kind of execution. */
export interface RenderInput<S extends object> {
  readonly imports: ResolvedImports;
  readonly states: S;
}

/** Runs what renders sub-objects out of resolved imports, with what of them derives from secrets. State is secret: it is kept in Secrets. */
export function traceRendering<S extends object, T>(options: {
  readonly context: RenderContext;
  readonly imports: Traced<ResolvedImports>;
  readonly states: S;
  readonly render: (context: RenderContext, input: RenderInput<S>) => T;
}): Traced<T> {
  const { context, imports, states, render } = options;
  return traceSecrets({
    context,
    input: withStates(imports, states),
    importsOnly: imports.shadow === undefined ? undefined : { imports: imports.shadow, states },
    run: render,
    bindingsOf: (input) => ({ imports: input.imports.bindings }),
    passesInput: false,
  });
}

function withStates<S extends object>(
  { value, shadow }: Traced<ResolvedImports>,
  states: S,
): TracedInput<RenderInput<S>> {
  const hasState = Object.values(states).some((ofKind: TemplateStates) => Object.keys(ofKind).length > 0);
  const input = { imports: value, states };
  if (shadow === value && !hasState) return { value: input, shadow: input };
  if (shadow === undefined) return { value: input, shadow: undefined };
  return { value: input, shadow: { imports: shadow, states: hasState ? (perturb(states) as S) : states } }; // same structure
}

export interface TraceExportsOptions extends Omit<RenderExportsOptions, "imports"> {
  readonly imports: Traced<ResolvedImports>;
  /** What of the bindings is secret; of Targets it is their configuration. */
  readonly sensitive: {
    readonly deployItems: readonly JsonPath[];
    /** By key. */
    readonly dataObjects: Readonly<Record<string, readonly JsonPath[]>>;
  };
}

/** Exports (`renderExports`), with what of them derives from secrets. */
export function traceExports(options: TraceExportsOptions): Traced<RenderedExports> {
  const { context, imports, bindings, state = {}, wanted, mappings } = options;
  type Input = Pick<RenderExportsOptions, "imports" | "bindings" | "state">;
  const value: Input = { imports: imports.value, bindings, state };
  const traced = traceSecrets<Input, RenderedExports>({
    context,
    input: { value, shadow: shadowOfExports(options, value) },
    run: (inner, input) => renderExports({ ...input, context: inner, wanted, mappings }),
    bindingsOf: (input) => ({
      imports: input.imports.bindings,
      deployitems: input.bindings.deployItems,
      dataobjects: input.bindings.dataObjects,
      targets: input.bindings.targets,
    }),
    namesOf: (input) => namesIn(input.bindings),
    passesInput: false,
  });
  const listsOf = ({ data }: RenderedExports) => ({
    export: Object.entries(data).map(([name, exported]) => ({ name, value: exported })),
  });
  checkSecretNames({ context, traced, listsOf, reason: "ConstructExports" });
  return traced;
}

/** Returns the names of deploy items, of their exports, of data objects and of Targets. */
function namesIn({ deployItems, dataObjects, targets }: RenderExportsOptions["bindings"]): readonly string[] {
  const exported = Object.values(deployItems).flatMap((value) => (isRecord(value) ? Object.keys(value) : []));
  return [...Object.keys(deployItems), ...exported, ...Object.keys(dataObjects), ...Object.keys(targets)];
}

function shadowOfExports<I extends Pick<RenderExportsOptions, "imports" | "bindings" | "state">>(
  { imports, bindings, sensitive, state = {} }: TraceExportsOptions,
  value: I,
): I | undefined {
  if (imports.shadow === undefined) return undefined;
  const hasState = Object.keys(state).length > 0;
  const hasTargets = Object.keys(bindings.targets).length > 0;
  const hasData = Object.values(sensitive.dataObjects).some((paths) => paths.length > 0);
  if (imports.shadow === imports.value && !hasState && !hasTargets && !hasData && sensitive.deployItems.length === 0) {
    return value;
  }
  const dataObjects = Object.entries(bindings.dataObjects).map(([key, data]) => [
    key,
    perturbAt(data, sensitive.dataObjects[key] ?? []),
  ]);
  const targets = Object.entries(bindings.targets).map(([key, target]) => [key, shadowOfTarget(target)]);
  return {
    ...value,
    imports: imports.shadow,
    bindings: {
      deployItems: perturbAt(bindings.deployItems, sensitive.deployItems) as typeof bindings.deployItems, // same structure
      dataObjects: Object.fromEntries(dataObjects),
      targets: Object.fromEntries(targets),
    },
    state: perturb(state) as TemplateStates, // same structure
  };
}

/** The imports with other texts in place of secrets; `given` itself when it has none. */
function shadowOfImports(given: ImportedValues): ImportedValues {
  const hasSecrets = Object.values(given).some((value) => value.type !== "data" || (value.sensitive ?? []).length > 0);
  if (!hasSecrets) return given;
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, shadowOfValue(value)]));
}

function shadowOfValue(value: ParameterValue): ParameterValue {
  switch (value.type) {
    case "data":
      return { ...value, value: perturbAt(value.value, value.sensitive ?? []) };
    case "target":
      return { ...value, target: shadowOfTarget(value.target) };
    case "targetList":
      return { ...value, targets: value.targets.map(shadowOfTarget) };
    case "targetMap": {
      const targets = Object.entries(value.targets).map(([key, target]) => [key, shadowOfTarget(target)]);
      return { ...value, targets: Object.fromEntries(targets) };
    }
  }
}

/** Which cluster a Target is for is no secret, its credentials are. Most templates only name Targets: the other texts are made on the first read. */
function shadowOfTarget(target: Target): Target {
  let made: { readonly config: unknown } | undefined;
  const spec = {
    ...target.spec,
    get config() {
      made ??= { config: perturb(target.spec.config) };
      return made.config;
    },
  };
  return { ...target, spec };
}
