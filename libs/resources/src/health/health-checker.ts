import { LandscaperError, type HealthRule, type UnstructuredObject } from "@landscaper/api";
import { ThreadLimitError, ThreadPool } from "@landscaper/threads";
import { formatResource, referenceTo } from "../cluster/resource-reference.ts";
import type { KStatus } from "../readiness/kstatus-result.ts";
import { checkHealthRules } from "./health-expressions.ts";
import { rulesFor } from "./health-rule.ts";
import type { HealthResults, HealthTask } from "./health-tasks.ts";
import { shippedHealthRules } from "./shipped-health-rules.ts";

/** The bundle of a service has the thread beside it. */
const entry = new URL(import.meta.url.endsWith(".ts") ? "./health-thread.ts" : "./health-thread.mjs", import.meta.url);

export interface HealthOptions {
  /** Namespace of the item: namespaces take turns. */
  readonly tenant: string;
  readonly signal: AbortSignal;
}

/** Reason of the error of an evaluation that exceeds its limits. */
export const healthCheckTooExpensive = "HealthCheckTooExpensive";

/**
 * Evaluates health rules and checks in CEL, in one process of its own (a thread of ThreadPool): an expression may take long for a large object, and so may
 * its compilation. A task has a second of processor time and 64 MiB of heap. Starts the process when it is first needed.
 */
export class HealthChecker {
  readonly #rules: readonly HealthRule[];
  readonly #threads: ThreadPool;

  /** Throws LandscaperError that names the field of a rule that does not compile. */
  constructor(rules: readonly HealthRule[] | undefined) {
    checkHealthRules(rules ?? []);
    this.#rules = rules ?? shippedHealthRules;
    // Each paused process would keep its memory.
    this.#threads = new ThreadPool({ entry, name: "health", threads: 1, maxPaused: 0, timeoutMs: 1000, memoryMiB: 64 });
  }

  /** Returns the health of an object by the rules; undefined if no rule matches. Throws LandscaperError (HealthCheckTooExpensive). */
  async check(object: UnstructuredObject, options: HealthOptions): Promise<KStatus | undefined> {
    const rules = rulesFor(object, this.#rules);
    if (rules.length === 0) return undefined;
    const names = rules.map(({ name }) => name).join(" or ");
    const what = `${formatResource(referenceTo(object))}: health rule ${names}`;
    return await this.#run<"rules">({ type: "rules", object, rules }, { ...options, what });
  }

  /** Returns why an object does not fulfil an expression; undefined if it does. Throws LandscaperError (HealthCheckTooExpensive). */
  async explain(object: UnstructuredObject, expression: string, options: HealthOptions): Promise<string | undefined> {
    const what = `${formatResource(referenceTo(object))}: cel`;
    return await this.#run<"expression">({ type: "expression", object, expression }, { ...options, what });
  }

  /** Compiles expressions by their places. Throws LandscaperError (InvalidInput, HealthCheckTooExpensive). */
  async compile(expressions: readonly (readonly [string, string])[], options: HealthOptions): Promise<void> {
    if (expressions.length === 0) return;
    const what = expressions.map(([place]) => place).join(", ");
    await this.#run<"compile">({ type: "compile", expressions }, { ...options, what });
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  async #run<Type extends HealthTask["type"]>(
    task: HealthTask & { readonly type: Type },
    { what, tenant, signal }: HealthOptions & { readonly what: string },
  ): Promise<HealthResults[Type]> {
    try {
      return (await this.#threads.run(task, { tenant, signal })) as HealthResults[Type];
    } catch (error) {
      if (error instanceof ThreadLimitError) throw tooExpensive(`${what}: its evaluation ${error.message}`, error);
      // The object cannot be sent to the process.
      if (error instanceof RangeError) throw tooExpensive(`${what}: the object is nested too deeply`, error);
      throw error;
    }
  }
}

function tooExpensive(message: string, cause: Error): LandscaperError {
  return new LandscaperError({
    message,
    reason: healthCheckTooExpensive,
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    cause,
  });
}
