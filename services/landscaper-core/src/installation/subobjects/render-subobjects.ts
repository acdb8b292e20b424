import type { DeployItemTemplate, InstallationTemplate } from "@landscaper/api";
import {
  renderDeployItems,
  renderSubinstallations,
  type RenderContext,
  type ResolvedImports,
  type TemplateStates,
} from "@landscaper/blueprint";

/** States of executions by the kind of execution and its name. */
export interface SubobjectStates {
  readonly deploy: TemplateStates;
  readonly subinstallation: TemplateStates;
}

export interface RenderedSubobjects {
  readonly templates: readonly InstallationTemplate[];
  readonly deployItems: readonly DeployItemTemplate[];
  readonly states: SubobjectStates;
}

export interface RenderSubobjectsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  readonly states: SubobjectStates;
  /** Deploy items that this job has rendered and written before a crash. */
  readonly rendered: readonly DeployItemTemplate[] | undefined;
}

/** Everything that the blueprint makes of the imports, checked; nothing has been written when it throws. Pure. */
export function renderSubobjects({ context, imports, states, rendered }: RenderSubobjectsOptions): RenderedSubobjects {
  const { subinstallations: templates, ...children } = renderSubinstallations({
    context,
    imports,
    state: states.subinstallation,
  });
  const subinstallation = { ...states.subinstallation, ...children.state };
  if (rendered !== undefined) return { templates, deployItems: rendered, states: { ...states, subinstallation } };
  const { deployItems, state } = renderDeployItems({ context, imports, state: states.deploy });
  return { templates, deployItems, states: { deploy: { ...states.deploy, ...state }, subinstallation } };
}
