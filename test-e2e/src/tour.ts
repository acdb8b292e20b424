import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Installation, KubeObject } from "@landscaper/api";
import { kubeResources, resources } from "@landscaper/api";
import { hasRegistryProgram, startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { findProgram } from "../cluster/binaries.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import type { Environment } from "./environment.ts";
import { startEnvironment } from "./environment.ts";
import { fillTemplate, indent, parseManifests } from "./manifests.ts";
import { packFolder } from "./pack-folder.ts";
import { pushChart } from "./push-chart.ts";
import { clustersUnderTest } from "./selected-clusters.ts";
import { ensureObject } from "./service-token.ts";
import type { TestNamespace } from "./test-namespace.ts";

/** Examples that a beginner applies one after the other; paths are in a folder, files with `${placeholders}`. */
export interface Tour {
  /** The namespace that the examples deploy into. */
  readonly targetNamespace: string;
  /** An Installation of one ConfigMap, both with this name. */
  readonly manifest: { readonly files: readonly string[]; readonly name: string; readonly data: object };
  /** An Installation that exports the token of a Secret to a DataObject. */
  readonly token: {
    readonly files: readonly string[];
    /** A folder that stands in for the component's blueprint. */
    readonly blueprint: string;
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

const noRegistry = hasRegistryProgram() ? "" : " (skipped: the program docker-registry is missing)";
const noHelm = findProgram("go") === undefined ? " (skipped: there is no Go to build helm with)" : "";
/** Who packs and pushes the charts, and why it does not. */
const pushers = [
  { name: "helm push", isReal: true, missing: noRegistry === "" ? noHelm : noRegistry },
  { name: "our own client", isReal: false, missing: noRegistry },
] as const;

/** A tour whose services run. */
interface TourRun {
  readonly tour: Tour;
  readonly folder: string;
  readonly environment: () => Environment;
}

/** A chart's reference in an Installation. */
const chartReference = /(?<=\bref: )([^/\s]+)\/(\S+)(?=\/[^/\s]+:)/;

function read({ folder }: TourRun, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

async function applyFiles(
  run: TourRun,
  scope: TestNamespace,
  { paths, edit = (text) => text }: { readonly paths: readonly string[]; readonly edit?: (text: string) => string },
): Promise<void> {
  const values = {
    namespace: scope.name,
    kubeconfig: indent(scope.environment.targetKubeconfig, 6),
    repoBaseUrl: "registry.example.test",
  };
  const objects = paths.flatMap((path) => parseManifests(fillTemplate(edit(read(run, path)), values)));
  await scope.apply(...objects.map((object) => withInlineBlueprint(run, object)));
}

/** An Installation of the tour's component with the blueprint of the tour's folder inline; any other object as it is. */
function withInlineBlueprint(run: TourRun, object: KubeObject): KubeObject {
  const installation = object as Installation; // the kind is asked for
  if (object.kind !== "Installation" || installation.spec.componentDescriptor === undefined) return object;
  const { componentDescriptor: _, ...spec } = installation.spec;
  const { blueprint } = run.tour.token;
  const files = readdirSync(join(run.folder, blueprint));
  const filesystem = Object.fromEntries(files.map((file) => [file, read(run, join(blueprint, file))]));
  const inlined: Installation = { ...installation, spec: { ...spec, blueprint: { inline: { filesystem } } } };
  return inlined;
}

async function remove(scope: TestNamespace, name: string): Promise<void> {
  await scope.delete(resources.installation, name);
  await scope.waitGone(resources.installation, name);
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
  const { files, name, secret, dataObject } = run.tour.token;

  it("an export has the token that a controller fills in", async () => {
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
    await scope.waitGone(resources.dataObject, dataObject);
  });
}

async function pushCharts(run: TourRun, host: string, isReal: boolean): Promise<void> {
  const { files, versions, name } = run.tour.chart;
  const [, , repository] = chartReference.exec(files.map((path) => read(run, path)).join("\n")) ?? [];
  if (repository === undefined) throw new Error(`${files.join(", ")}: expected a chart's reference, found none`);
  const folders = Object.entries(versions).map(([version, path]) => [version, join(run.folder, path)] as const);
  if (!isReal) {
    for (const [version, folder] of folders) {
      await pushChart({
        reference: `http://${host}/${repository}/${name}:${version}`,
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
      await helm.run("push", archive, `oci://${host}/${repository}`, "--plain-http");
    }
  } finally {
    helm.dispose();
    rmSync(scratch, { recursive: true, force: true });
  }
}

function describeCharts(run: TourRun, isReal: boolean): void {
  const { name, first, files, upgrade, map, secret } = run.tour.chart;
  let registry: TestRegistry;
  beforeAll(async () => {
    registry = await startTestRegistry();
    await pushCharts(run, registry.host, isReal);
  }, 240_000);
  afterAll(async () => registry?.stop());

  /** Applies files as they are, but for the registry's host. */
  const applyHere = async (scope: TestNamespace, paths: readonly string[]): Promise<void> => {
    await applyFiles(run, scope, { paths, edit: (text) => text.replace(chartReference, `${registry.host}/$2`) });
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
    const run: TourRun = { tour, folder, environment: () => environment };
    beforeAll(async () => {
      const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
      const configs = { "helm-deployer": { oci: { allowPlainHttp: true } } };
      environment = await startEnvironment({ cluster, services, configs });
      await ensureObject(environment.targetClient, kubeResources.namespace, {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: tour.targetNamespace },
      });
    }, 120_000);
    afterAll(async () => environment?.stop());

    describeManifest(run);
    describeToken(run);
    for (const { name, isReal, missing } of pushers) {
      const how = `charts that come into a registry by ${name}${missing}`;
      (missing === "" ? describe : describe.skip)(how, () => describeCharts(run, isReal));
    }
  });
}
