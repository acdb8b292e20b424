import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machineArchitecture } from "../../scripts/images/machine-architecture.ts";
import { runCommand } from "../../scripts/run-command.ts";

/** The one image of the node: busybox with its commands in /bin. Pods pull nothing. */
export const toolsImage = "node.landscaper.test/tools:1";
/** The same once more: its `sleep` keeps the namespaces of a pod as well as a program made for it. */
export const pauseImage = "node.landscaper.test/pause:1";

const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex");

export interface ImageOptions {
  /** Scratch; the archive stays there. */
  readonly folder: string;
  /** A busybox without shared libraries. */
  readonly busybox: string;
  readonly tar: string;
}

/** A filesystem with the names that it is known by. */
export interface ImageContents {
  /** Scratch; the archive stays there. */
  readonly folder: string;
  /** Its files become those of the image, all of root's. */
  readonly rootfs: string;
  readonly tar: string;
  /** With tags. */
  readonly names: readonly string[];
  /** Default: that of the machine. With it, each name is an index of one image for this architecture, as images for several have it. */
  readonly architecture?: string;
  readonly config: {
    readonly Env?: readonly string[];
    readonly Cmd?: readonly string[];
    readonly Entrypoint?: readonly string[];
  };
}

/** Makes both images as an OCI archive for `ctr images import`, without a registry. Answers its path. */
export function writeImages({ folder, busybox, tar }: ImageOptions): string {
  const rootfs = join(folder, "rootfs");
  writeTools(rootfs, busybox);
  const config = { Env: ["PATH=/bin"], Cmd: ["sleep", "infinity"] };
  return writeImageArchive({ folder, rootfs, tar, names: [toolsImage, pauseImage], config });
}

/** A filesystem with busybox, its commands in /bin, and a /tmp for all users. */
export function writeTools(rootfs: string, busybox: string): void {
  const bin = join(rootfs, "bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(rootfs, "tmp"), { recursive: true });
  // As everywhere: for all users. The mode that mkdir is given is cut by the umask.
  chmodSync(join(rootfs, "tmp"), 0o1777);
  mkdirSync(join(rootfs, "etc"), { recursive: true });
  copyFileSync(busybox, join(bin, "busybox"));
  for (const command of runCommand([busybox, "--list"]).trim().split("\n")) {
    if (command !== "busybox") symlinkSync("busybox", join(bin, command));
  }
  writeFileSync(join(rootfs, "etc/passwd"), "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n");
}

/** One image of one layer as an OCI archive. Answers its path. */
export function writeImageArchive(contents: ImageContents): string {
  const { folder, rootfs, tar, names, config: settings, architecture = machineArchitecture } = contents;
  const layout = join(folder, "layout");
  const blobs = join(layout, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const layerFile = join(folder, "layer.tar");
  const owners = ["--owner=0", "--group=0", "--numeric-owner"];
  runCommand([tar, "--create", "--file", layerFile, ...owners, "-C", rootfs, "."]);

  function addBlob(mediaType: string, data: Buffer): { mediaType: string; digest: string; size: number } {
    const hash = sha256(data);
    writeFileSync(join(blobs, hash), data);
    return { mediaType, digest: `sha256:${hash}`, size: data.length };
  }
  const addJson = (mediaType: string, value: unknown): ReturnType<typeof addBlob> =>
    addBlob(mediaType, Buffer.from(JSON.stringify(value)));
  const layer = addBlob("application/vnd.oci.image.layer.v1.tar", readFileSync(layerFile));
  const config = addJson("application/vnd.oci.image.config.v1+json", {
    architecture,
    os: "linux",
    config: settings,
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  });
  const manifest = addJson("application/vnd.oci.image.manifest.v1+json", { schemaVersion: 2, config, layers: [layer] });
  const indexOf = (platform: object) =>
    addJson("application/vnd.oci.image.index.v1+json", { schemaVersion: 2, manifests: [{ ...manifest, platform }] });
  const target = contents.architecture === undefined ? manifest : indexOf({ architecture, os: "linux" });
  const manifests = names.map((name) => ({
    ...target,
    annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name },
  }));
  writeFileSync(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const archive = join(folder, "images.tar");
  runCommand([tar, "--create", "--file", archive, "-C", layout, "."]);
  return archive;
}
