import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { kubeResources, resources } from "@landscaper/api";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { fillTemplate, indent, parseManifests } from "../src/examples/manifests.ts";
import { packFolder } from "../src/artifacts/pack-folder.ts";
import { pushChart } from "../src/artifacts/push-chart.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { ensureObject } from "../src/clusters/service-token.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

/** Examples that a beginner applies one after the other; paths are in a folder, files with `${placeholders}`. */
export interface Tour {
  /** The namespace that the examples deploy into. */
  readonly targetNamespace: string;
  /** An Installation of one ConfigMap, both with this name. */
  readonly manifest: { readonly files: readonly string[]; readonly name: string; readonly data: object };
  /** An Installation that exports the token of a Secret to a DataObject. */
  readonly token: {
    readonly files: readonly string[];
    /** Constructor file of the component that the Installation names. */
    readonly constructor: string;
    readonly name: string;
    readonly secret: string;
    readonly dataObject: string;
  };
  /** An Installation, its release and the chart's one object with this name. The second chart has a Secret in place of the ConfigMap. */
  readonly chart: {
    readonly name: string;
    /** Folders of the versions, each with the name of the chart. */
    readonly versions: Readonly<Record<string, string>>;
    /** The first version alone. */
    readonly first: readonly string[];
    /** The first version, and what upgrades it. */
    readonly files: readonly string[];
    readonly upgrade: string;
    readonly map: object;
    readonly secret: object;
  };
}

const noRegistry = programAbsence("docker-registry");
/** Who packs and pushes the charts, and why it does not. */
const pushers = [
  { name: "helm push", isReal: true, missing: noRegistry ?? oracleAbsence("helm") },
  { name: "our own client", isReal: false, missing: noRegistry },
] as const;

/** A tour whose services run. */
interface TourRun {
  readonly tour: Tour;
  readonly folder: string;
  readonly environment: () => Environment;
  /** Undefined where there is no program for one. */
  readonly registry: () => TestRegistry | undefined;
}

/** A chart's reference in an Installation. */
const chartReference = /(?<=\bref: )([^/\s]+)\/(\S+)(?=\/[^/\s]+:)/;

