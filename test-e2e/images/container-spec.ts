// How a kubelet starts a container under the profile `restricted`, as a configuration of runc
// (https://github.com/opencontainers/runtime-spec/blob/v1.0.2/config.md).
import type { ImageConfig } from "../../scripts/images/oci-archive.ts";

/** A file or folder of the host inside the container, read-only. */
export interface Mount {
  readonly from: string;
  readonly to: string;
}

export interface ContainerOptions {
  readonly image: ImageConfig["config"];
  /** Of the unpacked image. */
  readonly rootfs: string;
  /** Behind those of the image's entry point. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly mounts?: readonly Mount[];
  /** Whether there is a writable /tmp, as an emptyDir makes it. True by default. */
  readonly hasTmp?: boolean;
  readonly memoryMiB?: number | undefined;
  /** Path below each hierarchy of cgroups. */
  readonly cgroup: string;
}

const userOf = ({ User = "" }: ImageConfig["config"]): { uid: number; gid: number } => {
  const [uid = "", gid = ""] = User.split(":");
  if (!/^\d+$/.test(uid) || !/^\d+$/.test(gid)) throw new Error(`user of the image: expected UID:GID, found ${User}`);
  return { uid: Number(uid), gid: Number(gid) };
};

const hidden = ["/proc/acpi", "/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/sched_debug", "/sys/firmware"];
const fixed = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"];

/**
 * The image's user and entry point, a root that cannot be written, no capabilities and no way to get any. The network is that of the host, whose
 * loopback has the API server.
 */
export function containerSpec(options: ContainerOptions): unknown {
  const { image, rootfs, args, env = {}, mounts = [], hasTmp = true, memoryMiB, cgroup } = options;
  const kernel = (destination: string, type: string, ...options: string[]): unknown => ({
    destination,
    type,
    source: type,
    options: ["nosuid", "noexec", ...options],
  });
  return {
    ociVersion: "1.0.2",
    hostname: "container",
    root: { path: rootfs, readonly: true },
    process: {
      user: userOf(image),
      args: [...(image.Entrypoint ?? []), ...args],
      env: [...(image.Env ?? []), ...Object.entries(env).map(([name, value]) => `${name}=${value}`)],
      cwd: image.WorkingDir ?? "/",
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
    },
    mounts: [
      kernel("/proc", "proc", "nodev"),
      { destination: "/dev", type: "tmpfs", source: "tmpfs", options: ["nosuid", "mode=755", "size=65536k"] },
      kernel("/sys", "sysfs", "nodev", "ro"),
      kernel("/sys/fs/cgroup", "cgroup", "nodev", "ro"),
      ...(hasTmp ? [kernel("/tmp", "tmpfs", "nodev", "mode=1777")] : []),
      ...mounts.map(({ from, to }) => ({ destination: to, type: "bind", source: from, options: ["bind", "ro"] })),
    ],
    linux: {
      namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })),
      cgroupsPath: cgroup,
      resources: memoryMiB === undefined ? {} : { memory: { limit: memoryMiB * 1024 * 1024 } },
      maskedPaths: hidden,
      readonlyPaths: fixed,
    },
  };
}
