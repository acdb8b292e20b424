import type { DeployItemTemplate, InstallationTemplate } from "@landscaper/api";
import type { RenderContext } from "@landscaper/blueprint";
import {
  createRenderBudget,
  filesFromTree,
  readBlueprint,
  renderDeployItems,
  renderSubinstallations,
  resolveImports,
} from "@landscaper/blueprint";
import type { FolderTree } from "./read-folder.ts";
import type { RenderImports } from "./parse-render-imports.ts";

export interface RenderInput {
  readonly name: string;
  readonly namespace: string;
  readonly tree: FolderTree;
  readonly imports: RenderImports;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
}

export interface RenderedBlueprint {
  readonly deployItems: readonly DeployItemTemplate[];
  readonly subinstallations: readonly InstallationTemplate[];
}

/** What the core would make of the blueprint in a first job: the same functions, without a cluster. Throws LandscaperError. */
export function renderBlueprint({ name, namespace, tree, imports, now, random }: RenderInput): RenderedBlueprint {
  const time = new Date(now());
  const context: RenderContext = {
    source: readBlueprint(filesFromTree(tree, "blueprint")),
    installation: { name, namespace, spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => time,
    random,
    budget: createRenderBudget(() => performance.now()),
  };
  const resolved = resolveImports({ context, given: imports.given, mappings: imports.mappings });
  const { deployItems } = renderDeployItems({ context, imports: resolved });
  const { subinstallations } = renderSubinstallations({ context, imports: resolved });
  return { deployItems, subinstallations };
}
