// Components and blueprints in a folder, and `landscaper install` of them beside a played core, for tests.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "@jest/globals";
import { kubeResources, resources, type Installation, type KubeObject, type ResourceType } from "@landscaper/api";
import { newFolder } from "@landscaper/components/testing";
import { createKubeconfig } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "./cluster.ts";
import { failure } from "./objects.ts";
import { beginJob } from "./play-job.ts";
import { runProgram, type Outcome, type RunOptions } from "./program.ts";

/** Of the kubeconfig: no output may have it. */
export const token = "t0ken-of-the-target";

/** The component that has a blueprint with imports of all sorts. */
export const app = "example.com/shop/app";

export interface InstallFolder {
  readonly cluster: TestCluster;
  /** Of the archive of `app`. */
  readonly place: string;
  /** Words that give `app` all that it needs. */
  readonly wanted: readonly string[];
  file(name: string): string;
  /** Resolves to the path. */
  write(name: string, text: string): string;
  /** The folder is "@" in the outcome. */
  install(words: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Installs while the core is played: one job, which ends in the phase. */
  installTo(
    phase: string,
    job: { readonly name: string; readonly jobID: string; readonly error?: string },
    words: readonly string[],
  ): Promise<Outcome>;
  find(name: string): Promise<Installation>;
  /** KIND/NAME of all that the command can write. */
  listObjects(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const blueprint = `
apiVersion: landscaper.gardener.cloud/v1alpha1
kind: Blueprint
imports:
  - { name: cluster, type: target, targetType: landscaper.gardener.cloud/kubernetes-cluster }
  - { name: version, type: data, schema: { type: string } }
  - { name: settings, type: data, schema: { $ref: "cd://componentReferences/part/resources/schema" } }
  - { name: note, type: data, required: false, schema: {} }
`;

const constructor = `components:
  - name: example.com/shop/part
    version: 1.0.0
    provider: { name: example.com }
    resources:
      - name: schema
        type: landscaper.gardener.cloud/jsonschema
        input: { type: utf8, mediaType: application/json, text: '{"type": "object", "required": ["size"]}' }
  - name: example.com/shop/app
    version: 1.0.0
    provider: { name: example.com }
    resources:
      - name: blueprint
        type: landscaper.gardener.cloud/blueprint
        input: { type: dir, path: blueprint, compress: true, mediaType: application/vnd.gardener.landscaper.blueprint.v1+tar+gzip }
    componentReferences:
      - { name: part, componentName: example.com/shop/part, version: 1.0.0 }
`;

/** Components that cannot stand in an Installation, or have no one blueprint. */
const others = `components:
  - name: example.com/shop/bare
    version: 1.0.0
    provider: { name: example.com }
  - name: example.com/shop/two
    version: 1.0.0
    provider: { name: example.com }
    resources:
      - { name: one, type: blueprint, input: { type: dir, path: plain } }
      - { name: other, type: blueprint, input: { type: dir, path: plain } }
  - name: example.com/shop/charted
    version: 1.0.0
    provider: { name: example.com }
    resources:
      - { name: blueprint, type: blueprint, input: { type: dir, path: plain } }
      - { name: chart, type: helmChart, version: 0.1.0, input: { type: helm, path: chart } }
      - { name: image, type: blob, input: { type: binary, data: /w== } }
`;

const plainBlueprint = "imports: [{ name: value, type: data, schema: {} }]\n";

export async function createInstallFolder(): Promise<InstallFolder> {
  const folder = newFolder();
  const file = (name: string): string => join(folder, name);
  const write = (name: string, text: string): string => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
    return file(name);
  };
  const cluster = await startTestCluster("ns");
  write("blueprint/blueprint.yaml", blueprint);
  write("plain/blueprint.yaml", plainBlueprint);
  write("plain/texts/note.txt", "a note\n");
  write("chart/Chart.yaml", "apiVersion: v2\nname: web\nversion: 0.1.0\n");
  write("constructor.yaml", constructor);
  write("others.yaml", others);
  const server = "https://target.example.test";
  write("target.yaml", createKubeconfig({ name: "target", server, ca: "", user: { token } }));
  for (const name of ["constructor", "others"]) {
    const create = ["component", "create", "--constructor", file(`${name}.yaml`), "--ctf", file(`${name}-ctf`)];
    expect(await runProgram(create, { environment: { HOME: folder } })).toMatchObject({ stderr: "", exitCode: 0 });
  }
  const install: InstallFolder["install"] = async (words, options = {}) => {
    const environment = { HOME: folder };
    const { stdout, stderr, exitCode } = await runProgram(["install", ...words, ...cluster.flags], {
      environment,
      ...options,
    });
    expect(`${stdout}${stderr}`).not.toMatch(new RegExp(`${token}|${btoa(token).slice(0, 12)}`));
    return { stdout: stdout.replaceAll(folder, "@"), stderr: stderr.replaceAll(folder, "@"), exitCode };
  };
  return {
    cluster,
    place: `${file("constructor-ctf")}//${app}`,
    wanted: [
      "--target",
      `cluster=${file("target.yaml")}`,
      "--import",
      "version=1.10",
      "--import",
      "settings={size: 3}",
    ],
    file,
    write,
    install,
    installTo: async (phase, { name, jobID, error }, words) => {
      const played = beginJob(cluster, name, jobID);
      let ended: Promise<unknown> | undefined;
      const outcome = await install(words, {
        onWrite: (text) => {
          if (!text.endsWith(`${name}: Progressing\n`)) return;
          const problem = error === undefined ? {} : failure("Test", error);
          ended ??= cluster.setStatus(resources.installation, name, { phase, jobIDFinished: jobID, ...problem });
        },
      });
      await Promise.all([played, ended]);
      return outcome;
    },
    find: async (name) => await cluster.client.get(resources.installation, { namespace: "ns", name }),
    listObjects: async () => {
      const list = async <T extends KubeObject>(type: ResourceType<T>): Promise<readonly string[]> => {
        const { items } = await cluster.client.list(type, { namespace: "ns" });
        return items.map(({ metadata }) => `${type.kind}/${metadata.name}`);
      };
      const { context, target, dataObject, installation } = resources;
      const lists = [list(context), list(target), list(dataObject), list(kubeResources.secret), list(installation)];
      return (await Promise.all(lists)).flat();
    },
    remove: async () => {
      await cluster.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
