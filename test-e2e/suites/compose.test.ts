// docs/guide/compose.md, on a docker in a sandbox: the commands of the page, in a copy of what they read.
import { execFile } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { describeUnless, findProgram, waitFor } from "@landscaper/testkit";
import { parse } from "yaml";
import { findImages } from "../../scripts/images/image-list.ts";
import { startDockerDaemon, type DockerDaemon } from "../cluster/docker-daemon.ts";
import { nameOfRun, scratchRoot } from "../cluster/leftovers.ts";
import { provideNodeTools } from "../cluster/node-tools.ts";
import { cgroupRoot, createCgroups, removeCgroups } from "../cluster/pod-cgroups.ts";
import { startSandbox, type Sandbox } from "../cluster/sandbox.ts";
import { setupObjects } from "../compose/setup-objects.ts";
import { provideImages } from "../images/provided-images.ts";
import { nodeAbsence } from "../src/clusters/node-absence.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";

const root = join(import.meta.dirname, "../..");
const guide = readGuideExamples("compose.md");
const programs = ["dockerd", "docker", "docker-compose", "skopeo", "buildah", "nats-server", "docker-registry"];

/** Why this suite cannot run here; undefined when it can. */
function absence(): string | undefined {
  const missing = programs.find((name) => findProgram(name) === undefined);
  return missing === undefined ? nodeAbsence() : `compose: the program ${missing} is missing`;
}

interface Compose {
  readonly services: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe("docker-compose.yml", () => {
  const { services } = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true }) as Compose;

  it.each(Object.keys(services))("gives %s no privileges", (name) => {
    expect(services[name]).toMatchObject({
      user: expect.stringContaining("LANDSCAPER_USER"),
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
  });

  it("builds every image on the machine or takes one of `npm run images`", () => {
    const built = findImages(root).map((image) => `landscaper/${image.name}:\${LANDSCAPER_VERSION}`);
    const others = Object.values(services).filter(({ build }) => build === undefined);
    expect(others.map(({ image }) => image).filter((image) => !built.includes(image as string))).toEqual([]);
  });

  it("starts the agent with its profile alone", () => {
    const profiles = Object.entries(services).flatMap(([name, { profiles: own }]) =>
      own === undefined ? [] : [[name, own]],
    );
    expect(profiles).toEqual([["landscaper-agent", ["agent"]]]);
  });

  it("gives the rights of the agent for its Environment", () => {
    const texts = setupObjects().map((object) => JSON.stringify(object));
    expect(texts.filter((text) => text.includes("ENVIRONMENT"))).toEqual([]);
    expect(texts.filter((text) => text.includes('"landscaper:agent:deployer:default"'))).toHaveLength(1);
    expect(texts.filter((text) => text.includes('"landscaper:agent:secrets:default"'))).toHaveLength(1);
  });

  it("hands each service the kubeconfig of its own", () => {
    const mounts = Object.entries(services).flatMap(([name, { volumes = [] }]) =>
      (volumes as string[]).filter((volume) => volume.includes("/kubeconfigs")).map((volume) => [name, volume]),
    );
    expect(mounts.filter(([name, volume]) => volume?.includes(`/kubeconfigs/${name}:`) !== true)).toEqual([]);
    expect(mounts).toHaveLength(7);
  });
});

describeUnless(absence(), describe)("the guide to docker-compose", () => {
  const project = mkdtempSync(join(tmpdir(), "landscaper-compose-"));
  const name = nameOfRun();
  const scratch = join(scratchRoot, name);
  let sandbox: Sandbox;
  let docker: DockerDaemon;
  /** Folder of the archives. */
  let images: string;

  /** Runs a command in the project, with the network of the sandbox. */
  async function run(line: string): Promise<string> {
    const [command, ...args] = sandbox.inNetwork(["bash", "-c", line]);
    const { NODE_OPTIONS: _options, ...rest } = process.env;
    const env = { ...rest, DOCKER_HOST: docker.host, KUBECONFIG: join(project, ".compose/kubeconfig") };
    const options = { cwd: project, env, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
    const { stdout } = await promisify(execFile)(command, args, options).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`${line}: ${error.message}\n${error.stdout ?? ""}${error.stderr ?? ""}`);
      },
    );
    return stdout;
  }

