import { describe, expect, it } from "@jest/globals";
import { registration } from "../../test/deployer-management.ts";
import {
  deletionTimestamp,
  env,
  deleted,
  bindingOf,
  limited,
  bindingsOf,
  decide,
  needed,
  nothing,
  withAgent,
  hostTarget,
  a,
  b,
  inSteps,
  chosen,
  suspended,
  awaited,
  ofA,
  updatedA,
  ofB,
  going,
  tooMany,
} from "../../test/observed-environments.ts";
import type { ObservedEnvironment } from "./observed-environment.ts";

describe("an Environment", () => {
  it.each<[string, Partial<ObservedEnvironment>, unknown]>([
    [
      "gets the finalizer of the core first",
      { environment: env({ finalizers: [] }), registrations: [a] },
      "add-finalizer",
    ],
    ["wants every registration, by name", { registrations: [b, a] }, { ...needed, wanted: ["a", "b"] }],
    ["keeps what it has", { registrations: [a], deployers: [ofA] }, { ...needed, wanted: ["a"] }],
    [
      "refuses names that are too long, and installs the others",
      { registrations: [a, registration("x".repeat(55))] },
      { ...needed, wanted: ["a"], refused: [`${"x".repeat(55)}-env`] },
    ],
    [
      "removes deployers whose registrations are deleted",
      { registrations: [deleted(a), b], deployers: [ofA, ofB] },
      { ...needed, wanted: ["b"], removals: ["delete a-env"] },
    ],
    [
      "removes deployers whose registrations are gone",
      { registrations: [], deployers: [ofA] },
      { ...needed, removals: ["delete a-env"] },
    ],
    [
      "waits for a deployer that another client has deleted, before it creates it again",
      { registrations: [a], deployers: [going] },
      { ...needed, removals: ["wait a-env"] },
    ],
    [
      "removes bindings of deployers that are neither wanted nor installed",
      { registrations: [a], deployers: [ofB], bindings: [bindingOf("a"), bindingOf("b"), bindingOf("c")] },
      { ...needed, wanted: ["a"], removals: ["delete b-env"], stray: ["c-env"] },
    ],
    [
      "keeps the bindings in the namespaces that it names",
      { environment: limited("one", "two"), registrations: [a], bindings: bindingsOf(limited("one", "two"), a) },
      { ...needed, wanted: ["a"] },
    ],
    [
      "removes the bindings in namespaces that it no longer names",
      { environment: limited("two"), registrations: [a], bindings: bindingsOf(limited("one", "two", "three"), a) },
      { ...needed, wanted: ["a"], stray: ["one/environment.env.a", "three/environment.env.a"] },
    ],
    [
      "removes the binding in all namespaces when it names some",
      { environment: limited("one"), registrations: [a], deployers: [ofA], bindings: bindingsOf(env(), a) },
      { ...needed, wanted: ["a"], stray: ["a-env"] },
    ],
    [
      "removes the bindings in namespaces when it names none any more",
      { registrations: [a], bindings: bindingsOf(limited("one"), a) },
      { ...needed, wanted: ["a"], stray: ["one/environment.env.a"] },
    ],
    [
      "that is suspended still removes rights",
      {
        environment: { ...limited("one"), spec: { ...limited("one").spec, suspend: true } },
        registrations: [a],
        deployers: [ofA],
        bindings: bindingsOf(env(), a),
      },
      { ...needed, held: ["suspended a"], stray: ["a-env"] },
    ],
    [
      "keeps the rights of an unwanted deployer until it is uninstalled",
      { environment: limited("two"), deployers: [ofA], bindings: bindingsOf(limited("one"), a) },
      { ...needed, removals: ["delete a-env"] },
    ],
    [
      "says which of the namespaces that it names are missing, and installs its deployers",
      { environment: limited("one"), registrations: [a], missingNamespaces: ["one"] },
      { ...needed, wanted: ["a"], problem: "NamespaceMissing" },
    ],
    [
      "holds back what a rollout has not chosen",
      { registrations: [inSteps, b] },
      { ...needed, wanted: ["b"], held: ["rollout a"] },
    ],
    ["has what a rollout has chosen", { registrations: [chosen(2)] }, { ...needed, wanted: ["a"] }],
    [
      "holds back what was chosen for another generation",
      { registrations: [chosen(1)], deployers: [ofA] },
      { ...needed, held: ["rollout a"] },
    ],
    [
      "keeps in order what a rollout has changed",
      { registrations: [inSteps], deployers: [updatedA] },
      { ...needed, wanted: ["a"] },
    ],
    [
      "that waits for its agent installs nothing, and gives no rights",
      { environment: awaited, registrations: [a], bindings: [] },
      { ...withAgent, held: ["awaitsAgent a"] },
    ],
    [
      "that waits for its agent leaves the Target of its host, by which earlier deployers are uninstalled",
      { environment: awaited, deployers: [ofA], bindings: [] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that is suspended installs, changes and removes nothing",
      { environment: suspended, registrations: [a], deployers: [ofA, ofB] },
      { ...needed, held: ["suspended a"] },
    ],
    [
      "that is suspended waits for a deployer that another client has deleted",
      { environment: suspended, registrations: [a], deployers: [going] },
      { ...needed, removals: ["wait a-env"] },
    ],
    [
      "says that the Role of its agent does not list all Secrets",
      { agentSecrets: tooMany },
      { ...withAgent, problem: "AgentSecretsOmitted" },
    ],
    [
      "names its missing namespaces first",
      { agentSecrets: tooMany, missingNamespaces: ["one"] },
      { ...withAgent, problem: "NamespaceMissing" },
    ],
    [
      "releases a host that another client has deleted, before it creates it again",
      { hostTarget: { ...hostTarget, metadata: { ...hostTarget.metadata, deletionTimestamp } } },
      { ...withAgent, host: "released" },
    ],
    [
      "keeps a host that another client has deleted while a deployer is uninstalled through it",
      {
        registrations: [a],
        deployers: [going],
        hostTarget: { ...hostTarget, metadata: { ...hostTarget.metadata, deletionTimestamp } },
      },
      { ...needed, removals: ["wait a-env"] },
    ],
    ["keeps its host", { hostTarget }, withAgent],
    [
      "that no longer exists keeps its host while there is something to uninstall",
      { environment: undefined, deployers: [ofA], hostTarget },
      { ...withAgent, removals: ["delete a-env"] },
    ],
    [
      "that no longer exists releases its host last",
      { environment: undefined, hostTarget },
      { ...nothing, host: "released" },
    ],
    [
      "that waits for the finalizer of its agent is not changed",
      { environment: env({ deletionTimestamp, finalizers: [] }) },
      nothing,
    ],
    [
      "that no longer exists uninstalls its deployers",
      { environment: undefined, registrations: [a], deployers: [ofA] },
      { ...withAgent, removals: ["delete a-env"] },
    ],
  ])("%s", (_, observed, expected) => {
    expect(decide(observed)).toEqual(expected);
  });
});
