import { setTimeout as sleep } from "node:timers/promises";
import { keyOf, LandscaperError, resources, type DeployItem } from "@landscaper/api";
import { ApiError, ConnectionError, type Client } from "@landscaper/controller-runtime";
import { judgePlan, type PlanRequest } from "../../diff/judge-plan.ts";
import { requestPlan, withdrawPlan } from "../../diff/plan-request.ts";
import { readPlan } from "../../diff/read-plan.ts";
import { UsageError } from "../../usage-error.ts";
import { readSwitchAnswer, type SwitchAnswer } from "./switch-answer.ts";

export interface AskOptions {
  readonly client: Client;
  /** One of `planOperations`. */
  readonly operation: string;
  readonly timeoutMs: number;
  /** As the user gave it. */
  readonly timeoutText: string;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly schedule: (ms: number, callback: () => void) => () => void;
}

/** Answer of the deployer of an item, or the reason for a missing answer. */
export type Answered = { readonly answer: SwitchAnswer; readonly text: string } | { readonly problem: string };

/** For requests that have no answer when the command ends. */
const withdrawTimeoutMs = 5000;
/** Between two attempts to watch an item. */
const pauseMs = 500;

/**
 * Asks the deployer of an item what a switch would change, and waits for the answer. Withdraws the request if there is no answer in time, or if the
 * command is interrupted. Throws if `signal` is aborted.
 */
export async function askForSwitch(item: DeployItem, options: AskOptions): Promise<Answered> {
  try {
    return await ask(item, options);
  } catch (error) {
    options.signal.throwIfAborted();
    return { problem: messageOf(error) };
  }
}

async function ask(item: DeployItem, options: AskOptions): Promise<Answered> {
  const { client, operation, signal } = options;
  let isOpen = true;
  try {
    const request = await requestPlan(item, options);
    if (typeof request === "string") {
      isOpen = false;
      return { problem: request };
    }
    const problem = await awaitPlan(item, request, options);
    if (problem === "timeout") return { problem: describeTimeout(item, options) };
    if (problem !== undefined) return { problem };
    isOpen = false;
    const { document, text } = await readPlan(client, item, signal);
    const answer = readSwitchAnswer(document);
    const meanwhile = "another client asked for another plan meanwhile; repeat the command";
    return answer === undefined ? { problem: meanwhile } : { answer, text };
  } finally {
    if (isOpen) await withdraw(item, { client, operation });
  }
}

function describeTimeout({ spec }: DeployItem, { timeoutText }: AskOptions): string {
  return `no deployer has answered within ${timeoutText}; does one of this release run for type ${spec.type}?`;
}

/** Waits for the plan. Returns undefined once it exists, or the reason for a missing plan. Throws if the signal is aborted. */
async function awaitPlan(
  item: DeployItem,
  request: PlanRequest,
  { client, timeoutMs, signal, now, schedule }: AskOptions,
): Promise<string | undefined> {
  const ending = new AbortController();
  const cancel = schedule(timeoutMs, () => ending.abort());
  const limited = AbortSignal.any([signal, ending.signal]);
  try {
    for (;;) {
      for await (const state of statesOf(item, client, limited)) {
        const progress = judgePlan(state, request, now());
        if (progress.type === "failed") return progress.message;
        if (progress.type === "planned") return undefined;
      }
      await sleep(pauseMs, undefined, { signal: limited });
    }
  } catch (error) {
    signal.throwIfAborted();
    if (ending.signal.aborted) return "timeout";
    throw error;
  } finally {
    cancel();
    ending.abort();
  }
}

/** The item now and after each change; undefined if it does not exist. Ends when the watch ends. */
async function* statesOf(
  item: DeployItem,
  client: Client,
  signal: AbortSignal,
): AsyncGenerator<DeployItem | undefined, void> {
  const { namespace, name } = keyOf(item);
  const current = await client.find(resources.deployItem, { namespace, name }, { signal });
  yield current;
  const { resourceVersion = "" } = current?.metadata ?? {};
  const fieldSelector = `metadata.name=${name}`;
  try {
    for await (const event of client.watch(resources.deployItem, {
      namespace,
      fieldSelector,
      resourceVersion,
      signal,
    })) {
      if (event.type === "ADDED" || event.type === "MODIFIED") yield event.object;
      if (event.type === "DELETED") yield undefined;
      if (event.type === "ERROR") return;
    }
  } catch (error) {
    signal.throwIfAborted();
    // The watch begins again with a read, which fails if the cluster cannot be reached.
    if (!(error instanceof ApiError) && !(error instanceof ConnectionError)) throw error;
  }
}

/** Errors are not reported: a request that stays is answered once, and its answer is not read. */
async function withdraw(
  item: DeployItem,
  options: { readonly client: Client; readonly operation: string },
): Promise<void> {
  try {
    await withdrawPlan(item, { ...options, signal: AbortSignal.timeout(withdrawTimeoutMs) });
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof ConnectionError) && !isTimeout(error)) throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function messageOf(error: unknown): string {
  const isKnown = [UsageError, LandscaperError, ApiError, ConnectionError].some((kind) => error instanceof kind);
  if (!isKnown || !(error instanceof Error)) throw error;
  return error.message;
}
