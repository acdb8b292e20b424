import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface ControlPlaneBinaries {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  readonly kubectl: string;
}

/** Why there is no real control plane on this machine, and what to do about it. */
export interface MissingBinaries {
  readonly missing: string;
  readonly hint: string;
}

/** Finds a program on PATH, and where Debian keeps daemons. */
export function findProgram(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  const folders = [...path.split(delimiter), "/usr/sbin", "/usr/local/bin", "/usr/local/go/bin"];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

const etcdHint = "install Debian's etcd-server (apt-get install etcd-server), or name an etcd on PATH";
const goHint =
  "install Go 1.25 or newer (https://go.dev/dl), which builds the pinned Kubernetes in about 8 minutes, once";

/**
 * etcd from the machine, Kubernetes built from test-e2e/cluster/go.mod and cached per go.sum.
 * `announce` is told before a build that takes minutes.
 */
export function provideBinaries(announce: (line: string) => void): ControlPlaneBinaries | MissingBinaries {
  const etcd = findProgram("etcd");
  if (etcd === undefined) return { missing: "there is no etcd on this machine", hint: etcdHint };
  if (findProgram("bash") === undefined) return { missing: "there is no bash on this machine", hint: "install bash" };
  const script = join(import.meta.dirname, "build.sh");
  const cached = spawnSync("bash", [script, "--cached"], { encoding: "utf8" });
  if (cached.status !== 0 && findProgram("go") === undefined) {
    return { missing: "there is no Go on this machine", hint: goHint };
  }
  if (cached.status !== 0) announce("building Kubernetes v1.34.1 (once; about 8 minutes on 2 cores) ...");
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin` };
  const built = cached.status === 0 ? cached : spawnSync("bash", [script], { encoding: "utf8", env });
  if (built.status !== 0) {
    const reason = built.stderr.trim().split("\n").slice(-8).join("\n");
    return {
      missing: `the build of Kubernetes failed: ${reason}`,
      hint: "run test-e2e/cluster/build.sh to see all of it",
    };
  }
  const folder = built.stdout.trim();
  return {
    etcd,
    apiServer: join(folder, "kube-apiserver"),
    controllerManager: join(folder, "kube-controller-manager"),
    kubectl: join(folder, "kubectl"),
  };
}
