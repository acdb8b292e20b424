import { afterEach, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, reconcilePolicyOnChange, resources, type Installation } from "@landscaper/api";
import { waitFor, type TestNamespace } from "@landscaper/testkit";
import { dataObject, deployItems, installation, stringParameter, trigger } from "../../test/objects.ts";
import { setUpCore } from "../../test/set-up.ts";
import { recordJobs, type JobRecord } from "../../test/record-jobs.ts";

const setUp = setUpCore();
const onChange = { [annotations.reconcilePolicy]: reconcilePolicyOnChange };

let jobs: JobRecord | undefined;
afterEach(async () => {
  setUp.cluster.server.setFault(undefined);
  await jobs?.stop();
  jobs = undefined;
});

async function open(name: string): Promise<{ namespace: TestNamespace; record: JobRecord }> {
  const namespace = await setUp.namespace(name);
  await namespace.until(resources.context, "default", (found) => found !== undefined);
  jobs = await recordJobs(namespace);
  return { namespace, record: jobs };
}

interface Link {
  readonly name: string;
  /** DataObjects that it imports under their own names. */
  readonly from: readonly string[];
  readonly to: string;
  /** Go template of what it exports. */
  readonly value: string;
  readonly annotations?: Record<string, string>;
  /** Also imports a Secret: the core reads it whenever it looks for changes. */
  readonly secret?: string;
  readonly hidesFlow?: boolean;
}

function link({ name, from, to, value, annotations: own = onChange, secret, hidesFlow }: Link): Installation {
  const names = secret === undefined ? from : [...from, "secret"];
  const blueprint = {
    imports: names.map(stringParameter),
    exports: [stringParameter("out")],
    deploy: deployItems({ name: "item" }),
    export: `exports: { out: '${value}' }\n`,
  };
  const secretImport = secret === undefined ? [] : [{ name: "secret", secretRef: { name: secret, key: "key" } }];
  return installation({
    name,
    blueprint,
    annotations: own,
    imports: { data: [...from.map((dataRef) => ({ name: dataRef, dataRef })), ...secretImport] },
    exports: { data: [{ name: "out", dataRef: to }] },
    ...(hidesFlow === true ? { optimization: { hasNoSiblingImports: true, hasNoSiblingExports: true } } : {}),
  });
}

async function createSecret(namespace: TestNamespace, name: string): Promise<void> {
  const data = { key: Buffer.from("x").toString("base64") };
  await namespace.create(kubeResources.secret, { apiVersion: "v1", kind: "Secret", metadata: { name }, data });
}

/** How often the core has looked for changes behind a Secret since. */
function countLooks(namespace: TestNamespace): Map<string, number> {
  const looks = new Map<string, number>();
  setUp.cluster.server.setFault(({ verb, resource, namespace: of, name, userAgent }) => {
    if (verb === "get" && resource === "secrets" && of === namespace.name && userAgent.startsWith("core")) {
      looks.set(name, (looks.get(name) ?? 0) + 1);
    }
    return undefined;
  });
  return looks;
}

async function pass(namespace: TestNamespace, marker: string): Promise<void> {
  await namespace.create(resources.installation, installation({ name: marker, blueprint: {} }));
  await namespace.untilPhase(marker, "Succeeded");
}

const setData = (namespace: TestNamespace, name: string, data: unknown) =>
  namespace.client.patch(resources.dataObject, { namespace: namespace.name, name }, { type: "merge", body: { data } });

