import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { kinds } from "../objects/resources.ts";
import { agentSecretRules } from "./agent-rights.ts";
import { coreRights } from "./core-rights.ts";
import { deployerLeaseRules, deployerManagementRights, deployerRules } from "./deployer-management-rights.ts";
import { rightsToYaml } from "./render-rights.ts";
import { listPermissions, type RightsFile } from "./right.ts";
import { serviceRightsFiles, userRightsFiles } from "./rights-files.ts";

const files = [...serviceRightsFiles, ...userRightsFiles].map((file) => [file.path, file] as const);

/** Every pair of verb and resource, such as "get secrets". */
function pairsOf(file: RightsFile | undefined): string[] {
  return listPermissions(file?.rights ?? []).map(({ verb, resource }) => `${verb} ${resource}`);
}

const fileOf = (path: string): RightsFile | undefined =>
  [...serviceRightsFiles, ...userRightsFiles].find((file) => file.path === `k8s/charts/${path}.yaml`);

describe("rights", () => {
  it.each(files)("%s names groups, resources and verbs one by one", (_, { rights }) => {
    const words = rights.flatMap(({ group, resources, verbs }) => [group, ...resources, ...verbs]);
    expect(words.filter((word) => word.includes("*"))).toEqual([]);
  });

  it.each(files)("%s grants nothing twice", (_, { rights }) => {
    const permissions = listPermissions(rights).map((one) => JSON.stringify(one));
    expect(permissions.filter((one, at) => permissions.indexOf(one) !== at)).toEqual([]);
  });

  it.each(files)("%s in YAML is a list of PolicyRules", (_, file) => {
    const rules = file.rights.map(({ group, resources, verbs, resourceNames }) => ({
      apiGroups: [group],
      resources,
      ...(resourceNames === undefined ? {} : { resourceNames }),
      verbs,
    }));
    expect(parse(rightsToYaml(file))).toEqual(rules);
  });

  it("give users none to a status", () => {
    const pairs = userRightsFiles.flatMap((file) => pairsOf(file));
    expect(pairs.filter((pair) => pair.includes("/"))).toEqual([]);
  });

  it("let viewers read nothing that can hold the value of a Secret or a kubeconfig, and change nothing", () => {
    const pairs = pairsOf(fileOf("landscaper/rules/users/view"));
    expect(pairs.filter((pair) => /secrets|dataobjects|targets$|executions|deployitems/.test(pair))).toEqual([]);
    expect(new Set(pairs.map((pair) => pair.split(" ")[0]))).toEqual(new Set(["get", "list", "watch"]));
  });

  it("let editors do what viewers can, and admins what editors can", () => {
    const [view, edit, admin] = ["view", "edit", "admin"].map((role) =>
      pairsOf(fileOf(`landscaper/rules/users/${role}`)),
    );
    expect(edit).toEqual(expect.arrayContaining(view ?? []));
    expect(admin).toEqual(expect.arrayContaining(edit ?? []));
  });

  it("let the core change the CustomResourceDefinitions of Landscaper, and no others", () => {
    const [, named] = fileOf("landscaper/rules/landscaper-crds")?.rights ?? [];
    const own = kinds.map(({ type }) => `${type.plural}.${type.group}`);
    expect(named?.resourceNames).toEqual(own.toSorted());
  });

  it("let no deployer list Secrets, or read more of Landscaper's kinds than the contract needs", () => {
    const deployers = serviceRightsFiles.filter(({ holder }) => holder.endsWith("-deployer"));
    // In a namespace for Pods, the container deployer keeps Secrets of its own.
    const files = deployers.filter(({ path }) => !path.endsWith("host-namespace.yaml"));
    const pairs = files.flatMap((file) => pairsOf(file));
    expect(pairs.filter((pair) => /^(list|watch) secrets/.test(pair))).toEqual([]);
    expect(pairs.filter((pair) => /installations|executions|targetsyncs|customresource/.test(pair))).toEqual([]);
    expect(new Set(deployers.map(({ holder }) => holder)).size).toBe(4);
  });

  it("let no agent read Secrets: the core lists these in a Role", () => {
    const pairs = pairsOf(fileOf("landscaper-agent/rules/landscaper-namespace"));
    expect(pairs.filter((pair) => pair.endsWith(" secrets"))).toEqual([
      "create secrets",
      "update secrets",
      "delete secrets",
    ]);
  });

  it("let the cleanup of the container deployer read no Secret, and write nothing", () => {
    const pairs = ["host", "release"].flatMap((place) =>
      pairsOf(fileOf(`container-deployer/rules/cleanup-${place}-namespace`)),
    );
    expect(pairs.filter((pair) => /secrets|create|update|escalate|bind$/.test(pair))).toEqual([
      "list secrets",
      "delete secrets",
    ]);
  });

  it("let an agent get the Secrets that the core lists, and none if there are none", () => {
    expect(agentSecretRules(["a", "b"])).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["a", "b"], verbs: ["get"] },
    ]);
    // In RBAC, a rule with an empty list of names is about all objects.
    expect(agentSecretRules([])).toEqual([]);
  });

  it("let the core grant its deployers what they need: Kubernetes lets nobody grant more than they have", () => {
    const held = new Set(
      listPermissions([...coreRights, ...deployerManagementRights]).map((one) => JSON.stringify(one)),
    );
    const granted = [...deployerRules, ...deployerLeaseRules, ...agentSecretRules(["a"])].flatMap(
      ({ apiGroups = [], resources = [], verbs }) =>
        listPermissions([{ group: apiGroups[0] ?? "", resources, verbs, why: "" }]),
    );
    expect(granted.length).toBeGreaterThan(20);
    expect(granted.filter((one) => !held.has(JSON.stringify(one)))).toEqual([]);
  });
});
