import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  type DeployItem,
  type DeployerRegistration,
  type Environment,
  type EnvironmentSpec,
  type Target,
} from "@landscaper/api";
import { environment, registration } from "../../../test/deployer-management.ts";
import { environmentsOf } from "./claiming-environments.ts";

const item = (target: string | undefined, type = "test/one"): DeployItem => ({
  apiVersion,
  kind: "DeployItem",
  metadata: { namespace: "ns", name: "item" },
  spec: { type, ...(target === undefined ? {} : { target: { namespace: "ns", name: target } }) },
});

function targetOf(name: string, annotated: string | undefined): Target {
  const marks = annotated === undefined ? {} : { annotations: { [annotations.environment]: annotated } };
  return { apiVersion, kind: "Target", metadata: { namespace: "ns", name, ...marks }, spec: { type: "t" } };
}

const own = (name: string): EnvironmentSpec["targetSelectors"] => [
  { targets: [{ name, namespace: "" }] },
  { annotations: [{ key: annotations.environment, operator: "=", values: [name] }] },
];
const edge = environment("edge", { targetSelectors: own("edge") });
const site = environment("site", { targetSelectors: own("site") });
/** With the third selector of the default Environment: any Target without the annotation. */
const central = environment("central");
const greedy = environment("greedy", { targetSelectors: [{}] });

interface Row {
  readonly what: string;
  readonly item: DeployItem;
  readonly target: Target | undefined;
  readonly environments: readonly Environment[];
  readonly registrations?: readonly DeployerRegistration[];
  readonly want: string | undefined;
}

const limited = (environmentOf: Environment, ...namespaces: string[]): Environment => ({
  ...environmentOf,
  metadata: { ...environmentOf.metadata, uid: `uid-of-${environmentOf.metadata.name}` },
  spec: { ...environmentOf.spec, namespaces },
});
/** The Target of an Environment's host, or what looks like it. */
const hostTarget = (name: string, uid: string): Target => {
  const target = targetOf(name, name);
  const owner = { apiVersion, kind: "Environment", name, uid, controller: true };
  return { ...target, metadata: { ...target.metadata, ownerReferences: [owner] } };
};

const many = Array.from({ length: 40 }, (_, index) => environment(`env-${10 + index}`));
const mapped = (mappings: Record<string, unknown>) => [registration("one", { mappings })];
const rows: readonly Row[] = [
  {
    what: "the annotation of its Target",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [edge, site],
    want: "edge",
  },
  {
    what: "the annotation alone, whatever others select",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [edge, greedy],
    want: "edge",
  },
  {
    what: "none, if that Environment does not exist",
    item: item("t"),
    target: targetOf("t", "gone"),
    environments: [edge, greedy],
    want: undefined,
  },
  {
    what: "the name of its Target",
    item: item("site"),
    target: targetOf("site", undefined),
    environments: [edge, site],
    want: "site",
  },
  {
    what: "the name of a Target that does not exist yet",
    item: item("site"),
    target: undefined,
    environments: [edge, site],
    want: "site",
  },
  {
    what: "all that select it, by name",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [greedy, edge, central],
    want: "central,greedy",
  },
  {
    what: "none, if nobody selects it",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [edge, site],
    want: undefined,
  },
  { what: "none without Environments", item: item(undefined), target: undefined, environments: [], want: undefined },
  { what: "all without a Target", item: item(undefined), target: undefined, environments: [edge], want: "*" },
  {
    what: "each of many Environments by name",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: many,
    want: many.map(({ metadata }) => metadata.name).join(","),
  },
  {
    what: "all by name, if its registration selects it",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [site, edge],
    registrations: mapped({ targetSelectors: [{ targets: [{ name: "t" }] }] }),
    want: "edge,site",
  },
  {
    what: "none, if its registration selects others",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [edge],
    registrations: mapped({ targetSelectors: [{ targets: [{ name: "u" }] }] }),
    want: undefined,
  },
  {
    what: "all by name, if a job computes the selectors of its registration",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [site, edge],
    registrations: mapped({ targetSelectors: "(( selectors ))" }),
    want: "edge,site",
  },
  {
    what: "none of a registration for another type",
    item: item("t", "test/two"),
    target: targetOf("t", undefined),
    environments: [edge],
    registrations: mapped({ targetSelectors: "(( selectors ))" }),
    want: undefined,
  },
  {
    what: "the annotation against the selectors of a registration",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [edge, site],
    registrations: mapped({ targetSelectors: [{}] }),
    want: "edge",
  },
  {
    what: "those that name the namespace",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [limited(greedy, "other", "ns"), limited(central, "other")],
    want: "greedy",
  },
  {
    what: "none, if the Environment of the annotation does not name the namespace",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [limited(edge, "other"), greedy],
    want: undefined,
  },
  {
    what: "the Environment of the annotation that names the namespace",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [limited(edge, "ns"), greedy],
    want: "edge",
  },
  {
    what: "the Environment of the annotation that has all namespaces",
    item: item("t"),
    target: targetOf("t", "edge"),
    environments: [limited(edge, "*"), greedy],
    want: "edge",
  },
  {
    what: "none without a Target, if nobody names the namespace",
    item: item(undefined),
    target: undefined,
    environments: [limited(edge, "other")],
    want: undefined,
  },
  {
    what: "all without a Target, if one names the namespace",
    item: item(undefined),
    target: undefined,
    environments: [limited(edge, "other"), limited(site, "ns")],
    want: "*",
  },
  {
    what: "none, if its registration selects it and nobody names the namespace",
    item: item("t"),
    target: targetOf("t", undefined),
    environments: [limited(edge, "other")],
    registrations: mapped({ targetSelectors: [{}] }),
    want: undefined,
  },
  {
    what: "the Environment of the host that it is for, wherever deployers are managed",
    item: item("edge"),
    target: hostTarget("edge", "uid-of-edge"),
    environments: [limited(edge, "other"), greedy],
    want: "edge",
  },
  {
    what: "none, if the host was that of an earlier Environment",
    item: item("edge"),
    target: hostTarget("edge", "uid-of-another"),
    environments: [limited(edge, "other")],
    want: undefined,
  },
];

describe("the Environments of a DeployItem are", () => {
  it.each(rows)("$what", ({ item: subject, target, environments, registrations = [], want }) => {
    const lister = {
      get: ({ name }: { readonly name: string }) => environments.find(({ metadata }) => metadata.name === name),
      list: () => environments,
    };
    expect(environmentsOf({ item: subject, target }, lister, registrations)).toBe(want);
  });
});
