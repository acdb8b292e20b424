import { existsSync } from "node:fs";
import { findProgram } from "@landscaper/testkit";
import { runCommand } from "../run-command.ts";

/** A program that tests start, and the Debian package that contains it. */
export interface Tool {
  /** Name of the program, or absolute paths of which one must exist. */
  readonly program: string | readonly string[];
  readonly debian: string;
}

/** Programs that suites of services need: without one of them, CI fails. */
export const neededTools: readonly Tool[] = [
  { program: "etcd", debian: "etcd-server" },
  { program: "nats-server", debian: "nats-server" },
  { program: "docker-registry", debian: "docker-registry" },
];

/** Programs that suites of nodes, images and charts need: without one of them, these suites are skipped with the reason. */
export const furtherTools: readonly Tool[] = [
  { program: "skopeo", debian: "skopeo" },
  { program: "containerd", debian: "containerd" },
  { program: "runc", debian: "runc" },
  { program: "nft", debian: "nftables" },
  { program: "ip", debian: "iproute2" },
  { program: "busybox", debian: "busybox-static" },
  { program: "promtool", debian: "prometheus" },
  { program: "buildah", debian: "buildah" },
  { program: "dockerd", debian: "docker.io" },
  { program: "docker-compose", debian: "docker-compose" },
  { program: "qemu-aarch64-static", debian: "qemu-user-static" },
  { program: ["/usr/lib/cni/bridge", "/opt/cni/bin/bridge"], debian: "containernetworking-plugins" },
];

const isInstalled = ({ program }: Tool): boolean =>
  typeof program === "string" ? findProgram(program) !== undefined : program.some((path) => existsSync(path));

/** Returns the Debian packages of the tools that are missing, each once. Pure. */
export function listMissingPackages(tools: readonly Tool[], has: (tool: Tool) => boolean): readonly string[] {
  return [...new Set(tools.filter((tool) => !has(tool)).map(({ debian }) => debian))];
}

function aptGet(...args: readonly string[]): void {
  runCommand(["apt-get", ...args], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}

const install = (packages: readonly string[]): void => aptGet("install", "-y", "--no-install-recommends", ...packages);

/**
 * Installs the tools that this machine lacks with apt-get, which needs root. `announce` gets a line for each step, and a warning if a further tool
 * cannot be installed. Throws if a needed tool cannot be installed.
 */
export function installTools(announce: (line: string) => void): void {
  const needed = listMissingPackages(neededTools, isInstalled);
  const further = listMissingPackages(furtherTools, isInstalled);
  if (findProgram("go") === undefined) {
    announce(
      "warning: Go is missing: install Go 1.26 or newer (https://go.dev/dl) to build the real control plane and engines",
    );
  }
  if (needed.length + further.length === 0) return;
  announce(`installing ${[...needed, ...further].join(" ")} ...`);
  aptGet("update");
  if (needed.length > 0) install(needed);
  if (further.length === 0) return;
  try {
    install(further);
  } catch (error) {
    announce(
      `warning: the suites that need them are skipped: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
