import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, isRecord, numberAt, stringAt } from "../../objects/json.ts";
import { StatusError, internalError } from "../../status/status-error.ts";
import type { Store } from "../../storage/store.ts";
import { evaluateMatch } from "../evaluate-policy.ts";
import { matchesResources } from "../match-resources.ts";
import { isExempt } from "../policy-evaluator.ts";
import type { PolicyRequest } from "../policy-request.ts";
import type { Webhook, WebhookKind } from "./parse-webhooks.ts";
import { parseWebhooks } from "./parse-webhooks.ts";
import { patchedObject } from "./patch-object.ts";
import type { WebhookRuns } from "./webhook-runs.ts";

const group = "admissionregistration.k8s.io";

interface Call {
  readonly webhook: Webhook;
  /** 2: the webhook is called once more. */
  readonly round: 1 | 2;
}

function storageOf(kind: WebhookKind): string {
  return `${kind}webhookconfigurations.${group}`;
}

/** A write, with the decoder for patched objects. */
export interface WebhookRequest extends PolicyRequest {
  /** Throws StatusError. */
  readonly decodePatched: (object: unknown) => UnstructuredObject;
}

export interface WebhookOutcome {
  /** Changed by the patches of mutating webhooks. */
  readonly object: UnstructuredObject | undefined;
  readonly warnings: readonly string[];
}

/** Calls the webhooks of the cluster's configurations, in the order of the configurations' names. */
export class WebhookAdmission {
  readonly #store: Store;
  readonly #runs: WebhookRuns;
  /** Webhooks in their order; dropped when a configuration changes. */
  readonly #sorted = new Map<WebhookKind, readonly Webhook[]>();

  constructor(store: Store, runs: WebhookRuns) {
    this.#store = store;
    this.#runs = runs;
    for (const kind of ["mutating", "validating"] as const) {
      store.subscribe(storageOf(kind), () => this.#sorted.delete(kind));
    }
  }

  /** Whether the cluster has no webhook configuration. */
  get isEmpty(): boolean {
    return this.#configurations("mutating").size + this.#configurations("validating").size === 0;
  }

  /** Calls the webhooks that match the request. Throws StatusError if one denies it, or fails with the failure policy Fail. */
  ask(kind: WebhookKind, request: WebhookRequest): WebhookOutcome {
    if (!this.#runs.mayAsk || isExempt(request)) return { object: request.object, warnings: [] };
    const warnings: string[] = [];
    let { object } = request;
    /** Webhooks of the second round: a later one has changed the object. */
    const again = new Set<Webhook>();
    let called: Webhook[] = [];
    for (const round of [1, 2] as const) {
      for (const webhook of this.#webhooks(kind)) {
        if (round === 2 && !again.has(webhook)) continue;
        const outcome = this.#call({ webhook, round }, { ...request, object }, warnings);
        if (outcome === undefined) continue;
        if (!equalJson(outcome.object, object)) {
          object = outcome.object;
          for (const earlier of called) again.add(earlier);
          called = [];
        }
        if (webhook.isReinvoked) called.push(webhook);
      }
      if (again.size === 0) break;
    }
    return { object, warnings };
  }

  /** Returns the object after the call; undefined if the webhook is not asked, or its failure is ignored. Throws StatusError. */
  #call(
    { webhook, round }: Call,
    request: WebhookRequest,
    warnings: string[],
  ): Pick<WebhookOutcome, "object"> | undefined {
    if (!matches(webhook, request)) return undefined;
    const uid = this.#runs.sameValue("review", () => crypto.randomUUID());
    const key = keyOf({ webhook, round }, request);
    const answer = this.#runs.answerTo({ key, webhook, request: reviewRequest(request, uid) });
    if ("problem" in answer) {
      if (webhook.failurePolicy === "Ignore") return undefined;
      throw failed(webhook, answer.problem);
    }
    const { response } = answer;
    warnings.push(...response.warnings);
    if (!response.allowed) throw denied(webhook, response.status, warnings);
    const { object } = request;
    if (object === undefined || response.patch.length === 0) return { object };
    return { object: request.decodePatched(patchedObject(object, response.patch)) };
  }

  #configurations(kind: WebhookKind): ReturnType<Store["collection"]> {
    return this.#store.collection(storageOf(kind));
  }

