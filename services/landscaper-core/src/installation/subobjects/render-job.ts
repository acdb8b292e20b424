import type { DeployItemTemplate, Installation } from "@landscaper/api";
import {
  checkSecretNames,
  sensitiveConfigs,
  sensitiveImports,
  traceImports,
  traceRendering,
  type ImportedValues,
  type RenderContext,
  type ResolvedImports,
} from "@landscaper/blueprint";
import { renderSubobjects, type RenderedSubobjects, type SubobjectStates } from "./render-subobjects.ts";
import { formatSensitiveConfigs } from "./sensitive-configs.ts";

export interface RenderJobOptions {
  readonly context: RenderContext;
  readonly given: ImportedValues;
  readonly mappings: Installation["spec"]["importDataMappings"];
  readonly states: SubobjectStates;
  /** Deploy items that this job has rendered and written before a crash, with the annotation that says what of them is secret. */
  readonly written:
    | { readonly items: readonly DeployItemTemplate[]; readonly sensitive: string | undefined }
    | undefined;
}

export interface RenderedJob {
  /** Each value with what of it is secret. */
  readonly imports: ResolvedImports;
  readonly rendered: RenderedSubobjects;
  /** For the Execution: what of its items derives from secrets. */
  readonly sensitive: string | undefined;
}

/** Everything that a job makes of its imports, and what of that derives from secrets. Pure; what it throws may be shown. */
export function renderJob({ context, given, mappings, states, written }: RenderJobOptions): RenderedJob {
  const imports = traceImports({ context, given, mappings });
  const traced = traceRendering({
    context,
    imports,
    states,
    render: (inner, input) => renderSubobjects({ ...input, context: inner, rendered: written?.items }),
  });
  const listsOf = ({ deployItems, templates }: RenderedSubobjects) => ({
    "deploy item": deployItems,
    subinstallation: templates,
  });
  checkSecretNames({ context, traced, listsOf, reason: "InvalidInput" });
  const { value, shadow } = traced;
  return {
    imports: { ...imports.value, values: sensitiveImports(imports) },
    rendered: value,
    sensitive:
      written === undefined
        ? formatSensitiveConfigs(sensitiveConfigs(value.deployItems, shadow?.deployItems))
        : written.sensitive,
  };
}
