import { parseInstallationTemplate, type InstallationTemplate, type SubinstallationTemplate } from "@landscaper/api";
import { foldKeys, fromYaml, YamlError } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType, isRecord } from "../describe-value.ts";
import { standardBindings, type RenderContext, type TemplateStates } from "../render-context.ts";
import type { ResolvedImports } from "../resolve-imports.ts";
import { runExecution } from "../template/run-execution.ts";
import { checkInstallationTemplates } from "./check-installation-templates.ts";
import { orderSubinstallations } from "./order-subinstallations.ts";
import { connectImports } from "./connect-imports.ts";

export interface RenderSubinstallationsOptions {
  readonly context: RenderContext;
  readonly imports: ResolvedImports;
  /** "deploy" state of the last run, by execution name. */
  readonly state?: TemplateStates;
}

export interface RenderedSubinstallations {
  /** Valid templates, predecessors first; data imports of unsatisfied parent imports are pruned (core.md §4.19). */
  readonly subinstallations: readonly InstallationTemplate[];
  /** New state by execution name; executions without a `state` node are absent. */
  readonly state: TemplateStates;
}

/** Static and templated subinstallations together (core.md §1.2 no. 45). Throws LandscaperError. */
export function renderSubinstallations(options: RenderSubinstallationsOptions): RenderedSubinstallations {
  const { context, imports } = options;
  const { source } = context;
  const statics = (source.definition.subinstallations ?? []).map((entry, i) => readStatic(entry, i, context));
  const { templates, state } = runExecutions(options);
  const all = [...statics, ...templates];
  checkInstallationTemplates(all);
  const connected = connectImports(all, { definition: source.definition, imports });
  return { subinstallations: orderSubinstallations(connected), state };
}

function readStatic(entry: SubinstallationTemplate, index: number, context: RenderContext): InstallationTemplate {
  const where = `subinstallations[${index}]`;
  if (!("file" in entry)) return parseTemplate(entry, where);
  const { file } = entry;
  const { files } = context.source;
  if (!files.has(file)) {
    throw blueprintError("EnsureSubinstallations", `${where}: ${file}: the blueprint has no such file`, {
      at: [{ file }],
    });
  }
  try {
    return parseTemplate(fromYaml(files.readText(file)), file);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw blueprintError("EnsureSubinstallations", `${file}: ${error.message}`, {
      at: [{ file, line: error.line, column: error.column }],
      cause: error,
    });
  }
}

const templateKeys = [
  "apiVersion",
  "kind",
  "name",
  "blueprint",
  "imports",
  "importDataMappings",
  "exports",
  "exportDataMappings",
  "optimization",
];

function parseTemplate(value: unknown, where: string): InstallationTemplate {
  return parseInstallationTemplate(foldKeys(value, templateKeys), where);
}

function runExecutions({ context, imports, state = {} }: RenderSubinstallationsOptions): {
  templates: InstallationTemplate[];
  state: TemplateStates;
} {
  const templates: InstallationTemplate[] = [];
  const newState: Record<string, unknown> = {};
  for (const executor of context.source.definition.subinstallationExecutions ?? []) {
    const bindings = standardBindings(context, imports.bindings);
    const result = runExecution({ kind: "subinstallation execution", executor, context, bindings, states: state });
    if (result.state !== undefined) newState[executor.name] = result.state;
    const folded = foldKeys(result.output, ["subinstallations"]);
    const list = isRecord(folded) ? (folded["subinstallations"] ?? []) : [];
    if (!Array.isArray(list)) {
      throw blueprintError(
        "EnsureSubinstallations",
        `${result.where}: subinstallations: expected a list, found ${describeType(list)}`,
      );
    }
    for (const [i, item] of list.entries())
      templates.push(parseTemplate(item, `${result.where}: subinstallations[${i}]`));
  }
  return { templates, state: newState };
}
