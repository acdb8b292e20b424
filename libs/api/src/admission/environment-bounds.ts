import {
  agentAccountPrefix,
  allEnvironments,
  deployerAccountPrefix,
  leaseHolderAnnotation,
  leaseProbeName,
} from "../objects/agent-names.ts";
import { annotations } from "../objects/annotations.ts";
import { groupName, versionName } from "../objects/api-group.ts";
import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../objects/foreign-kinds.ts";
import { matchEverywhere } from "./admission-rule.ts";

/** What accounts of an Environment may do with objects of one kind. */
export interface EnvironmentBound {
  /** Names the policy: NAME.environments.landscaper.gardener.cloud. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly resources: readonly string[];
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE")[];
  /** CEL that is true for what they may do, over `object`, `oldObject`, `request` and the variables, with the message of the refusal. */
  readonly rules: readonly { readonly expression: string; readonly message: string }[];
}

const name = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const accounts = `^system:serviceaccount:[^:]+:(${deployerAccountPrefix.replace(".", "[.]")}${name}[.]${name}|${agentAccountPrefix}${name})$`;
const key = `'${annotations.environments}'`;
const identityKey = `'${leaseHolderAnnotation}'`;

/** CEL: the annotation with Environments of an object, "" without it. */
function markOf(object: string): string {
  const marks = `${object}.metadata.annotations`;
  return `(has(${marks}) && ${key} in ${marks} ? ${marks}[${key}] : '')`;
}

/** CEL: whether the annotation names the account's Environment. */
function isMarked(object: string): string {
  const mark = markOf(object);
  return `(${mark} == '${allEnvironments}' || variables.environment in ${mark}.split(','))`;
}

/** CEL: who has a Lease, or has had it before it was given up. */
function holderOf(lease: string): string {
  const marks = `${lease}.metadata.annotations`;
  const held = `has(${lease}.spec) && has(${lease}.spec.holderIdentity) && ${lease}.spec.holderIdentity != ''`;
  return `(${held} ? ${lease}.spec.holderIdentity : has(${marks}) && ${identityKey} in ${marks} ? ${marks}[${identityKey}] : '')`;
}

const ownLease = (lease: string): string =>
  `(variables.isAgent ? ${lease}.metadata.name == variables.account : ${holderOf(lease)}.startsWith(variables.identity + '/'))`;

/** What each policy knows of the account. */
const variables = [
  { name: "account", expression: "request.userInfo.username.split(':')[3]" },
  { name: "isAgent", expression: `variables.account.startsWith('${agentAccountPrefix}')` },
  {
    name: "environment",
    expression: `variables.isAgent ? variables.account.replace('${agentAccountPrefix}', '', 1) : variables.account.split('.')[1]`,
  },
  {
    name: "identity",
    expression: "variables.isAgent ? '' : variables.account.split('.')[2] + '-' + variables.environment",
  },
];

const isUpdate = "request.operation == 'UPDATE'";

/** Reading is bounded by no policy: Kubernetes asks policies about writes alone. */
export const environmentBounds: readonly EnvironmentBound[] = [
  {
    name: "deployitems",
    group: groupName,
    version: versionName,
    resources: ["deployitems", "deployitems/status"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      { expression: isUpdate, message: "accounts of Environments neither create nor delete DeployItems" },
      {
        expression: `!(${isUpdate}) || ${isMarked("oldObject")}`,
        message: "the DeployItem is not one of the account's Environment",
      },
      {
        expression: `!(${isUpdate}) || object.spec == oldObject.spec && ${markOf("object")} == ${markOf("oldObject")}`,
        message: `accounts of Environments change neither the spec of a DeployItem nor its annotation ${annotations.environments}`,
      },
      {
        expression: `!(${isUpdate}) || !variables.isAgent || has(oldObject.spec.target) && oldObject.spec.target.name == variables.environment && request.namespace == request.userInfo.username.split(':')[2]`,
        message: "agents work on DeployItems for the Target of their Environment alone",
      },
    ],
  },
  {
    name: "secrets",
    group: "",
    version: "v1",
    resources: ["secrets"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      {
        expression: `(oldObject == null || ${isMarked("oldObject")}) && (object == null || ${isMarked("object")})`,
        message: `the Secret is not one of the account's Environment, by the annotation ${annotations.environments}`,
      },
      {
        // The API server fills Secrets of some types with tokens.
        expression: "object == null || has(object.type) && object.type == 'Opaque'",
        message: "accounts of Environments write Secrets of type Opaque alone",
      },
    ],
  },
  {
    name: "tokens",
    group: "",
    version: "v1",
    resources: ["serviceaccounts/token"],
    operations: ["CREATE"],
    rules: [
      {
        expression: isMarked("namespaceObject"),
        message: `the namespace does not give tokens to the account's Environment, by the annotation ${annotations.environments}`,
      },
    ],
  },
  {
    name: "environments",
    group: groupName,
    version: versionName,
    resources: ["environments", "environments/status"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      {
        expression:
          "variables.isAgent && (oldObject == null ? object.metadata.name : oldObject.metadata.name) == variables.environment",
        message: "it is not the Environment of the account's agent",
      },
      {
        expression: `!(${isUpdate}) || !has(oldObject.spec.namespaces) || has(object.spec.namespaces) && (object.spec.namespaces == oldObject.spec.namespaces || object.spec.namespaces.all(n, n in oldObject.spec.namespaces))`,
        message: "agents add no namespaces to spec.namespaces of their Environment",
      },
    ],
  },
  {
    name: "leases",
    group: "coordination.k8s.io",
    version: "v1",
    resources: ["leases"],
    operations: ["CREATE", "UPDATE", "DELETE"],
    rules: [
      {
        expression: `object != null && object.metadata.name == '${leaseProbeName}' && has(request.dryRun) && request.dryRun || (oldObject == null || ${ownLease("oldObject")}) && (object == null || ${ownLease("object")})`,
        message: "the Lease is not one of the account's agent or deployer",
      },
    ],
  },
];

function policyName(bound: EnvironmentBound): string {
  return `${bound.name}.environments.${groupName}`;
}

/** A policy for the writes of accounts of Environments; those of others are no matter of it. */
export function toEnvironmentPolicy(bound: EnvironmentBound): ValidatingAdmissionPolicy {
  const { group, version, resources, operations, rules } = bound;
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: policyName(bound) },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        ...matchEverywhere,
        resourceRules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            operations: [...operations],
            resources: [...resources],
            scope: "*",
          },
        ],
      },
      matchConditions: [
        { name: "account-of-an-environment", expression: `request.userInfo.username.matches('${accounts}')` },
      ],
      variables: variables.map((variable) => ({ ...variable })),
      validations: rules.map((rule) => ({ ...rule, reason: "Forbidden" })),
    },
  };
}

export function toEnvironmentBinding(bound: EnvironmentBound): ValidatingAdmissionPolicyBinding {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: policyName(bound) },
    spec: { policyName: policyName(bound), validationActions: ["Deny"] },
  };
}
