// What the program of a container item is given and what it leaves is where it belongs, and nowhere else: whatever it prints, however it ends.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type UnstructuredObject } from "@landscaper/api";
import { startPodRunner, type PodRunner, type ProgramContext } from "@landscaper/container-deployer-lib/testing";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { dataParameter, goTemplate, inlineInstallation } from "../../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { createSentinel } from "../../src/kits/sentinel.ts";
import { harnessNamespace } from "../../src/clusters/service-token.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";
import {
  collectVisibleTexts,
  findLeaks,
  tapNats,
  type NatsTap,
  type VisibleText,
} from "../../src/namespaces/visible-texts.ts";

/** Of each kind of secret one value. */
const secrets = {
  import: createSentinel(),
  target: createSentinel(),
  pullSecret: createSentinel(),
  state: createSentinel(),
  export: createSentinel(),
};
const kinds = Object.keys(secrets) as readonly (keyof typeof secrets)[]; // of the object above
const image = "registry.example/team/program:1";
let exitCode = 0;

/** Prints all that it is given, also in disguise; leaves secrets of its own. */
async function runProgram({ env, log }: ProgramContext): Promise<number> {
  for (const variable of ["IMPORTS_PATH", "TARGET_PATH"]) {
    const text = readFileSync(env[variable] ?? "", "utf8");
    log(`${variable} has ${text}`);
    log(`in base64: ${Buffer.from(text).toString("base64")}`);
  }
  log(`imports: ${secrets.import.value}`);
  log(`target: ${encodeURIComponent(secrets.target.value)}`);
  const files = [
    [join(env["STATE_PATH"] ?? "", "account"), secrets.state.value],
    [env["EXPORTS_PATH"] ?? "", JSON.stringify({ account: secrets.export.value })],
  ] as const;
  for (const [file, text] of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return await Promise.resolve(exitCode);
}

const anyTarget = { name: "cluster", type: "target", targetType: "example.org/any" };

function inputs({ name: namespace }: TestNamespace): UnstructuredObject[] {
  const dockerConfig = { auths: { "registry.example": { username: "reader", password: secrets.pullSecret.value } } };
  return [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "login" },
      stringData: { password: JSON.stringify(secrets.import.value) },
    },
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "pull" },
      type: "kubernetes.io/dockerconfigjson",
      stringData: { ".dockerconfigjson": JSON.stringify(dockerConfig) },
    },
    {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: "any" },
      spec: { type: "example.org/any", config: { token: secrets.target.value } },
    },
    inlineInstallation({
      name: "root",
      blueprint: {
        imports: [dataParameter("password", { type: "string" }), anyTarget],
        deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/container
    target: { import: cluster }
    config:
      apiVersion: container.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      image: ${image}
      importValues: { password: {{ .imports.password | toJson }} }
      registryPullSecrets: [{ name: pull, namespace: ${namespace} }]
`),
        exports: [dataParameter("account", { type: "string" })],
        exportExecutions: goTemplate(
          'exports: { account: {{ index .values.deployitems "item" "account" | toJson }} }\n',
        ),
      },
      imports: {
        data: [{ name: "password", secretRef: { name: "login", key: "password" } }],
        targets: [{ name: "cluster", target: "any" }],
      },
      exports: { data: [{ name: "account", dataRef: "account" }] },
    }),
  ];
}

/** Where each secret is, of these texts. */
function placesIn(texts: readonly VisibleText[]): Readonly<Record<string, readonly string[]>> {
  const places = kinds.map((kind) => {
    const found = findLeaks(texts, secrets[kind].findIn).map(({ where }) => where);
    return [kind, found.toSorted()] as const;
  });
  return Object.fromEntries(places.filter(([, found]) => found.length > 0));
}

function readFiles(folder: string): VisibleText[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => {
    const file = join(parentPath, name);
    return { where: relative(folder, file), text: readFileSync(file, "utf8") };
  });
}

describe.each(clustersUnderTest())("secrets of a container item on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;
  let pods: PodRunner;
  let tap: NatsTap | undefined;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "container-deployer"],
      configs: { "container-deployer": { namespace: harnessNamespace } },
      nats: true,
    });
    tap = environment.nats === undefined ? undefined : await tapNats(environment.nats.url);
    const { client, hub } = environment;
    const { url: server, ca } = hub;
    pods = startPodRunner({ client, server, ca, namespace: harnessNamespace, program: runProgram });
    scope = await environment.namespace("container-secrets");
  });
  afterAll(async () => {
    await pods.stop();
    await tap?.stop();
    await environment.stop();
  });

  /** Status, events, logs, metrics, NATS, what init and wait print, and events beside the Pods. */
  async function expectNoLeaks(): Promise<void> {
    const texts: VisibleText[] = [...(await collectVisibleTexts(environment, scope)), ...(tap?.texts ?? [])];
    for (const { container, line } of pods.logs) {
      if (container !== "main") texts.push({ where: `log of ${container}`, text: line });
    }
    const { items } = await environment.client.list(kubeResources.event, { namespace: harnessNamespace });
    texts.push(...items.map((event) => ({ where: "event on the host", text: JSON.stringify(event) })));
    expect(placesIn(texts)).toEqual({});
  }

  /** Objects of the host, "ITEM" for what their names begin with, "RUN" for the Pod's own part. */
  async function hostTexts(): Promise<VisibleText[]> {
    const [item] = await scope.list(resources.deployItem);
    const prefix = `${scope.name}-${item?.metadata.name}`;
    const suffix = pods.started.at(-1)?.pod.slice(-8) ?? "";
    return (await pods.pods.objects()).map(({ kind, object }) => ({
      where: `${kind} ${object.metadata.name?.replace(prefix, "ITEM").replace(suffix, "RUN")}`,
      text: JSON.stringify(object),
    }));
  }

  it("are in the Secrets of the host that are for them, and in no other object", async () => {
    await scope.apply(...inputs(scope));
    await scope.waitForPhase("root", "Succeeded");
    expect(await scope.exported("account")).toBe(secrets.export.value);
    expect(placesIn(await hostTexts())).toEqual({
      import: ["Secret ITEM-config", "Secret ITEM-last-success"],
      target: ["Secret ITEM-last-success", "Secret ITEM-target"],
      pullSecret: ["Secret ITEM-imgpullsec"],
      state: ["Secret state-ITEM-RUN-0"],
      export: ["Secret ITEM-export"],
    });
    await expectNoLeaks();
  });

  it("are in the files of the containers that need them", () => {
    const { pod = "" } = pods.started.at(-1) ?? {};
    const files = readFiles(pods.folderOf(pod));
    expect(placesIn(files)).toEqual({
      import: ["init/internal/configuration.json", "shared/imports/import.json"],
      target: ["init/targets/target.json", "shared/targets/target.json"],
      state: ["shared/state/account"],
      export: ["shared/exports/values"],
    });
    expect(files.map(({ where }) => where).filter((file) => !file.startsWith("shared/"))).toEqual(
      expect.arrayContaining(["wait/internal/job.json"]),
    );
    expect(files.filter(({ where }) => where.startsWith("main/"))).toEqual([]);
  });

  it("are not in the Pod of a program that runs, nor in its status when it has failed", async () => {
    exitCode = 3;
    await scope.trigger("root");
    await scope.waitForPhase("root", "Failed");
    const [item] = await scope.list(resources.deployItem);
    const message = item?.status?.lastError?.message ?? "";
    expect(message).toContain("exit code 3");
    expect(message).toContain("imports: [...]");
    expect(message).toContain("target: [...]");
    const texts = (await hostTexts()).filter(({ where }) => !where.startsWith("Secret "));
    expect(texts.length).toBeGreaterThan(3);
    expect(placesIn(texts)).toEqual({});
    await expectNoLeaks();
  });

  it("are not shown by a DELETE run that fails, and go with the item", async () => {
    await scope.delete(resources.installation, "root");
    await scope.waitForPhase("root", "DeleteFailed");
    await expectNoLeaks();
    exitCode = 0;
    await scope.trigger("root");
    await scope.untilGone(resources.installation, "root");
    expect(await pods.pods.hostObjects()).toEqual([]);
    await expectNoLeaks();
  });
});
