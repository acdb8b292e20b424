// Makes what docker-compose.yml needs: images of the control plane, certificates, kubeconfigs; hands the services' images to docker.
// usage: npm run compose [-- --project FOLDER] [--images FOLDER] [--address ADDRESS] [--api-port N] [--nats-port N] [--registry-port N] [--dry-run]
import { existsSync, readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join, resolve } from "node:path";
import { findProgram } from "@landscaper/testkit";
import { parse } from "yaml";
import { readCommandLine } from "../../scripts/command-line.ts";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { runCommand } from "../../scripts/run-command.ts";
import { buildKubernetes } from "../cluster/binaries.ts";
import { composeServices, prepareCompose } from "./prepare.ts";

const root = join(import.meta.dirname, "../..");
const { values } = readCommandLine({
  usage: `usage: npm run compose [-- FLAGS]
  --project FOLDER     folder of docker-compose.yml; default: this repository
  --images FOLDER      folder of the archives of npm run images; default: dist/images
  --address ADDRESS    an IPv4 address of this machine; default: 127.0.0.1
  --api-port N         default: 6443
  --nats-port N        default: 4222
  --registry-port N    default: 5000
  --dry-run            checks flags and docker-compose.yml, lists the outputs and what is missing, and makes nothing`,
  options: {
    "dry-run": { type: "boolean", default: false },
    project: { type: "string", default: root },
    images: { type: "string", default: join(root, "dist/images") },
    address: { type: "string", default: "127.0.0.1" },
    "api-port": { type: "string", default: "6443" },
    "nats-port": { type: "string", default: "4222" },
    "registry-port": { type: "string", default: "5000" },
  },
});

function fail(message: string): never {
  console.error(`compose: ${message}`);
  process.exit(1);
}

function portOf(name: "api-port" | "nats-port" | "registry-port"): number {
  const port = Number(values[name]);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  return fail(`--${name}: expected a port, found "${values[name]}"`);
}

/** Programs that Debian has, by the packages that hold them. */
const debian = { etcd: "etcd-server", "nats-server": "nats-server", "docker-registry": "docker-registry" };

function findPrograms(): Record<string, string> {
  const kubernetes = ["kube-apiserver", "kube-controller-manager", "kubectl"];
  const takes = "once; about 8 minutes on 2 cores";
  const built = buildKubernetes({ programs: kubernetes, takes, announce: (line) => console.error(`compose: ${line}`) });
  if (typeof built !== "string") return fail(`${built.missing}; ${built.hint}`);
  const own = kubernetes.map((name) => [name, join(built, name)]);
  const others = Object.entries(debian).map(([name, holder]) => [
    name,
    findProgram(name) ?? fail(`there is no ${name} on this machine; install Debian's ${holder}`),
  ]);
  return Object.fromEntries([...own, ...others]) as Record<string, string>;
}

/** Returns the lines of a dry run: the files and images that a run would provide, and missing programs and images. */
function describeDryRun(project: string): readonly string[] {
  const { services } = parse(readFileSync(join(project, "docker-compose.yml"), "utf8"), { merge: true }) as {
    readonly services: Readonly<Record<string, unknown>>;
  };
  const absent = composeServices.filter((name) => !Object.hasOwn(services, name));
  if (absent.length > 0) fail(`docker-compose.yml: expected the service ${absent.join(", ")}, found none of this name`);
  const programs = Object.entries({ ...debian, skopeo: "skopeo" }).flatMap(([name, holder]) =>
    findProgram(name) === undefined ? [`missing: ${name}; install Debian's ${holder}`] : [],
  );
  const images = archives().flatMap(({ archive }) =>
    existsSync(archive) ? [] : [`missing: ${archive}; run: npm run images`],
  );
  return [
    `would make .compose and .env in ${project}`,
    `would load images of: ${composeServices.join(", ")}`,
    ...programs,
    ...images,
  ];
}

function archives(): readonly { readonly name: string; readonly archive: string }[] {
  return composeServices.map((name) => ({
    name,
    archive: resolve(values.images, `${name}-${machineArchitecture}.tar`),
  }));
}

/** Hands the images of `npm run images` to docker, as "landscaper/NAME:VERSION". */
function loadImages(version: string): void {
  const host = process.env["DOCKER_HOST"];
  const daemon = host === undefined ? [] : ["--dest-daemon-host", host];
  for (const { name, archive } of archives()) {
    if (!existsSync(archive)) fail(`${archive} is not there; run: npm run images`);
    const to = `docker-daemon:landscaper/${name}:${version}`;
    runCommand(["skopeo", "copy", "--quiet", "--insecure-policy", ...daemon, `oci-archive:${archive}`, to]);
  }
}

const { address } = values;
const project = resolve(values.project);
if (!existsSync(join(project, "docker-compose.yml"))) fail(`--project: there is no docker-compose.yml in ${project}`);
if (!isIPv4(address)) fail(`--address: expected an IPv4 address of this machine, found "${address}"`);
const ports = { api: portOf("api-port"), nats: portOf("nats-port"), registry: portOf("registry-port") };
if (values["dry-run"]) {
  for (const line of describeDryRun(project)) console.log(line);
  process.exit(0);
}
if (findProgram("skopeo") === undefined) fail("there is no skopeo on this machine; install Debian's skopeo");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const user = uid === 0 ? { uid: 65_532, gid: 65_532 } : { uid, gid };
try {
  prepareCompose({ root, project, programs: findPrograms(), address, ports, version, user });
  loadImages(version);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
console.log(`Made .compose and .env in ${project}. There:

  docker-compose up --build --detach
  export KUBECONFIG=${join(project, ".compose/kubeconfig")}

The kubeconfig of Targets is .compose/kubeconfigs/target, as the services reach the cluster.`);
