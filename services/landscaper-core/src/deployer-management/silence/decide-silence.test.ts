import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  type Condition,
  type DeployItem,
  type Environment,
  type Target,
} from "@landscaper/api";
import { environment as anEnvironment, registration } from "../../../test/deployer-management.ts";
import { deployItem } from "../../../test/deploy-items.ts";
import { decideSilence, isSilent } from "./decide-silence.ts";

const now = new Date("2026-06-01T00:10:00Z");
const time = "2026-06-01T00:10:00Z";
const message = "the agent has not renewed its Lease since 2026-06-01T00:01:00Z";

function environment(name: string, isReachable: boolean | undefined): Environment {
  const own = [{ annotations: [{ key: annotations.environment, operator: "=", values: [name] }] }];
  const made = anEnvironment(name, { targetSelectors: own });
  if (isReachable === undefined) return made;
  const reachable = isReachable
    ? { type: "Reachable", status: "True" as const, reason: "AgentAlive", message: "the agent renews its Lease" }
    : { type: "Reachable", status: "False" as const, reason: "AgentSilent", message };
  return { ...made, status: { conditions: [{ ...reachable, lastTransitionTime: time, lastUpdateTime: time }] } };
}

function target(environmentName?: string): Target {
  const own = environmentName === undefined ? {} : { [annotations.environment]: environmentName };
  return { apiVersion, kind: "Target", metadata: { name: "cluster", annotations: own }, spec: { type: "x" } };
}

const knownOf = (environments: readonly Environment[]) => ({
  environments: {
    get: ({ name }: { readonly name: string }) => environments.find(({ metadata }) => metadata.name === name),
    list: () => environments,
  },
  isAnySilent: environments.some(isSilent),
});

const told = (name: string): Condition => ({
  type: "EnvironmentReachable",
  status: "False",
  reason: "AgentSilent",
  message: `Environment ${name} acts for the Target: ${message}`,
  lastTransitionTime: time,
  lastUpdateTime: time,
});
/** Silent, with deployers in one namespace. */
const serving = (name: string, namespace: string): Environment => {
  const made = environment(name, false);
  return { ...made, spec: { ...made.spec, namespaces: [namespace] } };
};
const notServed: Condition = {
  ...told("edge"),
  reason: "NamespaceNotServed",
  message:
    "Environment edge acts for the Target, but does not serve namespace ns: its spec.namespaces does not name it",
};
const ready: Condition = { ...told("edge"), type: "Ready", reason: "Init", message: "a job is running" };

function item(state: "open" | "ended", conditions: readonly Condition[]): DeployItem {
  const made = deployItem({ name: "item", jobID: "2", jobIDFinished: state === "open" ? "1" : "2" });
  return { ...made, status: { ...made.status, observedGeneration: 1, conditions: [...conditions] } };
}

describe("a DeployItem", () => {
  const edge = environment("edge", false);
  const selecting = (name: string, isReachable: boolean): Environment => {
    const made = environment(name, isReachable);
    return { ...made, spec: { ...made.spec, targetSelectors: [{ labels: [{ key: "any", operator: "!" }] }] } };
  };
  it.each<[string, DeployItem, Target | undefined, readonly Environment[], readonly Condition[] | undefined]>([
    ["says that its Environment is silent", item("open", [ready]), target("edge"), [edge], [ready, told("edge")]],
    ["says it once", item("open", [told("edge")]), target("edge"), [edge], undefined],
    [
      "says no more when the agent is back",
      item("open", [ready, told("edge")]),
      target("edge"),
      [environment("edge", true)],
      [ready],
    ],
    ["says no more when the Environment is gone", item("open", [told("edge")]), target("edge"), [], []],
    ["says no more when its job has ended", item("ended", [ready, told("edge")]), target("edge"), [edge], [ready]],
    ["says nothing without a job", item("ended", [ready]), target("edge"), [edge], undefined],
    ["says nothing of another Environment", item("open", []), target("other"), [edge], undefined],
    ["says nothing without its Target", item("open", []), undefined, [edge], undefined],
    [
      "says nothing of an Environment without agent",
      item("open", []),
      target("edge"),
      [environment("edge", undefined)],
      undefined,
    ],
    [
      "says nothing while another Environment can take it",
      item("open", []),
      target(),
      [selecting("near", false), selecting("all", true)],
      undefined,
    ],
    [
      "says it when all are silent",
      item("open", []),
      target(),
      [selecting("all", false), selecting("near", false)],
      [told("all")],
    ],
    [
      "says it though another Environment selects its Target, which is annotated for the silent one",
      item("open", []),
      target("edge"),
      [edge, selecting("all", true)],
      [told("edge")],
    ],
    [
      "says that its Environment does not serve the namespace, also when it is silent",
      item("open", [ready]),
      target("edge"),
      [serving("edge", "other"), selecting("all", true)],
      [ready, notServed],
    ],
    ["says that once", item("open", [notServed]), target("edge"), [serving("edge", "other")], undefined],
    [
      "says it no more when it does",
      item("open", [notServed]),
      target("edge"),
      [serving("edge", "ns")],
      [told("edge")],
    ],
    [
      "says nothing of an Environment that selects the Target and does not serve the namespace",
      item("open", []),
      target(),
      [{ ...selecting("near", false), spec: { ...selecting("near", false).spec, namespaces: ["other"] } }],
      undefined,
    ],
    [
      "says nothing of the namespace without a job",
      item("ended", []),
      target("edge"),
      [serving("edge", "other")],
      undefined,
    ],
  ])("%s", (...[, given, itsTarget, environments, want]) => {
    const sources = { target: itsTarget, ...knownOf(environments), registrations: [] };
    expect(decideSilence(given, sources, now)).toEqual(want);
  });

  it.each<[string, readonly Environment[], readonly Condition[] | undefined]>([
    ["says nothing while one of them is reachable", [edge, environment("other", true)], undefined],
    ["says it when they are all silent", [edge, environment("other", false)], [told("edge")]],
  ])("whose registration lets all Environments act: %s", (_, environments, want) => {
    const given = item("open", []);
    const one = registration("one", { types: [given.spec.type], mappings: { targetSelectors: [{}] } });
    const sources = { target: target(), ...knownOf(environments), registrations: [one] };
    expect(decideSilence(given, sources, now)).toEqual(want);
  });
});
