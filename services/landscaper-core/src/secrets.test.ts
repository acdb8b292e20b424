import { describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import type { TestNamespace } from "@landscaper/testkit";
import {
  deployItems,
  installation,
  spiff,
  stringParameter,
  target,
  targetParameter,
  type TestBlueprint,
} from "../test/objects.ts";
import { setUpCore } from "../test/set-up.ts";

const setUp = setUpCore();

/** A part that no escaping changes and no generated name holds: its letters are not hexadecimal. */
const core = "qzxk7wvyj";

/** Hard to escape: quotes, a line break, non-ASCII, and what base64 shifts. */
const sentinel = `sentinel-"${core}\n\\é-secret`;

function formsOf(text: string): readonly string[] {
  const inner = JSON.stringify(text).slice(1, -1);
  const shifted = [0, 1, 2].map((offset) =>
    Buffer.from("x".repeat(offset) + text)
      .toString("base64")
      .slice(4, -4),
  );
  return [core, text, inner, JSON.stringify(inner).slice(1, -1), Buffer.from(text).toString("base64"), ...shifted];
}

const statusTypes: readonly ResourceType[] = [resources.installation, resources.execution, resources.deployItem];

/** Everything that others than the owner of the values may read. */
async function visibleText(namespace: TestNamespace): Promise<string> {
  const statuses: unknown[] = [];
  for (const type of statusTypes) {
    for (const object of await namespace.list<KubeObject & { status?: unknown }>(type)) statuses.push(object.status);
  }
  const events = await namespace.list(kubeResources.event);
  return [JSON.stringify(statuses), JSON.stringify(events), setUp.core.log.text].join("\n");
}

async function expectNoSentinel(namespace: TestNamespace): Promise<void> {
  const text = await visibleText(namespace);
  expect(formsOf(sentinel).filter((form) => text.includes(form))).toEqual([]);
}

const imports = {
  data: [{ name: "value", secretRef: { name: "secret", key: "value" } }],
  targets: [{ name: "cluster", target: "cluster" }],
};
const parameters = [stringParameter("value"), targetParameter("cluster")];

interface Run {
  readonly blueprint: TestBlueprint;
  readonly importDataMappings?: Record<string, unknown>;
  readonly exportDataMappings?: Record<string, unknown>;
}

async function run(name: string, { blueprint, ...mappings }: Run, phase: string): Promise<TestNamespace> {
  const namespace = await setUp.namespace(name);
  const data = { value: Buffer.from(JSON.stringify(sentinel)).toString("base64") };
  await namespace.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "secret" },
    data,
  });
  await namespace.create(resources.target, target("cluster", { kubeconfig: sentinel }));
  const exports = blueprint.exports === undefined ? {} : { exports: { data: [{ name: "value", dataRef: "result" }] } };
  await namespace.create(
    resources.installation,
    installation({ name: "root", blueprint, imports, ...exports, ...mappings }),
  );
  await namespace.untilPhase("root", phase);
  return namespace;
}

