import { agentFinalizer, LandscaperError, type Environment } from "@landscaper/api";
import { backoffDelayMs, explainProblem } from "@landscaper/controller-runtime";
import type { AgentContext } from "./agent-context.ts";
import { findRefusedNamespaces, hasRefusedSelectors } from "./build-environment.ts";
import { decideAgent } from "./decide-agent.ts";
import { observeAgent } from "./observe-agent.ts";
import { performAgent } from "./perform-agent.ts";
import type { Wake } from "./wake.ts";

/** What somebody else changes on the host is put right within this time (ms). */
const longestPauseMs = 10 * 60_000;
/** Between two tokens: an API server whose clock is far behind gives tokens that are old at once. */
const leastRenewalMs = 60_000;
const backoff = { baseMs: 500, maxMs: 60_000 };

export interface KeepOptions extends AgentContext {
  readonly wake: Wake;
  /** Why the agent cannot do its work; undefined when it can. */
  readonly report: (problem: string | undefined) => void;
  /** In [0, 1), for jitter. */
  readonly random: () => number;
}

/**
 * Keeps the Environment and the objects of the host as the configuration says, and the token of the host valid, until the signal is aborted. A failure is
 * reported and tried again.
 */
export async function keepAgent(options: KeepOptions, signal: AbortSignal): Promise<void> {
  const { wake, report, random } = options;
  const settler = createSettler(options);
  for (let failures = 0; ;) {
    try {
      const pauseMs = await settler(signal);
      report(undefined);
      failures = 0;
      await wake.wait(Math.min(Math.max(pauseMs, 0), longestPauseMs), signal);
    } catch (error) {
      signal.throwIfAborted();
      const problem = explainProblem(error);
      if (problem === undefined) throw error;
      failures++;
      report(problem);
      await wake.wait(backoffDelayMs(backoff, failures, random), signal);
    }
  }
}

/** Writes until nothing is left to do; resolves to the pause (ms) before the next look. */
function createSettler(context: AgentContext): (signal: AbortSignal) => Promise<number> {
  const { settings, clock, log } = context;
  let renewedMs = Number.NEGATIVE_INFINITY;
  let isGone = false;
  let updatedFrom: string | undefined;
  let refused = "";
  const tellRefused = (environment: Environment | undefined): void => {
    const names = findRefusedNamespaces(settings, environment).join(", ");
    const refusals = [
      ...(names === "" ? [] : [`${notNamed}: ${names}`]),
      ...(hasRefusedSelectors(settings, environment) ? [notSelected] : []),
    ];
    const text = refusals.join("\n");
    if (text !== refused) for (const refusal of refusals) log.warn({}, refusal);
    refused = text;
  };
  return async (signal) => {
    for (;;) {
      const observed = await observeAgent(context, signal);
      // The life of a token is told by the time of day.
      const nowMs = clock.now();
      const decision = decideAgent(observed, settings, nowMs);
      if (decision.kind === "gone") {
        if (!isGone) log.info({}, `${gone}; remove the finalizer ${agentFinalizer} when the agent is uninstalled`);
        isGone = true;
        return Number.POSITIVE_INFINITY;
      }
      isGone = false;
      if (decision.kind === "keep") {
        tellRefused(observed.environment);
        return decision.untilMs - nowMs;
      }
      if (decision.kind === "write-access") {
        const pauseMs = renewedMs + leastRenewalMs - clock.elapsed();
        if (pauseMs > 0 && decision.secret !== undefined) return pauseMs;
        renewedMs = clock.elapsed();
      }
      const from = decision.kind === "update-environment" ? decision.environment.metadata.resourceVersion : undefined;
      if (from !== undefined && from === updatedFrom) {
        updatedFrom = undefined;
        throw droppedFields(settings.environment);
      }
      log.info({ step: decision.kind }, "a step of the agent");
      await performAgent(context, decision, signal);
      updatedFrom = from;
    }
  };
}

const notNamed =
  "namespaces: only an administrator of the landscaper cluster adds namespaces to spec.namespaces of the Environment; it does not name";
const notSelected =
  "targetSelectors: only an administrator of the landscaper cluster sets selectors of Targets with neither the name of the Environment nor its annotation; spec.targetSelectors of the Environment is unchanged";
const gone = "the Environment is deleted, and nothing of it is left on the host";

/** An update has changed nothing, although the Environment is not as it should be: the same update would be made for ever. */
function droppedFields(environment: string): LandscaperError {
  return new LandscaperError({
    message: `the landscaper cluster does not keep all fields of Environment ${environment}: its CustomResourceDefinition is of another release`,
    reason: "KindsNotServed",
    hint: "upgrade landscaper-core before its agents",
  });
}
