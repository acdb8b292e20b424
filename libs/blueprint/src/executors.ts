import type { Blueprint, TemplateExecutor, Warning } from "@landscaper/api";
import { blueprintError } from "./blueprint-error.ts";
import { describeType } from "./parameter/describe-value.ts";

/** Lists of template executions in a blueprint, in the order in which they run. */
export const executorLists = [
  "importExecutions",
  "deployExecutions",
  "exportExecutions",
  "subinstallationExecutions",
] as const;

/**
 * The executions of a blueprint as they run. As in the original, they need no names, names may be there twice, and `template` wins
 * over `file`. Throws LandscaperError for one that has neither, and for a Go template that is no text.
 */
export function settleExecutors(definition: Blueprint, file: string): Blueprint {
  const settled = executorLists.flatMap((list) => {
    const executors = definition[list];
    return executors === undefined
      ? []
      : [
          [
            list,
            executors.map((executor, index) => settleExecutor(executor, `${file}: ${placeOf(list, executor, index)}`)),
          ],
        ];
  });
  return { ...definition, ...(Object.fromEntries(settled) as Partial<Blueprint>) };
}

function placeOf(list: string, { name }: TemplateExecutor, index: number): string {
  return name === "" ? `${list}[${index}]` : `${list} "${name}"`;
}

function settleExecutor(executor: TemplateExecutor, where: string): TemplateExecutor {
  const { file, template, ...rest } = executor;
  if (template === undefined) {
    if (file === undefined) throw blueprintError("InvalidInput", `${where}: expected file or template, found neither`);
    return executor;
  }
  if (executor.type === "GoTemplate" && typeof template !== "string") {
    const found = describeType(template);
    throw blueprintError("InvalidInput", `${where}: template: expected the text of a Go template, found ${found}`);
  }
  return { ...rest, template };
}

/** Tells of files that are not read. */
export function warnOfExecutors(definition: Blueprint, file: string): readonly Warning[] {
  return executorLists.flatMap((list) =>
    (definition[list] ?? []).flatMap((executor, index) =>
      executor.file === undefined || executor.template === undefined
        ? []
        : [
            {
              reason: "WithoutEffect",
              message: `${file}: field "${list}[${index}].file" has no effect: template is set, too`,
            },
          ],
    ),
  );
}
