import { isRecord, listAt, recordAt, stringAt } from "../objects/json.ts";
import type { DefaultsTable } from "./default-function.ts";
import { fill, fillUnset } from "./default-function.ts";

const rbacGroup = "rbac.authorization.k8s.io";

const webhook = {
  failurePolicy: "Fail",
  matchPolicy: "Equivalent",
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

/** Models the defaults of rbac, networking, scheduling, storage, admissionregistration and apiextensions. */
export const policyDefaults: DefaultsTable = {
  CustomResourceDefinitionSpec: (spec) => {
    const names = recordAt(spec, "names");
    const kind = stringAt(names, "kind");
    if (kind !== "") fill({ singular: kind.toLowerCase(), listKind: `${kind}List` })(names);
    fill({ conversion: { strategy: "None" } })(spec);
  },
  MatchResources: fill({ matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} }),
  NamedRuleWithOperations: fill({ scope: "*" }),
  RuleWithOperations: fill({ scope: "*" }),
  ValidatingWebhook: fillUnset(webhook),
  MutatingWebhook: fillUnset({ ...webhook, reinvocationPolicy: "Never" }),
  WebhookClientConfig: (client) => {
    if (isRecord(client["service"])) fillUnset({ port: 443 })(client["service"]);
  },
  NetworkPolicyPort: fill({ protocol: "TCP" }),
  NetworkPolicySpec: (spec) => {
    const types = listAt(spec, "egress").length > 0 ? ["Ingress", "Egress"] : ["Ingress"];
    fill({ policyTypes: types })(spec);
  },
  PriorityClass: fill({ preemptionPolicy: "PreemptLowerPriority" }),
  RoleBinding: completeBinding,
  ClusterRoleBinding: completeBinding,
  StorageClass: fill({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  ValidatingAdmissionPolicySpec: fill({ failurePolicy: "Fail" }),
};

function completeBinding(binding: Record<string, unknown>): void {
  fill({ apiGroup: rbacGroup })(recordAt(binding, "roleRef"));
  for (const subject of listAt(binding, "subjects")) {
    if (!isRecord(subject)) continue;
    if (["User", "Group"].includes(stringAt(subject, "kind"))) fill({ apiGroup: rbacGroup })(subject);
  }
}
