import { chmodSync, chownSync, copyFileSync, globSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createKubeconfig } from "@landscaper/testkit";
import { stringify } from "yaml";
import { parseLibraries } from "../../scripts/images/machine-base.ts";
import { tryCommand } from "../../scripts/run-command.ts";
import { createControlPlanePki, writeSecret } from "../cluster/pki.ts";
import { setupObjects } from "./setup-objects.ts";

export interface ComposeOptions {
  /** Of the repository. */
  readonly root: string;
  /** Where docker-compose.yml is; ".compose" and ".env" are made beside it. */
  readonly project: string;
  /** Paths of the programs that become images, by the images' names. */
  readonly programs: Readonly<Record<string, string>>;
  /** Where the API server, NATS and the registry are reached: an address of this machine. */
  readonly address: string;
  readonly ports: { readonly api: number; readonly nats: number; readonly registry: number };
  /** Of the images of the services. */
  readonly version: string;
  /** The user of all containers: numbers. Root hands the files to it; anybody else has to be it. */
  readonly user: { readonly uid: number; readonly gid: number };
}

/** Clients of the API server inside the network, each with an image and a certificate of its own. */
export const composeServices = [
  "landscaper-core",
  "manifest-deployer",
  "helm-deployer",
  "mock-deployer",
  "landscaper-agent",
] as const;
const masters = ["setup", "kube-controller-manager", "target"];
const insideUrl = "https://kube-apiserver:6443";

/** Makes the build context of one program's image. */
function writeContext(folder: string, { root, name, program }: { root: string; name: string; program: string }): void {
  const add = (from: string, to: string): void => {
    const file = join(folder, "rootfs", to);
    mkdirSync(join(file, ".."), { recursive: true });
    copyFileSync(realpathSync(from), file);
  };
  add(program, join("usr/local/bin", name));
  // ldd fails for a static program.
  for (const library of parseLibraries(tryCommand(["ldd", program]) ?? "")) add(library, library);
  copyFileSync(join(root, "k8s/compose/Dockerfile"), join(folder, "Dockerfile"));
}

/** Certificates and kubeconfigs. They are made anew each time; the data of etcd stays valid, but for tokens of ServiceAccounts. */
function writeCredentialsBelow(folder: string, { address, ports }: ComposeOptions): void {
  const pki = createControlPlanePki(join(folder, "pki"), ["kube-apiserver", "127.0.0.1", address]);
  const kubeconfig = (server: string, commonName: string, organizations: readonly string[]): string => {
    const user = pki.authority.issue({ commonName, organizations });
    return createKubeconfig({ name: "landscaper", server, ca: pki.caPem, user });
  };
  for (const name of composeServices) writeSecret(join(folder, "kubeconfigs", name), kubeconfig(insideUrl, name, []));
  for (const name of masters) {
    writeSecret(join(folder, "kubeconfigs", name), kubeconfig(insideUrl, name, ["system:masters"]));
  }
  writeSecret(join(folder, "kubeconfig"), kubeconfig(`https://${address}:${ports.api}`, "admin", ["system:masters"]));
}

/** Gives what containers read and write to their user. */
function handOver(folder: string, { uid, gid }: ComposeOptions["user"]): void {
  if (process.getuid?.() !== 0) return;
  for (const path of ["pki", "kubeconfigs", "setup", "data"]) {
    for (const file of [path, ...globSync(`${path}/**/*`, { cwd: folder })]) chownSync(join(folder, file), uid, gid);
  }
}

/** Writes everything that docker-compose.yml names. Data of an earlier run stays. */
export function prepareCompose(options: ComposeOptions): void {
  const { root, project, programs, address, ports, version, user } = options;
  const folder = join(project, ".compose");
  for (const name of ["images", "pki", "kubeconfigs", "setup"]) {
    rmSync(join(folder, name), { recursive: true, force: true });
    mkdirSync(join(folder, name), { recursive: true });
  }
  for (const name of ["etcd", "nats", "registry"]) mkdirSync(join(folder, "data", name), { recursive: true });
  for (const [name, program] of Object.entries(programs)) {
    writeContext(join(folder, "images", name), { root, name, program });
  }
  writeCredentialsBelow(folder, options);
  const objects = setupObjects().map((object) => stringify(object));
  writeFileSync(join(folder, "setup/objects.yaml"), objects.join("---\n"));
  handOver(folder, user);
  // Only its owner may look into the folder; containers see what is mounted.
  chmodSync(folder, 0o700);
  const settings = {
    LANDSCAPER_USER: `${user.uid}:${user.gid}`,
    LANDSCAPER_VERSION: version,
    LANDSCAPER_ADDRESS: address,
    LANDSCAPER_API_PORT: ports.api,
    LANDSCAPER_NATS_PORT: ports.nats,
    LANDSCAPER_REGISTRY_PORT: ports.registry,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(project, ".env"), `# Made by npm run compose, for docker-compose.yml.\n${lines.join("")}`);
}
