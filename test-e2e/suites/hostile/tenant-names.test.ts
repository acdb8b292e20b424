// Names of objects of another namespace, wherever a tenant can write one: the services read with rights of their own.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, ResourceType, UnstructuredObject } from "@landscaper/api";
import { isJobOpen, kubeResources, resources, type DeployItem, type Installation } from "@landscaper/api";
import { isConflict } from "@landscaper/controller-runtime";
import { nameSpots, statusSpots, victimNames, type NameSpot } from "../../hostile/foreign-names.ts";
import { startHostileServer, type HostileServer } from "../../hostile/hostile-server.ts";
import { createTenant, type Tenant } from "../../hostile/tenant.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import {
  dataObject,
  dataParameter,
  deployItems,
  goTemplate,
  inlineInstallation,
} from "../../src/installations/inline-installation.ts";
import { playedType, waitForJob } from "@landscaper/testkit";
import { resourceTypeOf } from "../../src/clusters/resource-type-of.ts";
import { clustersUnderTest, isWholeRun } from "../../src/clusters/selected-clusters.ts";
import { createRecognizer } from "../../src/kits/sentinel.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";
import { collectServiceTexts, findLeaks, type VisibleText } from "../../src/namespaces/visible-texts.ts";

const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const secretOfTheVictim = "correctHorseBatteryStaple0815";

type Form = (victim: string, spot: Pick<NameSpot, "plural">) => string;
const allForms: readonly (readonly [string, Form])[] = [
  ["a path", (victim, { plural }) => `../../${victim}/${plural}/${victimNames[plural]}`],
  ["namespace and name", (victim, { plural }) => `${victim}/${victimNames[plural]}`],
  ["an encoded path", (victim, { plural }) => `..%2f..%2f${victim}%2f${plural}%2f${victimNames[plural]}`],
  ["the name alone, which nothing has here", (_victim, { plural }) => victimNames[plural]],
];
/** What a status says of a name that leads nowhere. */
const leadsNowhere =
  /expected the name of an object, found|was not found|does not exist|not found$|credentials are needed \(401\)/;
const forms = isWholeRun("hostile") ? allForms : allForms.slice(0, 2);

const kinds: readonly ResourceType[] = [
  ...Object.values(resources).filter(({ namespaced }) => namespaced),
  kubeResources.secret,
  kubeResources.configMap,
  kubeResources.serviceAccount,
];

const namesOf = (versions: readonly string[]): readonly string[] =>
  versions.map((version) => version.replace(/ [^ ]*$/, ""));