describe("a secret value given by import is in no status, event, log or message", () => {
  it("when the job succeeds and exports it", async () => {
    const namespace = await run(
      "success",
      {
        blueprint: {
          imports: parameters,
          exports: [stringParameter("value")],
          deploy: deployItems({ name: "item", export: { value: sentinel } }),
          export: 'exports: { value: {{ index .deployitems "item" "value" | quote }} }\n',
        },
      },
      "Succeeded",
    );
    expect((await namespace.get(resources.dataObject, "result")).data).toBe(sentinel);
    await expectNoSentinel(namespace);
  });

  const cases: readonly (readonly [name: string, blueprint: TestBlueprint])[] = [
    [
      "its schema refuses it",
      {
        imports: [
          { ...stringParameter("value"), schema: { type: "string", enum: ["other"] } },
          targetParameter("cluster"),
        ],
      },
    ],
    [
      "its pattern refuses it",
      {
        imports: [
          { ...stringParameter("value"), schema: { type: "string", pattern: "^x$" } },
          targetParameter("cluster"),
        ],
      },
    ],
    [
      "its type is another",
      { imports: [{ ...stringParameter("value"), schema: { type: "number" } }, targetParameter("cluster")] },
    ],
    ["a template fails with it", { imports: parameters, deploy: "{{ fail .imports.value }}" }],
    ["a template makes broken YAML of it", { imports: parameters, deploy: "deployItems: [{{ .imports.value }}" }],
    [
      "a template looks it up",
      { imports: parameters, deploy: 'deployItems:\n  - name: {{ index .imports "value" "x" }}\n' },
    ],
    [
      "it is the name of an item",
      {
        imports: parameters,
        deploy:
          "deployItems:\n  - { name: {{ quote .imports.value }}, type: t, config: { apiVersion: v1, kind: X } }\n",
      },
    ],
    [
      "it is a label of an item",
      {
        imports: parameters,
        deploy:
          "deployItems:\n  - { name: a, type: t, labels: { a: {{ quote .imports.value }} }, config: { apiVersion: v1, kind: X } }\n",
      },
    ],
    [
      "the API server refuses an object with it",
      {
        imports: parameters,
        deploy:
          "deployItems:\n  - { name: a, type: t, timeout: {{ quote .imports.value }}, config: { apiVersion: v1, kind: X } }\n",
      },
    ],
    [
      "the export has another type",
      {
        imports: parameters,
        exports: [{ ...stringParameter("value"), schema: { type: "number" } }],
        export: "exports: { value: {{ quote .imports.value }} }\n",
      },
    ],
    [
      "an export template fails with it",
      { imports: parameters, exports: [stringParameter("value")], export: "{{ fail .imports.value }}" },
    ],
    [
      "the access data of a target fail a template",
      { imports: parameters, deploy: "{{ fail .imports.cluster.spec.config.kubeconfig }}" },
    ],
  ];
  it.each(cases.map((one, index) => [one[0], one[1], index] as const))("when %s", async (_name, blueprint, index) => {
    await expectNoSentinel(await run(`failure-${index}`, { blueprint }, "Failed"));
  });

  const spiffCases: readonly (readonly [name: string, given: Run])[] = [
    [
      "a deploy execution of type Spiff fails with it",
      { blueprint: { imports: parameters, deployExecutions: spiff({ a: "(( error(imports.value) ))" }) } },
    ],
    [
      "an import execution of type Spiff counts with it",
      { blueprint: { imports: parameters, importExecutions: spiff({ a: "(( imports.value + 1 ))" }) } },
    ],
    [
      "an import execution of type Spiff reports it",
      { blueprint: { imports: parameters, importExecutions: spiff({ errors: ["(( imports.value ))"] }) } },
    ],
    [
      "an export execution of type Spiff evaluates it",
      {
        blueprint: {
          imports: parameters,
          exports: [stringParameter("value")],
          exportExecutions: spiff({ exports: { value: '(( eval("(" imports.value) ))' } }),
        },
      },
    ],
    [
      "a data mapping takes it for a number",
      { blueprint: { imports: parameters }, importDataMappings: { a: "(( integer(value) ))" } },
    ],
    [
      "a data mapping fails with access data",
      { blueprint: { imports: parameters }, importDataMappings: { a: "(( error(cluster.spec.config.kubeconfig) ))" } },
    ],
    [
      "a mapping of exports fails with it",
      {
        blueprint: {
          imports: parameters,
          exports: [stringParameter("value")],
          export: "exports: { value: {{ quote .imports.value }} }\n",
        },
        exportDataMappings: { value: '(( value.deep || error("no: %s", exports) ))' },
      },
    ],
  ];
  it.each(spiffCases.map(([name, given], index) => [name, given, index] as const))(
    "when %s",
    async (_, given, index) => {
      await expectNoSentinel(await run(`spiff-${index}`, given, "Failed"));
    },
  );
});