function read({ folder }: TourRun, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

async function applyFiles(
  run: TourRun,
  scope: TestNamespace,
  {
    paths,
    edit = (content) => content,
  }: { readonly paths: readonly string[]; readonly edit?: (content: string) => string },
): Promise<void> {
  const values = {
    namespace: scope.name,
    kubeconfig: indent(scope.environment.targetKubeconfig, 6),
    repoBaseUrl: componentsUrl(run),
  };
  await scope.apply(...paths.flatMap((path) => parseManifests(fillTemplate(edit(read(run, path)), values))));
}

/** Of the components, in a registry where there is one. */
function componentsUrl(run: TourRun): string {
  return `http://${run.registry()?.host ?? "registry.example.test"}/components`;
}

/** The command as its users have it; resolves to what it prints. */
async function landscaper(...words: readonly string[]): Promise<string> {
  const child = spawn(join(import.meta.dirname, "../../bin/landscaper"), words, {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  if (status === 0) return stdout;
  throw new Error(`landscaper ${words.join(" ")}: exit code ${status}\n${stdout}${stderr}`);
}

/** Builds the components of a constructor file and pushes them. */
async function pushComponents(run: TourRun, constructor: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "landscaper-tour-"));
  try {
    const ctf = join(scratch, "ctf");
    await landscaper("component", "create", "--constructor", join(run.folder, constructor), "--ctf", ctf);
    for (const name of (await landscaper("component", "list", ctf)).trimEnd().split("\n")) {
      await landscaper("component", "push", `${ctf}//${name}`, componentsUrl(run), "--copy-resources");
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function remove(scope: TestNamespace, name: string): Promise<void> {
  await scope.delete(resources.installation, name);
  await scope.untilGone(resources.installation, name);
}

function describeManifest(run: TourRun): void {
  const { files, name, data } = run.tour.manifest;

  it("a manifest deploys its ConfigMap and takes it away", async () => {
    const scope = await run.environment().namespace("manifest-tour");
    const { targetClient } = scope.environment;
    await applyFiles(run, scope, { paths: files });
    await scope.waitForPhase(name, "Succeeded");
    const key = { namespace: run.tour.targetNamespace, name };
    expect((await targetClient.get(kubeResources.configMap, key)).data).toEqual(data);
    await remove(scope, name);
    expect(await targetClient.find(kubeResources.configMap, key)).toBeUndefined();
  });
}

function describeToken(run: TourRun): void {
  const { files, constructor, name, secret, dataObject } = run.tour.token;

  describeUnless(noRegistry, describe)("a component's blueprint", () => {
    it("an export has the token that a controller fills in", async () => {
      await pushComponents(run, constructor);
      const scope = await run.environment().namespace("export-tour");
      const { targetClient } = scope.environment;
      await applyFiles(run, scope, { paths: files });
      await scope.waitForPhase(name, "Succeeded");
      const key = { namespace: run.tour.targetNamespace, name: secret };
      const deployed = await targetClient.get(kubeResources.secret, key);
      const token = Buffer.from(deployed.data?.["token"] ?? "", "base64").toString();
      expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(await scope.exported(dataObject)).toBe(token);
      await remove(scope, name);
      expect(await targetClient.find(kubeResources.secret, key)).toBeUndefined();
      await scope.untilGone(resources.dataObject, dataObject);
    }, 60_000);
  });
}

async function pushCharts(run: TourRun, place: string, isReal: boolean): Promise<void> {
  const { files, versions, name } = run.tour.chart;
  const [, , repository] = chartReference.exec(files.map((path) => read(run, path)).join("\n")) ?? [];
  if (repository === undefined) throw new Error(`${files.join(", ")}: expected a chart's reference, found none`);
  const folders = Object.entries(versions).map(([version, path]) => [version, join(run.folder, path)] as const);
  if (!isReal) {
    for (const [version, folder] of folders) {
      await pushChart({
        reference: `http://${place}/${repository}/${name}:${version}`,
        archive: await packFolder(folder),
      });
    }
    return;
  }
  const helm: RealHelm = createRealHelm(run.environment().targetKubeconfig, run.tour.targetNamespace);
  const scratch = mkdtempSync(join(tmpdir(), "landscaper-tour-"));
  try {
    for (const [version, folder] of folders) {
      await helm.run("package", folder, "--destination", scratch);
      const archive = join(scratch, `${basename(folder)}-${version}.tgz`);
      await helm.run("push", archive, `oci://${place}/${repository}`, "--plain-http");
    }
  } finally {
    helm.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function describeCharts(run: TourRun, isReal: boolean): void {
  const { name, first, files, upgrade, map, secret } = run.tour.chart;
  /** A path of its own: what another pusher has pushed is not looked at. */
  const place = (): string => `${run.registry()?.host ?? ""}/${isReal ? "by-helm" : "by-client"}`;
  beforeAll(async () => pushCharts(run, place(), isReal), 240_000);

  /** Applies files as they are, but for the registry's host. */
  const applyHere = async (scope: TestNamespace, paths: readonly string[]): Promise<void> => {
    await applyFiles(run, scope, { paths, edit: (content) => content.replace(chartReference, `${place()}/$2`) });
  };

  async function deployed(): Promise<unknown> {
    const { targetClient } = run.environment();
    const key = { namespace: run.tour.targetNamespace, name };
    const [foundMap, foundSecret] = await Promise.all([
      targetClient.find(kubeResources.configMap, key),
      targetClient.find(kubeResources.secret, key),
    ]);
    return { map: foundMap?.data, secret: foundSecret?.data };
  }

  it("the first version deploys its ConfigMap and takes it away", async () => {
    const scope = await run.environment().namespace("hello-tour");
    await applyHere(scope, first);
    await scope.waitForPhase(name, "Succeeded");
    expect(await deployed()).toEqual({ map, secret: undefined });
    await remove(scope, name);
    expect(await deployed()).toEqual({ map: undefined, secret: undefined });
  });

  it("the upgrade replaces the ConfigMap by a Secret (A18)", async () => {
    const scope = await run.environment().namespace("upgrade-tour");
    await applyHere(scope, files);
    await scope.waitForPhase(name, "Succeeded");
    expect(await deployed()).toEqual({ map, secret: undefined });
    await applyHere(scope, [upgrade]);
    await scope.waitForPhase(name, "Succeeded");
    expect(await deployed()).toEqual({ map: undefined, secret });
    await remove(scope, name);
    expect(await deployed()).toEqual({ map: undefined, secret: undefined });
  });
}

/** Applies a tour's examples on each cluster, with the services as processes. */
export function describeTour(title: string, folder: string, tour: Tour): void {
  describe.each(clustersUnderTest())(`${title} on %s`, (cluster) => {
    let environment: Environment;
    let registry: TestRegistry | undefined;
    const run: TourRun = { tour, folder, environment: () => environment, registry: () => registry };
    beforeAll(async () => {
      if (noRegistry === undefined) registry = await startTestRegistry();
      const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
      const configs = { "helm-deployer": { oci: { allowPlainHttp: true } } };
      environment = await startEnvironment({ cluster, services, configs });
      await ensureObject(environment.targetClient, kubeResources.namespace, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: tour.targetNamespace },
      });
    }, 120_000);
    afterAll(async () => {
      await environment?.stop();
      await registry?.stop();
    });

    describeManifest(run);
    describeToken(run);
    for (const { name, isReal, missing } of pushers) {
      const how = `charts that come into a registry by ${name}`;
      describeUnless(missing, describe)(how, () => describeCharts(run, isReal));
    }
  });
}
