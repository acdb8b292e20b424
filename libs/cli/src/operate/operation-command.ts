import { parentOf, resources, type Installation } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { withCluster } from "../cluster-command.ts";
import { flagOption, textOption } from "../command.ts";
import type { CommandContext, CommandInput } from "../command.ts";
import { parseTimeout } from "../parse-timeout.ts";
import { parseReference, type ObjectReference, type ReferencedKind } from "../object-reference.ts";
import { loadTree } from "../tree/load-tree.ts";
import { InvocationError, UsageError } from "../usage-error.ts";
import { explainSubject, followJob } from "./follow-job.ts";
import type { AwaitedJob, JobState } from "./judge-job.ts";

/** What a command asks for, on the object that it was given. */
export interface OperationRun {
  readonly client: Client;
  readonly namespace: string;
  readonly reference: ObjectReference;
  readonly input: CommandInput;
  readonly context: CommandContext;
}

/** What was asked for: the job to wait for, none when there is nothing to do. */
export interface Requested {
  readonly message: string;
  readonly job: AwaitedJob | undefined;
  /** What --wait calls the end; other ends are failures. */
  readonly goal: readonly JobState[];
  /** Of --wait, when the goal is reached. */
  readonly done: string;
}

/** Asks for an operation and, with --wait, follows its job. */
export async function runOperation(
  input: CommandInput,
  context: CommandContext,
  {
    kinds,
    request,
  }: { readonly kinds: readonly ReferencedKind[]; readonly request: (run: OperationRun) => Promise<Requested> },
): Promise<void> {
  const reference = parseReference(input.argument);
  if (!kinds.includes(reference.kind)) {
    throw new InvocationError(`expected ${kinds.join(" or ")}, found ${reference.kind} "${reference.name}"`);
  }
  const isWaiting = flagOption(input, "wait");
  const timeoutMs = parseWaitTimeout(textOption(input, "timeout"), isWaiting);
  await withCluster(input, context, async (access) => {
    const run = { ...access, reference, input, context };
    const requested = await request(run);
    context.write(`${requested.message}\n`);
    if (isWaiting && requested.job !== undefined) {
      await waitForJob(run, { ...requested, job: requested.job }, timeoutMs);
    }
  });
}

function parseWaitTimeout(text: string | undefined, isWaiting: boolean): number | undefined {
  if (text === undefined) return undefined;
  if (!isWaiting) throw new InvocationError("--timeout: expected together with --wait");
  return parseTimeout(text);
}

/** Follows a job to its end. Throws UsageError, with what it is about, for another end than the goal, and when the time is over first. */
export async function waitForJob(
  run: Omit<OperationRun, "input">,
  requested: Omit<Requested, "message"> & { readonly job: AwaitedJob },
  timeoutMs: number | undefined,
): Promise<void> {
  const { client, namespace, reference, context } = run;
  const { signal, now, write, writeError } = context;
  const follow = { client, namespace, reference, job: requested.job, timeoutMs, signal, now, write, writeError };
  const state = await followJob(follow);
  if (requested.goal.includes(state)) return write(`${requested.done}\n`);
  if (state === "gone") throw new UsageError(`${reference.kind} "${reference.name}" is gone`);
  const why = await explainSubject(follow, await loadTree(client, { namespace, signal }));
  throw new UsageError(`the job of ${reference.kind} "${reference.name}" has ${state}\n${why}`.trimEnd());
}

/** The Installation that a command names. Throws UsageError when it is not there. */
export async function fetchInstallation({
  client,
  namespace,
  reference,
  context,
}: OperationRun): Promise<Installation> {
  const key = { namespace, name: reference.name };
  const installation = await client.find(resources.installation, key, { signal: context.signal });
  if (installation !== undefined) return installation;
  throw new UsageError(`there is no Installation "${reference.name}" in namespace "${namespace}"`);
}

/** Only roots are triggered and deleted by users: what is below them follows. Throws UsageError. */
export function checkRoot(installation: Installation, verb: string): void {
  const parent = parentOf(installation);
  if (parent === undefined) return;
  const { name } = installation.metadata;
  throw new UsageError(
    `Installation "${name}" is part of Installation "${parent.name}", which ${verb} it with its own job; use installation/${parent.name}`,
  );
}
