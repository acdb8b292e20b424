import type { DeployItemTemplate, InstallationTemplate, Target } from "@landscaper/api";
import type { RenderContext, RenderedExports, RenderExportsOptions, ResolvedImports } from "@landscaper/blueprint";
import {
  checkInstallation,
  componentOfInstallation,
  createRenderBudget,
  renderDeployItems,
  renderExports,
  renderSubinstallations,
  resolveImports,
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

/** What the core would make of the input in a first job: the same functions, without a cluster. Throws LandscaperError. */
export function renderBlueprint(input: RenderInput, { now, random }: RenderSurroundings): RenderedBlueprint {
  const { installation, source, given, itemExports } = input;
  checkInstallation(installation);
  const { name = "", namespace = "" } = installation.metadata;
  const time = new Date(now());
  const context: RenderContext = {
    source,
    installation: { name, namespace, spec: installation.spec },
    component: componentOfInstallation(installation, source),
    now: () => time,
    random,
    budget: createRenderBudget(() => performance.now()),
  };
  const imports = resolveImports({ context, given, mappings: installation.spec.importDataMappings });
  const { deployItems } = renderDeployItems({ context, imports });
  const { subinstallations } = renderSubinstallations({ context, imports });
  const isAlone = deployItems.length === 0 && subinstallations.length === 0;
  if (itemExports === undefined && !isAlone) return { deployItems, subinstallations, exports: undefined };
  const { data, targets } = renderExports({
    context,
    imports,
    bindings: addScope(imports, itemExports),
    wanted: wantedExports(input),
    mappings: installation.spec.exportDataMappings,
  });
  return { deployItems, subinstallations, exports: { data, targets } };
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
