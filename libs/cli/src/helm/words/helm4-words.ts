import { TemplateError } from "@landscaper/gotemplate";
import type { HelmProblem, HelmWords } from "./helm-words.ts";
import { structuredLine } from "./structured-log.ts";
import { templateTrace } from "./template-trace.ts";

/** Texts of Helm v4.3.1. */
export const helm4Words: HelmWords = {
  logLine,
  unknownHook: (hookTypes) => structuredLine("INFO", "skipping unknown hooks", { hookTypes }),
  deprecatedChart: structuredLine("WARN", "this chart is deprecated"),
  missingDependencies: (problem) =>
    `an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch missing dependencies: ${problem}`,
  failedDependencies: (problem) => logged("chart dependencies processing failed", problem),
  invalidReleaseName: (problem) => logged("release name check failed", problem),
  renderFailure: (error) => (error instanceof TemplateError ? templateTrace(error.message) : error.message),
};

function logged(step: string, error: string): HelmProblem {
  return { logLine: structuredLine("ERROR", step, { error }), message: `${step}: ${error}` };
}

/** Formats a warning from the parts of its text. */
type FormatWarning = (parts: readonly string[]) => string;

/** Lines that v4.3.1 logs for warnings of the library, by the form of their text. */
const lines: readonly (readonly [form: RegExp, line: FormatWarning])[] = [
  [
    /^found symbolic link in path: ([^]*) resolves to ([^]*)\. Contents of linked file included and used$/,
    ([path = "", resolved = ""]) =>
      structuredLine("INFO", "found symbolic link in path. Contents of linked file included and used", {
        path,
        resolved,
      }),
  ],
  [
    /^Warning: Condition path '([^]*)' for chart ([^]*) returned non-bool value$/,
    ([path = "", chart = ""]) => structuredLine("WARN", "returned non-bool value", { path, chart }),
  ],
  [
    /^Warning: Tag '([^]*)' for chart ([^]*) returned non-bool value$/,
    ([tag = "", chart = ""]) => structuredLine("WARN", "returned non-bool value", { tag, chart }),
  ],
  [
    /^Warning: ImportValues missing table from chart ([^]*?): ([^]*)$/,
    ([chart = "", error = ""]) => structuredLine("WARN", "ImportValues missing table from chart", { chart, error }),
  ],
  [
    /^Warning: ImportValues missing table: ([^]*)$/,
    ([error = ""]) => structuredLine("WARN", "ImportValues missing table", { error }),
  ],
];

function logLine(text: string): string {
  for (const [form, line] of lines) {
    const [, ...parts] = form.exec(text) ?? [];
    if (parts.length > 0) return line(parts);
  }
  return structuredLine("INFO", text);
}
