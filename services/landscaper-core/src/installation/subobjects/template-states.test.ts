import { describe, expect, it } from "@jest/globals";
import {
  kubeResources,
  resources,
  templateStateSecretName,
  type Blueprint,
  type DeployItem,
  type TemplateStatePrefix,
} from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import { dataObject, installation, spiff, stringParameter, trigger } from "../../../test/objects.ts";
import { setUpCore } from "../../../test/set-up.ts";
import { loadTemplateStates, stateSecretName, type FindStateTexts, type StatefulKind } from "./template-states.ts";

const executor = (name: string) => ({ name, type: "GoTemplate" as const, template: "" });

describe("stateSecretName (core.md §4.47 fixed)", () => {
  const root = installation({ name: "root", blueprint: {} });
  it.each<[StatefulKind, Blueprint, TemplateStatePrefix]>([
    ["deploy", { deployExecutions: [executor("a")] }, "deploy"],
    ["export", { exportExecutions: [executor("a")] }, "export"],
    ["subinstallation", { subinstallationExecutions: [executor("a")] }, "deploy"],
    ["subinstallation", { deployExecutions: [executor("b")], subinstallationExecutions: [executor("a")] }, "deploy"],
    [
      "subinstallation",
      { deployExecutions: [executor("a")], subinstallationExecutions: [executor("a")] },
      "subinstallation",
    ],
    ["deploy", { deployExecutions: [executor("a")], subinstallationExecutions: [executor("a")] }, "deploy"],
    ["export", { deployExecutions: [executor("a")], exportExecutions: [executor("a")] }, "export"],
  ])("of a %s execution in %j has the prefix %s", (kind, blueprint, prefix) => {
    expect(stateSecretName({ installation: root, blueprint, kind }, "a")).toBe(
      templateStateSecretName("root", prefix, "a"),
    );
  });
});

describe("the state of an execution", () => {
  const blueprint: Blueprint = { deployExecutions: [executor("a")] };
  const root = installation({ name: "root", blueprint: { deploy: "{{ .state }}" } });
  const load = (find: FindStateTexts) => loadTemplateStates({ installation: root, blueprint, kind: "deploy" }, find);
  const secretOf = (text: string) => async () => [Buffer.from(text).toString("base64")];

  it("is none without its Secret; any other failure to read it is one of the job (core.md §4.48)", async () => {
    expect(await load(async () => [undefined])).toEqual({});
    expect(await load(secretOf('{"count":1}'))).toEqual({ a: { count: 1 } });
    const refused = async () => Promise.reject(new Error("403 Forbidden"));
    await expect(load(refused)).rejects.toThrow("403 Forbidden");
    await expect(load(secretOf("["))).rejects.toThrow("did not find expected node content");
  });
});

const setUp = setUpCore();

async function stateOf(namespace: TestNamespace, prefix: TemplateStatePrefix): Promise<unknown> {
  const secret = await namespace.find(kubeResources.secret, templateStateSecretName("root", prefix, "default"));
  const text = secret?.data?.["config"];
  return text === undefined ? undefined : JSON.parse(Buffer.from(text, "base64").toString("utf8"));
}

const item = (label: unknown) => ({
  name: "item",
  type: "test/item",
  labels: { kept: label },
  config: { apiVersion: "test/v1", kind: "Item" },
});

describe("states of Spiff executions", () => {
  it("are kept over jobs, each kind for itself, and only where a node is marked", async () => {
    const namespace = await setUp.namespace("spiff-state");
    await namespace.create(resources.dataObject, dataObject("seed", "one"));
    const marked = { kept: "(( &state ( imports.seed ) ))" };
    const blueprint = {
      imports: [stringParameter("seed")],
      exports: [stringParameter("kept")],
      importExecutions: spiff(marked),
      deployExecutions: [
        ...spiff({ ...marked, deployItems: [item("(( .kept ))")] }),
        { name: "stateless", type: "Spiff", template: { deployItems: [] } },
      ],
      subinstallationExecutions: spiff({
        kept: '(( &state ( "sub-" imports.seed ) ))',
        subinstallations: [],
      }),
      exportExecutions: spiff({ ...marked, exports: { kept: "(( .kept ))" } }),
    };
    await namespace.create(
      resources.installation,
      installation({
        name: "root",
        blueprint,
        imports: { data: [{ name: "seed", dataRef: "seed" }] },
        exports: { data: [{ name: "kept", dataRef: "kept" }] },
      }),
    );
    await namespace.untilPhase("root", "Succeeded");
    const seed = { namespace: namespace.name, name: "seed" };
    await namespace.client.patch(resources.dataObject, seed, { type: "merge", body: { data: "two" } });
    await namespace.annotate(resources.installation, "root", trigger);
    await namespace.untilPhase("root", "Succeeded");

    const items = await namespace.list<DeployItem>(resources.deployItem);
    expect(items.map(({ metadata }) => metadata.labels?.["kept"])).toEqual(["one"]);
    expect((await namespace.get(resources.dataObject, "kept")).data).toBe("one");
    expect([
      await stateOf(namespace, "deploy"),
      await stateOf(namespace, "subinstallation"),
      await stateOf(namespace, "export"),
    ]).toEqual([{ kept: "one" }, { kept: "sub-one" }, { kept: "one" }]);
    expect(await namespace.list(kubeResources.secret)).toHaveLength(3);
  });
});
