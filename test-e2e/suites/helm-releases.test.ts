// One release that Helm 3, Helm 4 and a deploy item write in turns: what its records say, and whose fields its objects have.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  kubeResources,
  resources,
  type DeployItem,
  type KubeObject,
  type UnstructuredObject,
} from "@landscaper/api";
import { helmSpec, rawChart } from "@landscaper/helm-deployer-lib/testing";
import { ReleaseStore, type ReleaseRecord } from "@landscaper/helm-release";
import { describeUnless } from "@landscaper/testkit";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../helm-releases/write-chart.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { casesOfRun, clustersForClients } from "../src/clusters/selected-clusters.ts";
import { createItemScope, type ItemScope } from "../src/items/item-scope.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

type Texts = Readonly<Record<string, string>>;

interface Variable {
  readonly name: string;
  readonly value: string;
}

const files = {
  "Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n",
  "values.yaml": "data: {}\n",
  "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data: {{ .Values.data | toJson }}
`,
  "templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: app }
spec:
  replicas: 0
  selector: { matchLabels: { app: app } }
  template:
    metadata: { labels: { app: app } }
    spec:
      containers:
        - name: main
          image: registry.example.test/main:1
          env:
            {{- range $name, $value := .Values.data }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
`,
};

/** No controller of Deployments runs. */
const common = { readinessChecks: { disableDefault: true } };

const writers = ["Helm 3", "the item", "the item with apply", "Helm 4"] as const;
type Writer = (typeof writers)[number];

/** What a record says of its method. Helm 3 writes none, which Helm 4 and the deployer read as "csa". */
type Method = "ssa" | "csa" | undefined;

/** The method in the record of a writer's revision. `previous`: that of the revision before; null: the writer installs the release. */
const methodBy: Readonly<Record<Writer, (previous: Method | null) => Method>> = {
  "Helm 3": () => undefined,
  "the item": (previous) => previous ?? "csa",
  "the item with apply": () => "ssa",
  "Helm 4": (previous) => (previous === null ? "ssa" : (previous ?? "csa")),
};

/** The managers of objects whose marks never change. What was applied once, such as the marks, stays applied until the next apply. */
function managersAfter(method: Method, wasApplied: boolean): string[] {
  if (method === "ssa") return ["helm Apply"];
  return wasApplied ? ["helm Apply", "helm Update"] : ["helm Update"];
}

function ordersOf<T>(rest: readonly T[]): readonly (readonly T[])[] {
  if (rest.length === 0) return [[]];
  return rest.flatMap((first) => ordersOf(rest.filter((each) => each !== first)).map((order) => [first, ...order]));
}

/** Values of a revision: one key of all writers, and one that the next revision no longer has. */
function valuesOf(writer: string): Texts {
  return { always: writer, [`of_${writer.replaceAll(" ", "_")}`]: "here" };
}

const absence = oracleAbsence("helm") ?? oracleAbsence("helm4");