  #webhooks(kind: WebhookKind): readonly Webhook[] {
    const known = this.#sorted.get(kind);
    if (known !== undefined) return known;
    const webhooks = this.#configurations(kind)
      .list()
      .map(({ object }) => object)
      .toSorted((a, b) => ((a.metadata.name ?? "") < (b.metadata.name ?? "") ? -1 : 1))
      .flatMap((configuration) => parseWebhooks(kind, configuration));
    this.#sorted.set(kind, webhooks);
    return webhooks;
  }
}

/** Whether rules and match conditions select the request. Throws StatusError if a condition fails with the failure policy Fail. */
function matches(webhook: Webhook, request: PolicyRequest): boolean {
  if (webhook.match.rules.length === 0 || !matchesResources(webhook.match, request)) return false;
  if (webhook.conditions === undefined) return true;
  const outcome = evaluateMatch(webhook.conditions, request);
  if (outcome === "matches") return true;
  if (outcome === undefined || webhook.failurePolicy === "Ignore") return false;
  throw new StatusError({
    code: 403,
    reason: "Forbidden",
    message: `${request.resource} "${request.name}" is forbidden: ${outcome}`,
    details: { name: request.name, kind: request.resource },
  });
}

/** Returns a key that is equal in all runs of a request. It changes if another client writes the object between two runs. */
function keyOf({ webhook, round }: Call, request: PolicyRequest): string {
  const { operation, resource, namespace, name, subresource, oldObject } = request;
  const place = [request.group, resource, namespace, name, subresource, oldObject?.metadata.resourceVersion];
  return JSON.stringify([webhook.kind, round, webhook.configuration, webhook.name, operation, ...place]);
}

function reviewRequest(request: PolicyRequest, uid: string): Readonly<Record<string, unknown>> {
  const { group: apiGroup, version, kind, resource, subresource, user } = request;
  const named = { group: apiGroup, version, kind };
  const served = { group: apiGroup, version, resource };
  return {
    uid,
    kind: named,
    resource: served,
    ...(subresource === "" ? {} : { subResource: subresource, requestSubResource: subresource }),
    requestKind: named,
    requestResource: served,
    ...(request.name === "" ? {} : { name: request.name }),
    ...(request.namespace === "" ? {} : { namespace: request.namespace }),
    operation: request.operation,
    userInfo: { username: user.name, groups: user.groups },
    object: request.object ?? null,
    oldObject: request.oldObject ?? null,
    dryRun: request.dryRun,
    options: { apiVersion: "meta.k8s.io/v1", kind: optionKinds[request.operation] },
  };
}

const optionKinds = {
  CONNECT: "PodExecOptions",
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
} as const;

function failed({ name }: Webhook, problem: string): StatusError {
  return internalError(`failed calling webhook ${JSON.stringify(name)}: ${problem}`);
}

/** Largest status code that HTTP allows. */
const largestCode = 999;

/** Status codes below 400 become 400. For a code above `largestCode`, the real server drops the connection. */
function denied(
  { name }: Webhook,
  status: Readonly<Record<string, unknown>>,
  warnings: readonly string[],
): StatusError {
  const denial = `admission webhook ${JSON.stringify(name)} denied the request`;
  const code = Math.max(numberAt(status, "code") ?? 0, 400);
  if (code > largestCode) {
    return internalError(
      `${denial} with the status code ${code}, which HTTP does not have. Let the webhook return a code from 400 to ${largestCode}`,
    );
  }
  const [message, reason] = [stringAt(status, "message"), stringAt(status, "reason")];
  const said = message || reason;
  const { details } = status;
  return new StatusError(
    {
      code,
      ...(reason === "" ? {} : { reason }),
      message: said === "" ? `${denial} without explanation` : `${denial}: ${said}`,
      ...(isRecord(details) ? { details } : {}),
    },
    warnings,
  );
}
