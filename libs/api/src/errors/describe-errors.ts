import { errorCodeCatalogue, errorReasonCatalogue } from "./error-catalogue.ts";

function table(title: string, rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const width = rows[0]?.length ?? 0;
  return [line(title.split("|")), line(Array.from({ length: width }, () => "---")), ...rows.map(line)].join("\n");
}

/** The text of docs/errors.md. */
export function describeErrors(): string {
  const codes = Object.entries(errorCodeCatalogue).map(([code, text]) => [`\`${code}\``, text]);
  const areas = Object.entries(errorReasonCatalogue).map(([area, reasons]) => {
    const rows = Object.entries(reasons).map(([reason, { cause, fix }]) => [`\`${reason}\``, cause, fix]);
    return `## ${area}\n\n${table("reason|cause|what helps", rows)}\n`;
  });
  return `# Errors

\`status.lastError\` of Installations, Executions and DeployItems says what failed: \`operation\` and \`reason\` for machines,
\`message\` for people, \`codes\` for how the job goes on. A parent's message carries the path to the first failing leaf.
Reasons of conditions and of Kubernetes events say what has failed where \`reason\` names a step: \`DeployItemFailed\` and \`SubObjectFailed\` for \`JobIDFinished\`, \`ImportMissing\` for
\`ImportsSatisfied\` and \`ImportNotSatisfied\`, \`ReconcileExecutionFailed\` for \`ReconcileExecution\`.
This page is generated from \`libs/api/src/errors/error-catalogue.ts\` by \`npm run generate\`.

## Codes

${table("code|meaning", codes)}

${areas.join("\n")}`;
}
