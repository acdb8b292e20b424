import type { DeployerRegistration } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import { formatColumns } from "../format-columns.ts";
import { listRegistrations } from "./environment-state.ts";
import { parseTableOutput } from "./table-output.ts";

/** `landscaper deployers`: one line for each DeployerRegistration, and what its rollout waits for. */
export const runDeployers: CommandRun = async (input, context) => {
  const output = parseTableOutput(input);
  await withCluster(input, context, async ({ client }) => {
    const registrations = await listRegistrations({ client, signal: context.signal });
    if (output === "json") {
      context.writeJson(`${JSON.stringify(registrations.map(toJson), undefined, 2)}\n`);
      return;
    }
    const headings = ["NAME", "VERSION", "ENVIRONMENTS", "SUCCEEDED", "PROGRESSING", "FAILED", "UPDATED", "WAITS FOR"];
    context.write(formatColumns([headings, ...registrations.map(toRow)]));
  });
};

function versionOf({ spec }: DeployerRegistration): string | undefined {
  return spec.installationTemplate.componentDescriptor?.ref?.version;
}

function toRow(registration: DeployerRegistration): readonly string[] {
  const { metadata, status } = registration;
  const { environments, rollout } = status ?? {};
  const counts = [environments?.total, environments?.succeeded, environments?.progressing, environments?.failed];
  return [
    metadata.name ?? "",
    versionOf(registration) ?? "",
    ...[...counts, rollout?.updated].map((count) => (count === undefined ? "" : String(count))),
    rollout?.waitsFor ?? "",
  ];
}

/** The shape is for programs: fields are added, never changed. */
function toJson(registration: DeployerRegistration) {
  const { metadata, spec, status } = registration;
  return {
    name: metadata.name ?? "",
    types: spec.types,
    version: versionOf(registration) ?? null,
    environments: status?.environments ?? null,
    rollout: status?.rollout ?? null,
    error: status?.lastError?.message ?? null,
  };
}
