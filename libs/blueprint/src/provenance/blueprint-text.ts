import type { RenderContext } from "../render-context.ts";

/** Everything that the blueprint's author and the Installation's author wrote down, as far as templates are made of it. */
export function blueprintText({ source, installation }: RenderContext): string {
  const { definition, files } = source;
  const executions = [
    ...(definition.importExecutions ?? []),
    ...(definition.subinstallationExecutions ?? []),
    ...(definition.deployExecutions ?? []),
    ...(definition.exportExecutions ?? []),
  ];
  const texts = executions.flatMap(({ file }) => (file !== undefined && files.has(file) ? [files.readText(file)] : []));
  return [JSON.stringify(definition), JSON.stringify(installation.spec), ...texts].join("\n");
}
