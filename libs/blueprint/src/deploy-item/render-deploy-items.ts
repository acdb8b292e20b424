import {
  expectNothingElse,
  formatDuration,
  fromEveryField,
  parseDuration,
  type DeployItemTemplate,
} from "@landscaper/api";
import { foldKeys } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType } from "../parameter/describe-value.ts";
import { standardBindings, type RenderContext, type TemplateStates } from "../render-context.ts";
import type { ResolvedImports } from "../import/resolve-imports.ts";
import { runExecutions } from "../template/run-execution.ts";
import { warnOfFields, warnOfOutput } from "../template/warn-of-output.ts";
import { checkDeployItems } from "./check-deploy-items.ts";
import {
  findIgnoredItemFields,
  parseDeployItemSpecification,
  type DeployItemSpecification,
} from "./deploy-item-specification.ts";
import { resolveTarget } from "./resolve-target.ts";

export interface RenderDeployItemsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  /** "deploy" state of the last run, by execution name. */
  readonly state?: TemplateStates;
}

export interface RenderedDeployItems {
  /** The items of all executions in order; `target` is the ObjectRef of the imported Target object (core.md §4.14). */
  readonly deployItems: readonly DeployItemTemplate[];
  /** New state by execution name; executions without a `state` node are absent. */
  readonly state: TemplateStates;
}

/** Runs the deploy executions (core.md §1.2 no. 40, 41). Throws LandscaperError. */
export function renderDeployItems({ context, imports, state = {} }: RenderDeployItemsOptions): RenderedDeployItems {
  const deployItems: DeployItemTemplate[] = [];
  const newState = runExecutions({
    kind: "deploy execution",
    executors: context.source.definition.deployExecutions ?? [],
    context,
    bindings: () => standardBindings(context, imports.bindings),
    states: state,
    take: ({ output, where }) => {
      for (const item of readItems(output, { where, context })) {
        deployItems.push(toTemplate(item, { imports: imports.values, namespace: context.installation.namespace }));
      }
    },
  });
  checkDeployItems(deployItems);
  return { deployItems, state: newState };
}

function readItems(
  output: Readonly<Record<string, unknown>>,
  { where, context }: { readonly where: string; readonly context: RenderContext },
): DeployItemSpecification[] {
  const folded = foldKeys(output, ["deployItems"]);
  warnOfOutput(context, { where, output: folded, wanted: "deployItems" });
  const list =
    typeof folded === "object" && folded !== null && "deployItems" in folded ? folded.deployItems : undefined;
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    throw blueprintError("InvalidInput", `${where}: deployItems: expected a list, found ${describeType(list)}`);
  }
  return list.map((item: unknown, i) => {
    const at = `${where}: deployItems[${i}]`;
    const specification = parseDeployItemSpecification(item, at);
    warnOfFields(context, specification.where, findIgnoredItemFields(item));
    return specification;
  });
}

/**
 * As the original writes it: flags that are not set are left away, durations have all units ("10m0s"). Otherwise an item that it
 * made would get another spec, and so be deployed again although nothing has changed.
 */
function toTemplate(
  item: DeployItemSpecification,
  resolution: { imports: ResolvedImports["values"]; namespace: string },
): DeployItemTemplate {
  const { name, type, target, config, labels, dependsOn, timeout, updateOnChangeOnly, ...others } = item;
  const { skipUninstallIfClusterRemoved, where, ...rest } = others;
  expectNothingElse(rest);
  return fromEveryField<DeployItemTemplate>({
    name,
    type,
    target: target === undefined ? undefined : resolveTarget(target, { ...resolution, where: `${where}: target` }),
    labels,
    config,
    dependsOn,
    timeout: timeout === undefined ? undefined : canonicalDuration(timeout),
    updateOnChangeOnly: updateOnChangeOnly === true ? true : undefined,
    onDelete:
      skipUninstallIfClusterRemoved === undefined
        ? undefined
        : fromEveryField<NonNullable<DeployItemTemplate["onDelete"]>>({
            skipUninstallIfClusterRemoved: skipUninstallIfClusterRemoved || undefined,
          }),
  });
}

/** What is no duration stays as it is: checkDeployItems says so. */
function canonicalDuration(text: string): string {
  try {
    return formatDuration(parseDuration(text));
  } catch {
    return text;
  }
}