describeUnless(absence, describe)("one release", () => {
  describe.each(clustersForClients("helm-releases"))("on %s", (cluster) => {
    let environment: Environment;
    let folder: ChartFolder;
    let chart: object;
    let count = 0;

    beforeAll(async () => {
      folder = writeChart(files);
      chart = await rawChart(files);
      environment = await startEnvironment({ cluster, services: ["helm-deployer"] });
    });
    afterAll(async () => {
      folder?.dispose();
      await environment?.stop();
    });

    /** Runs a test with a namespace and both versions of Helm. */
    async function withRelease(test: (release: Release) => Promise<void>): Promise<void> {
      const scope = await createItemScope(environment, `release-${++count}`);
      const helms = [
        createRealHelm(environment.targetKubeconfig, scope.place, { version: "3" }),
        createRealHelm(environment.targetKubeconfig, scope.place, { version: "4" }),
      ] as const;
      try {
        await test(new Release({ scope, environment, chart, folder, helm3: helms[0], helm4: helms[1] }));
      } finally {
        for (const helm of helms) helm.dispose();
      }
    }

    it.each(casesOfRun("helm-releases", ordersOf(writers)).map((order) => ({ order })))(
      "has equal data, no left-over field, and the method and managers of the table after $order",
      async ({ order }) => {
        await withRelease(async (release) => {
          const methods: Method[] = [];
          let appliedOnServer = false;
          for (const writer of order) {
            await release.write(writer, valuesOf(writer));
            const previous = methods.length === 0 ? null : methods.at(-1);
            // Helm 3 writes the record that it supersedes without the fields that it does not know.
            if (writer === "Helm 3" && previous !== null) methods[methods.length - 1] = undefined;
            methods.push(methodBy[writer](previous));
            appliedOnServer ||= methods.at(-1) === "ssa";
            const data = valuesOf(writer);
            const managers = managersAfter(methods.at(-1), appliedOnServer);
            expect({ writer, ...(await release.state()) }).toEqual({ writer, methods, data, env: data, managers });
          }
          expect(await release.statuses()).toEqual(["superseded", "superseded", "superseded", "deployed"]);
        });
      },
    );

    it("follows an item that is switched back and forth between the strategies", async () => {
      await withRelease(async (release) => {
        const methods: Method[] = [];
        for (const updateStrategy of ["apply", "update", "apply", undefined, "merge", undefined] as const) {
          const data = valuesOf(String(methods.length));
          await release.deployItem(data, updateStrategy === undefined ? {} : { updateStrategy });
          const kept = methods.at(-1) ?? "csa";
          methods.push(updateStrategy === undefined ? kept : updateStrategy === "apply" ? "ssa" : "csa");
          const managers = managersAfter(methods.at(-1), methods.includes("ssa"));
          expect(await release.state()).toEqual({ methods, data, env: data, managers });
        }
      });
    });

    it("has the strategy in force after a rollback of the item, and the method of the stored revision after one of Helm 4", async () => {
      await withRelease(async (release) => {
        await release.deployItem(valuesOf("one"), { updateStrategy: "apply" });
        await release.deployItem(valuesOf("two"), { updateStrategy: "update" });
        await release.helm4.run("rollback", "app", "1");
        expect((await release.state()).methods).toEqual(["ssa", "csa", "ssa"]);
        await release.rollBackItem(2, { updateStrategy: "apply" });
        const { methods, data, env } = await release.state();
        const two = valuesOf("two");
        expect({ methods, data, env }).toEqual({ methods: ["ssa", "csa", "ssa", "ssa"], data: two, env: two });
        const [third, fourth] = (await release.history()).slice(2);
        expect([third?.info.rollback_revision, fourth?.info.rollback_revision]).toEqual([1, 2]);
      });
    });

    it.each(["helm3", "helm4"] as const)(
      "loses what the chart no longer has at the first job with apply after a deployer of the original with %s",
      async (version) => {
        await withRelease(async (release) => {
          // The original writes by client-side apply, whatever its version of Helm.
          const flags = version === "helm4" ? ["--server-side=false"] : [];
          await release.upgrade(release[version], valuesOf("original"), flags);
          await release.renameManager("helm-deployer-controller");
          expect((await release.state()).managers).toEqual(["helm-deployer-controller Update"]);
          await release.write("the item with apply", valuesOf("item"));
          const { data, env, managers } = await release.state();
          const wanted = valuesOf("item");
          expect({ data, env, managers }).toEqual({ data: wanted, env: wanted, managers: ["helm Apply"] });
        });
      },
    );

    it.each(["helm3", "helm4"] as const)(
      "keeps the labels of %s, and both versions find it by those of the item",
      async (first) => {
        await withRelease(async (release) => {
          const { helm3, helm4 } = release;
          await release[first].run("install", "app", folder.path, "--labels", "team=x,stage=test");
          await release.deployItem(valuesOf("item"), { labels: { env: "prod", stage: "null" } });
          const second = first === "helm3" ? helm4 : helm3;
          await second.run("upgrade", "app", folder.path, "--labels", "more=1");
          await second.run("rollback", "app", "2");
          await release.deployItem(valuesOf("next"), { labels: { env: "dev" } });
          expect((await release.history()).map(({ labels }) => labels)).toEqual([
            { team: "x", stage: "test" },
            { team: "x", env: "prod" },
            { team: "x", env: "prod", more: "1" },
            { team: "x", env: "prod" },
            { team: "x", env: "dev" },
          ]);
          for (const helm of [helm3, helm4]) {
            const found = JSON.parse(await helm.run("list", "--selector", "team=x,env=dev", "-o", "json")) as unknown;
            expect(found).toEqual([expect.objectContaining({ name: "app", revision: "5", status: "deployed" })]);
          }
        });
      },
    );
  });
});

interface ReleaseParts {
  readonly scope: ItemScope;
  readonly environment: Environment;
  /** As the item has it. */
  readonly chart: object;
  readonly folder: ChartFolder;
  readonly helm3: RealHelm;
  readonly helm4: RealHelm;
}

/** The release "app" and its four writers. */
class Release {
  readonly #parts: ReleaseParts;
  readonly helm3: RealHelm;
  readonly helm4: RealHelm;
  #hasItem = false;

