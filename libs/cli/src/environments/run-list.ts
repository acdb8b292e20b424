import type { Environment } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import { formatColumns } from "../format-columns.ts";
import { formatAge } from "../tree/format-tree.ts";
import { describeEnvironmentPhase, listEnvironments } from "./environment-state.ts";
import { parseTableOutput } from "./table-output.ts";

/** `landscaper environments list`: one line for each Environment. */
export const runListEnvironments: CommandRun = async (input, context) => {
  const output = parseTableOutput(input);
  await withCluster(input, context, async ({ client }) => {
    const environments = await listEnvironments({ client, signal: context.signal });
    if (output === "json") {
      context.write(`${JSON.stringify(environments.map(toJson), undefined, 2)}\n`);
      return;
    }
    const rows = environments.map((environment) => [
      environment.metadata.name ?? "",
      describeEnvironmentPhase(environment),
      environment.status?.succeeded ?? "",
      ageOf(environment, context.now()),
      environment.status?.lastError?.message.split("\n")[0] ?? "",
    ]);
    context.write(formatColumns([["NAME", "PHASE", "DEPLOYERS", "AGE", "ERROR"], ...rows]));
  });
};

function ageOf({ metadata }: Environment, now: number): string {
  const { creationTimestamp } = metadata;
  return creationTimestamp === undefined ? "" : formatAge(now - Date.parse(creationTimestamp));
}

/** The shape is for programs: fields are added, never changed. */
function toJson({ metadata, spec, status }: Environment) {
  return {
    name: metadata.name ?? "",
    phase: status?.phase ?? "",
    suspended: spec.suspend === true,
    deleting: metadata.deletionTimestamp !== undefined,
    created: metadata.creationTimestamp ?? null,
    error: status?.lastError?.message ?? null,
    deployers: (status?.deployers ?? []).map(({ name, registration, phase, version, waitsFor, message }) => ({
      name,
      registration,
      phase,
      version: version ?? null,
      waitsFor: waitsFor ?? [],
      message: message ?? null,
    })),
  };
}