  beforeAll(async () => {
    const tools = provideNodeTools(() => undefined);
    if ("missing" in tools) throw new Error(tools.missing);
    cpSync(join(root, "docker-compose.yml"), join(project, "docker-compose.yml"));
    cpSync(join(root, "k8s/compose"), join(project, "k8s/compose"), { recursive: true });
    mkdirSync(join(project, "bin"));
    writeFileSync(join(project, "bin/landscaper"), `#!/bin/sh\nexec "${join(root, "bin/landscaper")}" "$@"\n`, {
      mode: 0o755,
    });
    mkdirSync(join(project, "hello"));
    const [, blueprint = ""] =
      /<!-- example: blueprint -->\n```yaml\n([^]*?)```/.exec(
        readFileSync(join(root, "docs/guide/compose.md"), "utf8"),
      ) ?? [];
    writeFileSync(join(project, "hello/blueprint.yaml"), blueprint);
    mkdirSync(scratch);
    createCgroups(cgroupRoot, name);
    sandbox = await startSandbox(tools, scratch);
    docker = await startDockerDaemon({ sandbox, dockerd: findProgram("dockerd") ?? "", folder: scratch, cgroup: name });
    images = provideImages().folder;
    await run(
      `node ${join(root, "scripts/bootstrap.mjs")} test-e2e/compose/main.ts --project ${project} --images ${images}`,
    );
  }, 1_200_000);
  afterAll(async () => {
    await docker.stop();
    await sandbox.stop();
    await removeCgroups(cgroupRoot, name);
    for (const folder of [scratch, project]) rmSync(folder, { recursive: true, force: true });
  });

  it("starts all services, each under rights of its own", async () => {
    const [, , up = ""] = guide.commands("Start", [3]).flat();
    await run(up);
    await waitFor(
      async () => {
        const crds = await run("kubectl get crds --output name");
        const leases = await run("kubectl get leases --namespace ls-system --output name");
        return crds.includes("targetsyncs.landscaper") && leases.trim().split("\n").length >= 3;
      },
      { timeoutMs: 120_000 },
    );
  }, 300_000);

  it("installs a blueprint, and a deletion leaves nothing of it", async () => {
    const [[, install = "", get = ""] = [], [remove = ""] = []] = guide.commands("Install", [3, 1]);
    expect(await run(install)).toContain("installation/hello succeeded");
    expect(await run(`${get} --output jsonpath={.data}`)).toBe('{"greeting":"hello"}');
    await run(remove);
    const kinds = "installations,executions,deployitems,configmaps";
    expect(await run(`kubectl get ${kinds} --namespace default --output name`)).toBe("");
    await run("kubectl delete target/hello-cluster dataobject/hello-greeting secret/hello-cluster");
    const all = "dataobjects,targets,secrets,deployitems";
    // The core keeps the id of its landscaper cluster. The garbage collector asks for new kinds every 30 seconds.
    const left = async (): Promise<string> => await run(`kubectl get ${all} --all-namespaces --output name`);
    await waitFor(async () => (await left()).trim() === "secret/landscaper-hub-id");
  }, 240_000);

  it("has an agent by a profile, for the Environment default", async () => {
    const [[start = "", get = "", end = ""] = []] = guide.commands("An agent", [3]);
    await run(start);
    const reachable = `{.status.conditions[?(@.type=="Reachable")].status}`;
    const isServed = async (): Promise<boolean> =>
      (await run(`${get} default --ignore-not-found --output 'jsonpath=${reachable}'`)) === "True";
    await waitFor(isServed, { timeoutMs: 120_000 });
    await run(end);
    const names = await run("docker-compose --profile agent ps --services");
    expect(names).toContain("landscaper-core");
    expect(await run("docker ps --all --format '{{.Names}}'")).not.toContain("agent");
  }, 240_000);

  it("keeps its data when all of it is stopped and prepared anew", async () => {
    await run("kubectl create configmap kept");
    const [[logs = "", down = ""] = []] = guide.commands("Look inside, stop, start again", [2]);
    expect(await run(logs)).toContain('"name":"landscaper-core"');
    await run(down);
    await run(
      `node ${join(root, "scripts/bootstrap.mjs")} test-e2e/compose/main.ts --project ${project} --images ${images}`,
    );
    await run("docker-compose up --build --detach");
    const found = await waitFor(async () => run("kubectl get configmap kept --output name"), { timeoutMs: 120_000 });
    expect(found).toBe("configmap/kept\n");
    await run(down);
  }, 300_000);

  it("keeps keys from others: what is mounted belongs to the user of the containers", () => {
    const open = globSync(".compose/{pki,kubeconfigs}/*", { cwd: project }).filter((file) => {
      const { mode, uid } = statSync(join(project, file));
      return (mode & 0o077) !== 0 || uid !== 65_532;
    });
    expect(open).toEqual([]);
    expect(statSync(join(project, ".compose")).mode & 0o077).toBe(0);
  });
});