describe("Installations with the policy on-change that import from each other", () => {
  it("start when an export has another value, not when it is away for a job and comes back", async () => {
    const { namespace, record } = await open("export");
    await createSecret(namespace, "secret");
    await namespace.create(resources.dataObject, dataObject("in", "one"));
    const first = link({ name: "first", from: ["in"], to: "mid", value: "{{ .imports.in }}", annotations: trigger });
    await namespace.create(resources.installation, first);
    await record.untilEnded("first", 1);
    const second = link({ name: "second", from: ["mid"], to: "out", value: "<{{ .imports.mid }}>", secret: "secret" });
    await namespace.create(resources.installation, second);
    await record.untilEnded("second", 1);
    const looks = countLooks(namespace);
    await namespace.annotate(resources.installation, "first", trigger);
    await record.untilEnded("first", 2);
    await waitFor(async () => looks.has("secret"));
    await pass(namespace, "marker");
    expect(record.endsOf("second")).toEqual(["Succeeded"]);
    await setData(namespace, "in", "two");
    await namespace.annotate(resources.installation, "first", trigger);
    expect(await record.untilEnded("second", 2)).toEqual(["Succeeded", "Succeeded"]);
    expect((await namespace.get(resources.dataObject, "out")).data).toBe("<two>");
  });

  it("start one after the other, once each, when something changes that all of them import", async () => {
    const { namespace, record } = await open("shared");
    const chain = [
      link({ name: "a", from: ["in"], to: "a", value: "{{ .imports.in }}" }),
      link({ name: "b", from: ["a", "in"], to: "b", value: "{{ .imports.a }}{{ .imports.in }}" }),
      link({ name: "c", from: ["b", "in"], to: "c", value: "{{ .imports.b }}{{ .imports.in }}" }),
    ];
    await namespace.create(resources.dataObject, dataObject("in", "x"));
    for (const one of chain) await namespace.create(resources.installation, one);
    await record.untilEnded("c", 1);
    await setData(namespace, "in", "y");
    await record.untilEnded("c", 2);
    await pass(namespace, "marker");
    expect({ a: record.endsOf("a"), b: record.endsOf("b"), c: record.endsOf("c") }).toEqual({
      a: ["Succeeded", "Succeeded"],
      b: ["Succeeded", "Succeeded"],
      c: ["Succeeded", "Succeeded"],
    });
    expect((await namespace.get(resources.dataObject, "c")).data).toBe("yyy");
  });

  it("wait for the end of a failed exporter's next job, which then starts them", async () => {
    const { namespace, record } = await open("failed");
    await namespace.create(resources.dataObject, dataObject("in", "x"));
    const first = link({ name: "first", from: ["in", "more"], to: "mid", value: "{{ .imports.more }}" });
    const second = link({ name: "second", from: ["mid"], to: "out", value: "{{ .imports.mid }}" });
    await namespace.create(resources.installation, first);
    await namespace.create(resources.installation, second);
    expect(await record.untilEnded("second", 1)).toEqual(["Failed"]);
    await namespace.create(resources.dataObject, dataObject("more", "y"));
    expect(await record.untilEnded("second", 2)).toEqual(["Failed", "Succeeded"]);
    expect(record.endsOf("first")).toEqual(["Failed", "Succeeded"]);
  });

  it("fail in a ring, once, and say so", async () => {
    const { namespace, record } = await open("ring");
    await createSecret(namespace, "ping");
    await createSecret(namespace, "pong");
    await namespace.create(
      resources.installation,
      link({ name: "ping", from: ["q"], to: "p", value: "x", secret: "ping" }),
    );
    await record.untilEnded("ping", 1);
    await namespace.create(
      resources.installation,
      link({ name: "pong", from: ["p"], to: "q", value: "x", secret: "pong" }),
    );
    await record.untilEnded("pong", 1);
    const looks = countLooks(namespace);
    await waitFor(async () => looks.has("pong"));
    await pass(namespace, "marker");
    expect({ ping: record.endsOf("ping"), pong: record.endsOf("pong") }).toEqual({
      ping: ["Failed"],
      pong: ["Failed"],
    });
    expect((await namespace.get(resources.installation, "pong")).status?.lastError?.message).toContain(
      "installations import from each other in a ring: pong => ping => pong",
    );
  });

  it("come to rest in a ring that their hints hide, when the values do", async () => {
    const { namespace, record } = await open("hidden-ring");
    await createSecret(namespace, "ping");
    await createSecret(namespace, "pong");
    await namespace.create(resources.dataObject, dataObject("q", "x"));
    // Both add an x until there are three: the fixed point.
    const value = (name: string) => `{{ trunc 3 (cat .imports.${name} "x" | nospace) }}`;
    const ping = link({ name: "ping", from: ["q"], to: "p", value: value("q"), secret: "ping", hidesFlow: true });
    const pong = link({ name: "pong", from: ["p"], to: "q", value: value("p"), secret: "pong", hidesFlow: true });
    await namespace.create(resources.installation, ping);
    await record.untilEnded("ping", 1);
    await namespace.create(resources.installation, pong);
    await namespace.until(resources.dataObject, "q", (found) => found?.data === "xxx");
    await namespace.until(resources.dataObject, "p", (found) => found?.data === "xxx");
    await record.untilEnded("pong", 2);
    // A job that changes nothing lets the other one look once more.
    const looks = countLooks(namespace);
    await namespace.annotate(resources.installation, "ping", { ...onChange, ...trigger });
    await waitFor(async () => looks.has("pong"));
    await pass(namespace, "marker");
    const ends = [...record.endsOf("ping"), ...record.endsOf("pong")];
    expect(ends.filter((phase) => phase !== "Succeeded")).toEqual([]);
    expect(ends.length).toBeLessThanOrEqual(7);
  });
});
