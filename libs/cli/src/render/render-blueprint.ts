import { warnOfConfiguration } from "@landscaper/api";
import type { DeployItemTemplate, InstallationTemplate, JsonPath, Target, Warning } from "@landscaper/api";
import type {
  ImportedValues,
  RenderContext,
  RenderedExports,
  RenderExportsOptions,
  ResolvedImports,
  Traced,
} from "@landscaper/blueprint";
import {
  checkInstallation,
  warnOfInstallation,
  checkSecretNames,
  describeComponent,
  processorClock,
  startRenderBudget,
  renderDeployItems,
  renderSubinstallations,
  sensitiveImports,
  sourceOfTemplate,
  traceExports,
  traceImports,
  traceRendering,
} from "@landscaper/blueprint";
import type { RenderInput } from "./load-render-input.ts";

/** Where chance and time come from. */
export interface RenderSurroundings {
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface RenderedBlueprint {
  readonly deployItems: readonly DeployItemTemplate[];
  readonly subinstallations: readonly InstallationTemplate[];
  /** Undefined when they depend on what deploy items or sub-installations export, and nobody said what that is. */
  readonly exports: Pick<RenderedExports, "data" | "targets"> | undefined;
}

/** What a blueprint makes, and what it would make with other texts in place of secrets, as far as that is known. */
export interface RenderedInput {
  readonly value: RenderedBlueprint;
  readonly shadow: Readonly<Partial<Record<keyof RenderedBlueprint, unknown>>>;
  /** Names of fields may derive from secrets. */
  readonly warnings: readonly Warning[];
}

/** What the core would make of the input in a first job: the same functions, without a cluster. Throws LandscaperError. */
export function renderBlueprint(input: RenderInput, { now, random }: RenderSurroundings): RenderedInput {
  const { installation, source, closure, given, itemExports } = input;
  checkInstallation(installation);
  const { name = "", namespace = "" } = installation.metadata;
  const time = new Date(now());
  const warnings: Warning[] = [...source.warnings, ...warnOfInstallation(installation)];
  const context: RenderContext = {
    source,
    installation: { name, namespace, spec: installation.spec },
    component: describeComponent(closure, source),
    ...(closure === undefined ? {} : { host: { readContent: (found) => closure.contentOf(found, "content") } }),
    now: () => time,
    random,
    budget: startRenderBudget(processorClock),
    onWarning: (warning) => void warnings.push(warning),
  };
  const imports = traceImports({ context, given, mappings: installation.spec.importDataMappings });
  const objects = renderObjects(context, imports);
  const { deployItems, subinstallations } = objects.value;
  for (const template of subinstallations) sourceOfTemplate(template, { closure, parent: installation.spec });
  for (const { name: item, config } of deployItems) {
    warnings.push(...warnOfConfiguration(`deploy item "${item}": config`, config));
  }
  const isAlone = deployItems.length === 0 && subinstallations.length === 0;
  if (itemExports === undefined && !isAlone) {
    return { value: { deployItems, subinstallations, exports: undefined }, shadow: objects.shadow, warnings };
  }
  const exported = traceExports({
    context,
    imports,
    bindings: addScope(imports.value, itemExports),
    // What a file says of exports can be read there.
    sensitive: { deployItems: [], dataObjects: sensitiveScope(sensitiveImports(imports), itemExports) },
    wanted: wantedExports(input),
    mappings: installation.spec.exportDataMappings,
  });
  const { data, targets } = exported.value;
  return {
    value: { deployItems, subinstallations, exports: { data, targets } },
    shadow: { ...objects.shadow, exports: exported.shadow },
    warnings,
  };
}

function renderObjects(
  context: RenderContext,
  imports: Traced<ResolvedImports>,
): Pick<RenderedInput, "value" | "shadow"> {
  const traced = traceRendering({
    context,
    imports,
    states: {},
    render: (inner, input) => ({
      ...renderDeployItems({ context: inner, imports: input.imports }),
      ...renderSubinstallations({ context: inner, imports: input.imports }),
    }),
  });
  const listsOf = ({ deployItems, subinstallations }: typeof traced.value) => ({
    "deploy item": deployItems,
    subinstallation: subinstallations,
  });
  checkSecretNames({ context, traced, listsOf, reason: "InvalidInput" });
  const { deployItems, subinstallations } = traced.value;
  const shadow = traced.shadow && {
    deployItems: sortLike(deployItems, traced.shadow.deployItems),
    subinstallations: sortLike(subinstallations, traced.shadow.subinstallations),
  };
  return { value: { deployItems, subinstallations, exports: undefined }, shadow: shadow ?? {} };
}

interface Named {
  readonly name: string;
}

/** The second list in the order of the first one, by name; undefined where it has none of a name. */
function sortLike(list: readonly Named[], others: readonly Named[]): readonly (Named | undefined)[] {
  const byName = new Map(others.map((other) => [other.name, other]));
  return list.map(({ name }) => byName.get(name));
}

/** The exports that the Installation lists; all of the blueprint where there is none. */
export function wantedExports({ installation, source, hasInstallation }: RenderInput): RenderExportsOptions["wanted"] {
  const names = (entries: readonly { readonly name: string }[] = []) => entries.map(({ name }) => name);
  const { exports } = installation.spec;
  if (hasInstallation) return { data: names(exports?.data), targets: names(exports?.targets) };
  const declared = source.definition.exports ?? [];
  return {
    data: names(declared.filter(({ type }) => type === "data")),
    targets: names(declared.filter(({ type }) => type === "target")),
  };
}

type Bindings = RenderExportsOptions["bindings"];
const nothing: Bindings = { deployItems: {}, dataObjects: {}, targets: {} };

/** By key, of what no file says. */
function sensitiveScope(
  values: ImportedValues,
  given: Bindings = nothing,
): Readonly<Record<string, readonly JsonPath[]>> {
  const own = Object.entries(values).filter(([key]) => !Object.hasOwn(given.dataObjects, key));
  return Object.fromEntries(own.map(([key, value]) => [key, value.type === "data" ? (value.sensitive ?? []) : []]));
}

/** The Installation's own scope holds its imports, too; elements of lists and maps share a key, the last one wins. */
function addScope({ values }: ResolvedImports, given: Bindings = nothing): Bindings {
  const dataObjects: Record<string, unknown> = {};
  const targets: Record<string, Target> = {};
  for (const [key, value] of Object.entries(values)) {
    if (value.type === "data") {
      dataObjects[key] = value.value;
      continue;
    }
    const all = value.type === "target" ? [value.target] : Object.values(value.targets);
    const last = all.at(-1);
    if (last !== undefined) targets[key] = last;
  }
  return {
    ...given,
    dataObjects: { ...dataObjects, ...given.dataObjects },
    targets: { ...targets, ...given.targets },
  };
}
