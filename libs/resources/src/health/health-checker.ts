import { LandscaperError, type HealthRule, type UnstructuredObject } from "@landscaper/api";
import { ThreadLimitError, ThreadPool } from "@landscaper/threads";
import { formatResource, referenceTo } from "../cluster/resource-reference.ts";
import type { KStatus } from "../readiness/kstatus-result.ts";
import { checkHealthRule } from "./health-expressions.ts";
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

/**
 * Evaluates health rules and checks in CEL, in a thread of its own: an expression may take long for a large object. A task has a second of processor time
 * and 128 MiB of memory. Starts the thread when it is needed first.
 */
export class HealthChecker {
  readonly #rules: readonly HealthRule[];
  readonly #threads: ThreadPool;

  /** Throws LandscaperError that names the field of a rule that does not compile. */
  constructor(rules: readonly HealthRule[] | undefined) {
    for (const [index, rule] of (rules ?? []).entries()) checkHealthRule(rule, `healthRules[${index}]`);
    this.#rules = rules ?? shippedHealthRules;
    this.#threads = new ThreadPool({ entry, name: "health", threads: 1, timeoutMs: 1000, memoryMiB: 128 });
  }

  /** Where an object is by the rules; undefined: none is for it. Throws LandscaperError (HealthCheckTooExpensive). */
  async check(object: UnstructuredObject, options: HealthOptions): Promise<KStatus | undefined> {
    const rules = rulesFor(object, this.#rules);
    if (rules.length === 0) return undefined;
    const what = `health rule ${rules.map(({ name }) => name).join(" or ")}`;
    return await this.#run<"rules">({ type: "rules", object, rules }, { ...options, what });
  }

  /** Why an object does not fulfil an expression; undefined: it does. Throws LandscaperError (HealthCheckTooExpensive). */
  async explain(object: UnstructuredObject, expression: string, options: HealthOptions): Promise<string | undefined> {
    return await this.#run<"expression">({ type: "expression", object, expression }, { ...options, what: "cel" });
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
      throw error instanceof ThreadLimitError ? tooExpensive(error, { what, object: task.object }) : error;
    }
  }
}

function tooExpensive(
  error: ThreadLimitError,
  { what, object }: { readonly what: string; readonly object: UnstructuredObject },
): LandscaperError {
  return new LandscaperError({
    message: `${formatResource(referenceTo(object))}: ${what}: its evaluation ${error.message}`,
    reason: "HealthCheckTooExpensive",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
    cause: error,
  });
}