  constructor(parts: ReleaseParts) {
    this.#parts = parts;
    this.helm3 = parts.helm3;
    this.helm4 = parts.helm4;
  }

  async write(writer: Writer, data: Texts): Promise<void> {
    switch (writer) {
      case "Helm 3":
        await this.upgrade(this.helm3, data);
        return;
      case "Helm 4":
        await this.upgrade(this.helm4, data);
        return;
      case "the item":
        await this.deployItem(data);
        return;
      case "the item with apply":
        await this.deployItem(data, { updateStrategy: "apply" });
    }
  }

  async upgrade(helm: RealHelm, data: Texts, flags: readonly string[] = []): Promise<void> {
    const values = Object.entries(data).flatMap(([key, value]) => ["--set-string", `data.${key}=${value}`]);
    await helm.run("upgrade", "--install", "--reset-values", "app", this.#parts.folder.path, ...values, ...flags);
  }

  /** Makes the objects look as if another program than the command had written them: a library of Helm names the manager after its program. */
  async renameManager(name: string): Promise<void> {
    const { scope, environment } = this.#parts;
    for (const [type, object] of [
      [kubeResources.configMap, "app-map"],
      [kubeResources.deployment, "app"],
    ] as const) {
      const live = await scope.find<KubeObject>(type, object);
      const entries = (live?.metadata["managedFields"] ?? []) as { manager: string }[];
      const value = entries.map((entry) => (entry.manager === "helm" ? { ...entry, manager: name } : entry));
      const body = [{ op: "replace", path: "/metadata/managedFields", value }] as const;
      const key = { namespace: scope.place, name: object };
      await environment.targetClient.patch<KubeObject>(type, key, { type: "json", body });
    }
  }

  async deployItem(data: Texts, further: object = {}): Promise<void> {
    const { scope, chart } = this.#parts;
    const spec = helmSpec(scope.place, { ...common, chart, values: { data }, ...further });
    if (this.#hasItem) await scope.trigger("item", { config: spec.config ?? {} });
    else
      await scope.create({ name: "item", spec: { ...spec, target: { name: "cluster", namespace: scope.namespace } } });
    this.#hasItem = true;
    expectSuccess(await scope.waitForEnd("item"));
  }

  /** Rolls the release back by the annotation of the item. */
  async rollBackItem(revision: number, further: object): Promise<void> {
    const { scope, chart, environment } = this.#parts;
    const body = { metadata: { annotations: { [annotations.helmRollbackTo]: String(revision) } } };
    const key = { namespace: scope.namespace, name: "item" };
    await environment.client.patch(resources.deployItem, key, { type: "merge", body });
    const { config = {} } = helmSpec(scope.place, { ...common, chart, ...further });
    await scope.trigger("item", { config });
    expectSuccess(await scope.waitForEnd("item"));
  }

  async history(): Promise<ReleaseRecord[]> {
    const { environment, scope } = this.#parts;
    const client = environment.targetClient;
    const store = new ReleaseStore({ client, namespace: scope.place, name: "app", now: Date.now });
    return await store.history({ signal: AbortSignal.timeout(30_000) });
  }

  async statuses(): Promise<string[]> {
    return (await this.history()).map(({ info }) => info.status);
  }

  async state() {
    const { scope } = this.#parts;
    const map = await scope.find(kubeResources.configMap, "app-map");
    const deployment = await scope.find(kubeResources.deployment, "app");
    // Of a Deployment as the chart has it.
    const spec = deployment?.["spec"] as { template: { spec: { containers: { env: Variable[] }[] } } } | undefined;
    const variables = spec?.template.spec.containers[0]?.env ?? [];
    const env: Texts = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
    const managers = managersOf(map);
    const found = managersOf(deployment);
    if (managers.join() !== found.join()) {
      throw new Error(`managers of the Deployment: expected ${managers.join()}, found ${found.join()}`);
    }
    const methods = (await this.history()).map(({ apply_method: method }) => method);
    return { methods, data: map?.data, env, managers };
  }
}

function expectSuccess({ status }: DeployItem): void {
  expect(status).toMatchObject({ phase: "Succeeded" });
}

/** Without those of the cluster, such as the controller of Deployments. */
function managersOf(object: Pick<UnstructuredObject, "metadata"> | undefined): string[] {
  const entries = (object?.metadata["managedFields"] ?? []) as { manager: string; operation: string }[];
  const ofReleases = entries.filter(({ manager }) => manager !== "kube-controller-manager");
  return ofReleases.map(({ manager, operation }) => `${manager} ${operation}`).toSorted();
}
