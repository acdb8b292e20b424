import type { UnstructuredObject } from "@landscaper/api";
import { parseAdmissionBinding, parseAdmissionPolicy } from "./admission-policy.ts";
import type { AdmissionBinding } from "./admission-policy.ts";
import { compilePolicy } from "./compile-policy.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import { evaluatePolicy } from "./evaluate-policy.ts";
import type { PolicyFailure } from "./evaluate-policy.ts";
import { matchesResources } from "./match-resources.ts";
import type { PolicyRequest } from "./policy-request.ts";

/** The Status with which a denied request is answered. */
export interface PolicyDenial {
  /** E.g. `pods "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ...`. */
  readonly message: string;
  /** E.g. "Invalid". */
  readonly reason: string;
  readonly code: number;
  readonly details: {
    readonly name: string;
    readonly group: string;
    /** Plural name, as the API server has it here. */
    readonly kind: string;
    readonly causes: readonly { readonly message: string }[];
  };
}

export interface PolicyDecision {
  readonly denied?: PolicyDenial;
  /** Texts for Warning headers. */
  readonly warnings: readonly string[];
}

export interface PolicyEvaluator {
  /** Evaluates all ValidatingAdmissionPolicies with their bindings; the first failure of an enforced one denies. */
  evaluate(input: {
    readonly policies: readonly UnstructuredObject[];
    readonly bindings: readonly UnstructuredObject[];
    readonly request: PolicyRequest;
  }): PolicyDecision;
}

/** An evaluator that compiles each policy object once. */
export function createPolicyEvaluator(): PolicyEvaluator {
  const compiled = new WeakMap<UnstructuredObject, CompiledPolicy>();
  const parsed = new WeakMap<UnstructuredObject, AdmissionBinding>();
  return {
    evaluate: ({ policies, bindings, request }) => {
      if (isExempt(request)) {
        return { warnings: [] };
      }
      const known = bindings.map((binding) => remember(parsed, binding, parseAdmissionBinding));
      const outcomes = sortByName(policies).flatMap((policy) =>
        evaluateBindings(remember(compiled, policy, compileStored), known, request),
      );
      return decide(request, outcomes);
    },
  };
}

function compileStored(policy: UnstructuredObject): CompiledPolicy {
  return compilePolicy(parseAdmissionPolicy(policy));
}

function remember<Key extends object, Value>(cache: WeakMap<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = cache.get(key) ?? make(key);
  cache.set(key, known);
  return known;
}

function sortByName(objects: readonly UnstructuredObject[]): readonly UnstructuredObject[] {
  const nameOf = ({ metadata }: UnstructuredObject): string => metadata.name ?? "";
  return objects.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

/** Policies never keep an administrator from changing policies. */
export function isExempt({ group, kind }: PolicyRequest): boolean {
  return (
    group === "admissionregistration.k8s.io" &&
    /^(?:Validating|Mutating)(?:WebhookConfiguration|AdmissionPolicy)/.test(kind)
  );
}

interface Outcome {
  readonly policy: string;
  readonly binding: AdmissionBinding;
  readonly failure: PolicyFailure;
}

function evaluateBindings(
  compiled: CompiledPolicy,
  bindings: readonly AdmissionBinding[],
  request: PolicyRequest,
): Outcome[] {
  const { policy } = compiled;
  if (!matchesResources(policy.matchConstraints, request)) {
    return [];
  }
  const own = bindings.filter(
    ({ policyName, matchResources }) => policyName === policy.name && matchesResources(matchResources, request),
  );
  if (own.length === 0) {
    return [];
  }
  const failures = policy.hasParams ? withoutParams(compiled) : evaluatePolicy(compiled, request);
  return own.flatMap((binding) => failures.map((failure) => ({ policy: policy.name, binding, failure })));
}

function withoutParams({ policy }: CompiledPolicy): PolicyFailure[] {
  const message = "failed to configure binding: this API server does not support paramKind";
  return policy.failurePolicy === "Ignore" ? [] : [{ message, reason: "Invalid" }];
}

function decide(request: PolicyRequest, outcomes: readonly Outcome[]): PolicyDecision {
  const warnings = outcomes
    .filter(({ binding }) => binding.actions.includes("Warn"))
    .map(
      ({ policy, binding, failure }) =>
        `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}': ${failure.message}`,
    );
  const first = outcomes.find(({ binding }) => binding.actions.includes("Deny"));
  return first === undefined ? { warnings } : { denied: makeDenial(request, first), warnings };
}

const codes: Readonly<Record<string, number>> = { Unauthorized: 401, Forbidden: 403, RequestEntityTooLarge: 413 };

function makeDenial(request: PolicyRequest, { policy, binding, failure }: Outcome): PolicyDenial {
  const { group, resource, object } = request;
  const name = request.name || object?.metadata.name || object?.metadata.generateName || "Unknown";
  const cause = `ValidatingAdmissionPolicy '${policy}' with binding '${binding.name}' denied request: ${failure.message}`;
  return {
    message: `${group === "" ? resource : `${resource}.${group}`} "${name}" is forbidden: ${cause}`,
    reason: failure.reason,
    code: codes[failure.reason] ?? 422,
    details: { name, group, kind: resource, causes: [{ message: cause }] },
  };
}
