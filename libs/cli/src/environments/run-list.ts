import { conditionTypes, type Environment } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import { formatColumns } from "../format-columns.ts";
import { formatAge } from "../tree/format-tree.ts";
import { clockWarningOf, conditionOf, describeEnvironmentPhase, listEnvironments } from "./environment-state.ts";
import { parseTableOutput } from "./table-output.ts";

/** `landscaper environments list`: one line for each Environment. */
export const runListEnvironments: CommandRun = async (input, context) => {
  const output = parseTableOutput(input);
  await withCluster(input, context, async ({ client }) => {
    const environments = await listEnvironments({ client, signal: context.signal });
    if (output === "json") {
      context.writeJson(`${JSON.stringify(environments.map(toJson), undefined, 2)}\n`);
      return;
    }
    const rows = environments.map((environment) => [
      environment.metadata.name ?? "",
      describeEnvironmentPhase(environment),
      environment.status?.succeeded ?? "",
      conditionOf(environment.status?.conditions, conditionTypes.reachable)?.status ?? "",
      ageOf(seenTimeOf(environment), context.now()),
      ageOf(environment.metadata.creationTimestamp, context.now()),
      environment.status?.lastError?.message.split("\n")[0] ?? warningOf(environment),
    ]);
    context.write(formatColumns([["NAME", "PHASE", "DEPLOYERS", "REACHABLE", "HEARTBEAT", "AGE", "ERROR"], ...rows]));
  });
};

/** A core of an earlier release writes only the time by the clock of the agent. */
function seenTimeOf({ status }: Environment): string | undefined {
  return status?.lastHeartbeatSeenTime ?? status?.lastHeartbeatTime;
}

function warningOf({ status }: Environment): string {
  return clockWarningOf(status?.conditions) === undefined ? "" : "warning: the clocks of agent and core differ";
}

function ageOf(time: string | undefined, now: number): string {
  return time === undefined ? "" : formatAge(now - Date.parse(time));
}

/** The shape is for programs: fields are added, never changed. */
function toJson({ metadata, spec, status }: Environment) {
  return {
    name: metadata.name ?? "",
    phase: status?.phase ?? "",
    suspended: spec.suspend === true,
    deleting: metadata.deletionTimestamp !== undefined,
    created: metadata.creationTimestamp ?? null,
    reachable: conditionOf(status?.conditions, conditionTypes.reachable)?.status ?? null,
    heartbeat: status?.lastHeartbeatTime ?? null,
    heartbeatSeen: status?.lastHeartbeatSeenTime ?? null,
    agentVersion: status?.agentVersion ?? null,
    clusterVersion: status?.clusterVersion ?? null,
    error: status?.lastError?.message ?? null,
    clockDiffers: clockWarningOf(status?.conditions) ?? null,
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
