import type { UnstructuredObject } from "@landscaper/api";
import { PatchError, applyJsonPatch } from "@landscaper/patch";
import { parseJson } from "@landscaper/json";
import { equalJson, isRecord, listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import { StatusError, internalError } from "../../status/status-error.ts";
import type { Store } from "../../storage/store.ts";
import { evaluateMatch } from "../evaluate-policy.ts";
import { matchesResources } from "../match-resources.ts";
import { isExempt } from "../policy-evaluator.ts";
import type { PolicyRequest } from "../policy-request.ts";
import type { Webhook } from "./parse-webhooks.ts";
import { parseWebhooks } from "./parse-webhooks.ts";
import type { WebhookRuns } from "./webhook-runs.ts";

const group = "admissionregistration.k8s.io";

export type WebhookKind = "mutating" | "validating";

interface Call {
  readonly kind: WebhookKind;
  readonly webhook: Webhook;
  /** 2: the webhook is called once more. */
  readonly round: 1 | 2;
}

function storageOf(kind: WebhookKind): string {
  return `${kind}webhookconfigurations.${group}`;
}

export interface WebhookOutcome {
  /** Changed by the patches of mutating webhooks. */
  readonly object: UnstructuredObject | undefined;
  readonly warnings: readonly string[];
}

/** Asks the webhooks of the cluster's configurations, in the order of their names. */
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

  /** Whether there is no configuration at all. */
  get isEmpty(): boolean {
    return this.#configurations("mutating").size + this.#configurations("validating").size === 0;
  }

  /** Throws StatusError if a webhook denies the request, or fails and must not. */
  ask(kind: WebhookKind, request: PolicyRequest): WebhookOutcome {
    if (!this.#runs.mayAsk || isExempt(request)) return { object: request.object, warnings: [] };
    const warnings: string[] = [];
    let { object } = request;
    /** Webhooks of the second round: a later one has changed the object. */
    const again = new Set<Webhook>();
    let called: Webhook[] = [];
    for (const round of [1, 2] as const) {
      for (const webhook of this.#webhooks(kind)) {
        if (round === 2 && !again.has(webhook)) continue;
        const outcome = this.#call({ kind, webhook, round }, { ...request, object }, warnings);
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
    { kind, webhook, round }: Call,
    request: PolicyRequest,
    warnings: string[],
  ): Pick<WebhookOutcome, "object"> | undefined {
    if (!matches(webhook, request)) return undefined;
    const uid = this.#runs.sameValue("review", () => crypto.randomUUID());
    const key = keyOf({ kind, webhook, round }, request);
    const answer = this.#runs.answerTo({ key, webhook, request: reviewRequest(request, uid) });
    if ("problem" in answer) {
      if (webhook.failurePolicy === "Ignore") return undefined;
      throw failed(webhook, answer.problem);
    }
    warnings.push(...listAt(answer.response, "warnings").filter((text) => typeof text === "string"));
    if (answer.response["allowed"] !== true) throw denied(webhook, recordAt(answer.response, "status"));
    const { object } = request;
    return { object: kind === "mutating" && object !== undefined ? patched(webhook, object, answer.response) : object };
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
      .flatMap(parseWebhooks);
    this.#sorted.set(kind, webhooks);
    return webhooks;
  }
}

/** Throws StatusError for match conditions that fail, if the webhook must not. */
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

/** The same in each run of a request, unless another write has changed the object. */
function keyOf({ kind, webhook, round }: Call, request: PolicyRequest): string {
  const { operation, resource, namespace, name, subresource, oldObject } = request;
  const place = [request.group, resource, namespace, name, subresource, oldObject?.metadata.resourceVersion];
  return JSON.stringify([kind, round, webhook.configuration, webhook.name, operation, ...place]);
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

function patched(
  webhook: Webhook,
  object: UnstructuredObject,
  response: Readonly<Record<string, unknown>>,
): UnstructuredObject {
  const text = stringAt(response, "patch");
  if (text === "") return object;
  if (stringAt(response, "patchType") !== "JSONPatch") {
    throw failed(
      webhook,
      `received invalid webhook response: webhook returned response.patch but not response.patchType "JSONPatch"`,
    );
  }
  try {
    const result = applyJsonPatch({ ...object }, parseJson(Buffer.from(text, "base64").toString()));
    if (!isRecord(result) || !isRecord(result["metadata"])) throw new SyntaxError("the patched object has no metadata");
    return { ...result, apiVersion: object.apiVersion, kind: object.kind, metadata: result["metadata"] };
  } catch (error) {
    if (!(error instanceof PatchError) && !(error instanceof SyntaxError)) throw error;
    throw failed(webhook, `the patch cannot be applied: ${error.message}`);
  }
}

function failed({ name }: Webhook, problem: string): StatusError {
  return internalError(`failed calling webhook ${JSON.stringify(name)}: ${problem}`);
}

function denied({ name }: Webhook, status: Readonly<Record<string, unknown>>): StatusError {
  const message = stringAt(status, "message");
  const reason = stringAt(status, "reason");
  const said = message || reason;
  const code = numberAt(status, "code") ?? 403;
  return new StatusError({
    code: code >= 400 ? code : 403,
    ...(reason === "" ? {} : { reason }),
    message: `admission webhook ${JSON.stringify(name)} denied the request${said === "" ? " without explanation" : `: ${said}`}`,
  });
}
