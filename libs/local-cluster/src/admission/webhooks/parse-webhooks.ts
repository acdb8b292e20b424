import type { UnstructuredObject } from "@landscaper/api";
import { listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import { parseAdmissionPolicy } from "../admission-policy.ts";
import type { CompiledPolicy } from "../compile-policy.ts";
import { compilePolicy } from "../compile-policy.ts";
import type { MatchResources } from "../match-resources.ts";
import { parseMatchResources } from "../match-resources.ts";

export type WebhookKind = "mutating" | "validating";

/** One webhook of a configuration. */
export interface Webhook {
  readonly kind: WebhookKind;
  readonly configuration: string;
  readonly name: string;
  /** "" if the configuration names a Service. */
  readonly url: string;
  /** "namespace/name" of that Service. */
  readonly service: string;
  /** PEM; "" for the authorities of the system. */
  readonly caPem: string;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly timeoutMs: number;
  /** Whether a mutating webhook is called once more if a later one changes the object. */
  readonly isReinvoked: boolean;
  readonly match: MatchResources;
  /** Holds the match conditions; undefined without any. */
  readonly conditions: CompiledPolicy | undefined;
}

/** Reads a stored, hence valid, configuration. */
export function parseWebhooks(kind: WebhookKind, configuration: UnstructuredObject): readonly Webhook[] {
  return listAt(configuration, "webhooks").map((webhook) => {
    const name = stringAt(webhook, "name");
    const client = recordAt(webhook, "clientConfig");
    const matchConditions = listAt(webhook, "matchConditions");
    const { failurePolicy, namespaceSelector, objectSelector } = recordAt({ webhook }, "webhook");
    return {
      kind,
      configuration: configuration.metadata.name ?? "",
      name,
      url: stringAt(client, "url"),
      service: `${stringAt(client, "service", "namespace")}/${stringAt(client, "service", "name")}`,
      caPem: Buffer.from(stringAt(client, "caBundle"), "base64").toString(),
      failurePolicy: failurePolicy === "Ignore" ? "Ignore" : "Fail",
      timeoutMs: (numberAt(webhook, "timeoutSeconds") ?? 10) * 1000,
      isReinvoked: stringAt(webhook, "reinvocationPolicy") === "IfNeeded",
      match: parseMatchResources({ resourceRules: listAt(webhook, "rules"), namespaceSelector, objectSelector }),
      conditions:
        matchConditions.length === 0
          ? undefined
          : compilePolicy(parseAdmissionPolicy({ metadata: { name }, spec: { failurePolicy, matchConditions } })),
    };
  });
}
