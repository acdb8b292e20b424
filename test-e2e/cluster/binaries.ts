import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { findProgram } from "@landscaper/testkit";
import { kubernetesVersion } from "./kubernetes-version.ts";

export interface ControlPlaneBinaries {
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  readonly kubectl: string;
}

/** Why something that runs elsewhere does not on this machine, and what to do about it. */
export interface MissingBinaries {
  readonly missing: string;
  readonly hint: string;
}

const etcdHint = "install Debian's etcd-server (apt-get install etcd-server), or name an etcd on PATH";
const goHint =
  "install Go 1.25 or newer (https://go.dev/dl), which builds the pinned Kubernetes in about 8 minutes, once";

/** Command that builds the programs. */
export const buildHint = "npm test -- --all-tools";

/** Returns false if the run must use the Go programs of earlier builds, as `npm test` does on a developer's machine. */
export function mayBuildTools(env: Readonly<Record<string, string | undefined>>): boolean {
  return env["E2E_BUILD"] !== "never";
}

export interface KubernetesBuild {
  readonly programs: readonly string[];
  /** For people who wait, e.g. "once; about 8 minutes on 2 cores". */
  readonly takes: string;
  /** Is told before a build that takes minutes. */
  readonly announce: (line: string) => void;
}

/** The folder with programs of Kubernetes, built from test-e2e/cluster/go.mod and cached per go.sum. */
export function buildKubernetes({ programs, takes, announce }: KubernetesBuild): string | MissingBinaries {
  if (findProgram("bash") === undefined) return { missing: "there is no bash on this machine", hint: "install bash" };
  const script = join(import.meta.dirname, "build.sh");
  const cached = spawnSync("bash", [script, "--cached", ...programs], { encoding: "utf8" });
  if (cached.status === 0) return cached.stdout.trim();
  if (!mayBuildTools(process.env)) return { missing: `${programs.join(", ")} are not built`, hint: buildHint };
  if (findProgram("go") === undefined) return { missing: "there is no Go on this machine", hint: goHint };
  announce(`building ${programs.join(", ")} ${kubernetesVersion} (${takes}) ...`);
  const env = { ...process.env, PATH: `${process.env["PATH"] ?? ""}${delimiter}/usr/local/go/bin` };
  const built = spawnSync("bash", [script, ...programs], { encoding: "utf8", env });
  if (built.status === 0) return built.stdout.trim();
  const reason = built.stderr.trim().split("\n").slice(-8).join("\n");
  return {
    missing: `the build of Kubernetes failed: ${reason}`,
    hint: `run test-e2e/cluster/build.sh ${programs.join(" ")} to see all of it`,
  };
}

/** etcd from the machine, the rest built once. */
export function provideBinaries(announce: (line: string) => void): ControlPlaneBinaries | MissingBinaries {
  const etcd = findProgram("etcd");
  if (etcd === undefined) return { missing: "there is no etcd on this machine", hint: etcdHint };
  const programs = ["kube-apiserver", "kube-controller-manager", "kubectl"];
  const folder = buildKubernetes({ programs, takes: "once; about 8 minutes on 2 cores", announce });
  if (typeof folder !== "string") return folder;
  return {
    etcd,
    apiServer: join(folder, "kube-apiserver"),
    controllerManager: join(folder, "kube-controller-manager"),
    kubectl: join(folder, "kubectl"),
  };
}
