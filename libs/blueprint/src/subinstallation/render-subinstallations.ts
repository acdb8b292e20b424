import {
  installationTemplateSchema,
  parseInstallationTemplate,
  type InstallationTemplate,
  type SubinstallationTemplate,
} from "@landscaper/api";
import { foldKeys, YamlError } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { missingFile } from "../missing-file.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";
import { readYamlFile } from "../read-yaml-file.ts";
import { standardBindings, type RenderContext, type TemplateStates } from "../render-context.ts";
import type { ResolvedImports } from "../import/resolve-imports.ts";
import { runExecutions, type ExecutionResult } from "../template/run-execution.ts";
import { warn, warnOfFields, warnOfOutput } from "../template/warn-of-output.ts";
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
  const { templates, state } = renderTemplates(options);
  const all = [...statics, ...templates];
  checkInstallationTemplates(all);
  const connected = connectImports(all, { definition: source.definition, imports });
  return { subinstallations: orderSubinstallations(connected), state };
}

function readStatic(entry: SubinstallationTemplate, index: number, context: RenderContext): InstallationTemplate {
  const where = `subinstallations[${index}]`;
  // What is unknown in the blueprint itself is told by whoever reads it.
  if (!("file" in entry)) return parseTemplate(entry, where);
  const { file } = entry;
  const { files } = context.source;
  if (!files.has(file)) throw missingFile(files, file, { where: `${where}.file`, reason: "EnsureSubinstallations" });
  try {
    const { content, warnings } = readYamlFile(files.readText(file), file);
    warn(context, warnings);
    return parseTemplate(content, file, context);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw blueprintError("EnsureSubinstallations", `${file}: ${error.explanation}`, {
      at: [{ file, line: error.line, column: error.column }],
      cause: error,
    });
  }
}

const templateKeys = Object.keys(installationTemplateSchema.properties);

/** Without context, nobody is told of unknown fields. */
function parseTemplate(value: unknown, where: string, context?: RenderContext): InstallationTemplate {
  const folded = foldKeys(value, templateKeys);
  const template = parseInstallationTemplate(folded, where);
  if (context !== undefined) warnOfFields(context, where, parseInstallationTemplate.findIgnored(folded));
  return template;
}

function renderTemplates({ context, imports, state = {} }: RenderSubinstallationsOptions): {
  templates: InstallationTemplate[];
  state: TemplateStates;
} {
  const templates: InstallationTemplate[] = [];
  const newState = runExecutions({
    kind: "subinstallation execution",
    executors: context.source.definition.subinstallationExecutions ?? [],
    context,
    bindings: () => standardBindings(context, imports.bindings),
    states: state,
    take: (result) => void templates.push(...readTemplates(result, context)),
  });
  return { templates, state: newState };
}

function readTemplates({ output, where }: ExecutionResult, context: RenderContext): InstallationTemplate[] {
  const folded = foldKeys(output, ["subinstallations"]);
  warnOfOutput(context, { where, output: folded, wanted: "subinstallations" });
  const list = isRecord(folded) ? (folded["subinstallations"] ?? []) : [];
  if (Array.isArray(list)) {
    return list.map((item: unknown, i) => parseTemplate(item, `${where}: subinstallations[${i}]`, context));
  }
  throw blueprintError(
    "EnsureSubinstallations",
    `${where}: subinstallations: expected a list, found ${describeType(list)}`,
  );
}