describe.each(clustersUnderTest())("names of another namespace on %s", (cluster) => {
  let environment: Environment;
  let victim: TestNamespace;
  let own: TestNamespace;
  let tenant: Tenant;
  /** What the Target of the victim leads to, and what asks for credentials of charts. */
  let target: HostileServer;
  let registry: HostileServer;
  const credentials: string[] = [];
  let untouched: readonly string[];

  /** Every object of a namespace, with the version that it has. */
  async function versionsIn(namespace: TestNamespace): Promise<readonly string[]> {
    const lists = await Promise.all(kinds.map(async (type) => namespace.list(type)));
    return lists
      .flat()
      .map(({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`)
      .toSorted();
  }

  async function fillVictim(): Promise<void> {
    const { secrets, configmaps, dataobjects, targets, contexts, serviceaccounts } = victimNames;
    const text = JSON.stringify({ value: secretOfTheVictim });
    const authHeader = `Basic ${Buffer.from(`me:${secretOfTheVictim}`).toString("base64")}`;
    const auths = { [new URL(registry.url).host]: { auth: authHeader.replace("Basic ", "") } };
    const stringData = {
      config: text,
      kubeconfig: target.kubeconfig,
      authHeader,
      ".dockerconfigjson": JSON.stringify({ auths }),
    };
    const configurations = { helmChartRepoCredentials: { auths: [{ url: registry.url, authHeader }] } };
    const blueprint = {
      exports: [dataParameter("value", {})],
      exportExecutions: goTemplate("exports: { value: one }"),
    };
    await victim.apply(
      { apiVersion: "v1", kind: "Secret", metadata: { name: secrets }, stringData },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: configmaps }, data: { config: text } },
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: serviceaccounts } },
      dataObject(dataobjects, { config: text }),
      {
        apiVersion,
        kind: "Context",
        metadata: { name: contexts },
        registryPullSecrets: [{ name: secrets }],
        configurations,
      },
      {
        apiVersion,
        kind: "Target",
        metadata: { name: targets },
        spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", secretRef: { name: secrets, key: "kubeconfig" } },
      },
      inlineInstallation({ name: "root", blueprint, exports: { data: [{ name: "value", dataRef: "value" }] } }),
    );
    await victim.waitForPhase("root", "Succeeded");
  }

  beforeAll(async () => {
    target = await startHostileServer({ answer: (_request, response) => void response.writeHead(403).end() });
    registry = await startHostileServer({
      tls: false,
      answer: ({ headers }, response) => {
        if (headers.authorization !== undefined) credentials.push(headers.authorization);
        response.writeHead(401, { "www-authenticate": 'Basic realm="charts"' }).end();
      },
    });
    const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
    environment = await startEnvironment({ cluster, services });
    [victim, own] = [await environment.namespace("victim"), await environment.namespace("thief")];
    await fillVictim();
    untouched = await versionsIn(victim);
    tenant = await createTenant(environment.hub, own.name);
    await own.apply(own.target("own"));
  });
  afterAll(async () => {
    await tenant.close();
    await environment.stop();
    await Promise.all([target.stop(), registry.stop()]);
  });

  /** What of the victim has been written, used, or read into the namespace of the tenant: nothing. */
  async function findTraces(): Promise<readonly unknown[]> {
    const versions = await versionsIn(victim);
    const written = [
      ...versions.filter((version) => !untouched.includes(version)),
      ...untouched.filter((version) => !versions.includes(version)),
    ];
    const lists = await Promise.all([...kinds, kubeResources.event].map(async (type) => own.list(type)));
    const texts = lists.flat().map((object): VisibleText => {
      return { where: `${object.kind} ${object.metadata.name}`, text: JSON.stringify(object) };
    });
    const read = findLeaks(texts, createRecognizer(secretOfTheVictim));
    return [...written, ...target.requests, ...credentials, ...read];
  }

  async function create(object: KubeObject | UnstructuredObject): Promise<void> {
    const metadata = { ...object.metadata, namespace: own.name };
    await tenant.client.create(resourceTypeOf(object), { ...object, metadata });
  }

  /** Writes fields of a status as the tenant, whatever others write meanwhile. */
  async function forge<T extends KubeObject>(type: ResourceType<T>, name: string, status: object): Promise<void> {
    for (;;) {
      const found = await tenant.client.get(type, { namespace: own.name, name });
      const before = (found as { readonly status?: object }).status;
      try {
        await tenant.client.updateStatus(type, { ...found, status: { observedGeneration: 0, ...before, ...status } });
        return;
      } catch (error) {
        if (!isConflict(error)) throw error;
      }
    }
  }

  /** The first error that the status has, or the end of the job without one. */
  async function endOf(end: NameSpot["end"], name: string): Promise<string> {
    if (end === "TargetSync") {
      const found = await own.until(resources.targetSync, name, (sync) => sync?.status?.lastUpdateTime !== undefined);
      await own.delete(resources.targetSync, name);
      await own.untilGone(resources.targetSync, name);
      return found?.status?.lastErrors?.join("; ") ?? "synced";
    }
    const type: ResourceType<Installation | DeployItem> =
      end === "Installation" ? resources.installation : resources.deployItem;
    const found = await own.until(type, name, (object) => {
      const { status } = object ?? {};
      return status?.lastError !== undefined || (status?.jobID !== undefined && !isJobOpen(status));
    });
    return found?.status?.lastError?.message ?? found?.status?.phase ?? "";
  }

  let count = 0;
  describe.each(forms)("%s", (_form, foreignOf) => {
    it.each(nameSpots.map((spot) => [spot.field, spot] as const))("as %s", async (_field, spot) => {
      count += 1;
      const name = `name-${count}`;
      const foreign = foreignOf(victim.name, spot);
      const place = { name, namespace: own.name, victim: victim.name, registry: registry.url };
      for (const object of spot.objects(foreign, place)) await create(object);
      if (spot.end === "DeployItem") await forge(resources.deployItem, name, { jobID: "job" });
      const ended = await endOf(spot.end, name);
      expect(ended).toMatch(leadsNowhere);
      expect(await findTraces()).toEqual([]);
    });
  });

  it.each(statusSpots.map((spot) => [spot.of, spot.field, spot] as const))(
    "as status of %s: %s",
    async (...[of, , spot]) => {
      count += 1;
      const name = `name-${count}`;
      const blueprint = {
        deployExecutions: deployItems({
          name: "item",
          type: playedType,
          config: { apiVersion: "test/v1", kind: "Nothing" },
        }),
      };
      await create(inlineInstallation({ name, blueprint }));
      await own.until(resources.execution, name, (found) => found?.status?.phase === "Progressing");
      const item = (await own.deployItems(name)).get("item")?.metadata.name ?? "";
      const { status } = await waitForJob(own, item);
      const forged = spot.status(victim.name);
      if (of === "Installation") await forge(resources.installation, name, forged);
      if (of === "Execution") await forge(resources.execution, name, forged);
      const ofItem = of === "DeployItem" ? forged : {};
      await forge(resources.deployItem, item, { ...ofItem, phase: "Succeeded", jobIDFinished: status?.jobID ?? "" });
      expect(await endOf("Installation", name)).toContain(spot.end);
      expect(await findTraces()).toEqual([]);
    },
  );

  it("as owners, by the uid of the victim's object", async () => {
    const { uid = "" } = (await victim.get(resources.installation, "root")).metadata;
    const ownerReferences = [{ apiVersion, kind: "Installation", name: "root", uid, controller: true }];
    const source = {
      "data.landscaper.gardener.cloud/context": "Inst.root",
      "data.landscaper.gardener.cloud/source": "Inst.root",
    };
    const child = inlineInstallation({ name: "forged", blueprint: { deployExecutions: deployItems() } });
    await create({ ...child, metadata: { ...child.metadata, ownerReferences } });
    await create({ apiVersion, kind: "Execution", metadata: { name: "root", ownerReferences }, spec: {} });
    const data = dataObject("value", "forged");
    await create({ ...data, metadata: { ...data.metadata, labels: source, ownerReferences } });
    const before = namesOf(untouched);
    await victim.trigger("root");
    const { status } = await victim.waitForPhase("root", "Succeeded");
    expect([status?.installationRefs, status?.executionRef, await victim.exported("value")]).toEqual([
      undefined,
      undefined,
      "one",
    ]);
    untouched = await versionsIn(victim);
    expect(namesOf(untouched)).toEqual(before);
    expect(await findTraces()).toEqual([]);
  });

  it("is in no log and no metric", async () => {
    expect(findLeaks(await collectServiceTexts(environment), createRecognizer(secretOfTheVictim))).toEqual([]);
  });
});
