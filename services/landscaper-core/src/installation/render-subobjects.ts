import type { DeployItemTemplate, InstallationTemplate } from "@landscaper/api";
import {
  renderDeployItems,
  renderSubinstallations,
  type RenderContext,
  type ResolvedImports,
  type TemplateStates,
} from "@landscaper/blueprint";

export interface RenderedSubobjects {
  readonly templates: readonly InstallationTemplate[];
  readonly deployItems: readonly DeployItemTemplate[];
  readonly states: TemplateStates;
}

export interface RenderSubobjectsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  readonly states: TemplateStates;
  /** Deploy items that this job has rendered and written before a crash. */
  readonly rendered: readonly DeployItemTemplate[] | undefined;
}

/** Everything that the blueprint makes of the imports, checked; nothing has been written when it throws. Pure. */
export function renderSubobjects({ context, imports, states, rendered }: RenderSubobjectsOptions): RenderedSubobjects {
  const subinstallations = renderSubinstallations({ context, imports, state: states });
  const afterSubinstallations = { ...states, ...subinstallations.state };
  if (rendered !== undefined) {
    return { templates: subinstallations.subinstallations, deployItems: rendered, states: afterSubinstallations };
  }
  const items = renderDeployItems({ context, imports, state: afterSubinstallations });
  return {
    templates: subinstallations.subinstallations,
    deployItems: items.deployItems,
    states: { ...afterSubinstallations, ...items.state },
  };
}
