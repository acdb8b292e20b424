import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runTool } from "./run-tool.ts";

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

/** Makes both images as an OCI archive for `ctr images import`, without a registry. Answers its path. */
export function writeImages({ folder, busybox, tar }: ImageOptions): string {
  const bin = join(folder, "rootfs/bin");
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(folder, "rootfs/tmp"));
  // As everywhere: for all users. The mode that mkdir is given is cut by the umask.
  chmodSync(join(folder, "rootfs/tmp"), 0o1777);
  mkdirSync(join(folder, "rootfs/etc"));
  copyFileSync(busybox, join(bin, "busybox"));
  for (const command of runTool(busybox, ["--list"]).trim().split("\n")) {
    if (command !== "busybox") symlinkSync("busybox", join(bin, command));
  }
  writeFileSync(join(folder, "rootfs/etc/passwd"), "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n");
  const layout = join(folder, "layout");
  const blobs = join(layout, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const layerFile = join(folder, "layer.tar");
  runTool(tar, [
    "--create",
    "--file",
    layerFile,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "-C",
    join(folder, "rootfs"),
    ".",
  ]);

  function addBlob(mediaType: string, data: Buffer): { mediaType: string; digest: string; size: number } {
    const hash = sha256(data);
    writeFileSync(join(blobs, hash), data);
    return { mediaType, digest: `sha256:${hash}`, size: data.length };
  }
  const addJson = (mediaType: string, value: unknown): ReturnType<typeof addBlob> =>
    addBlob(mediaType, Buffer.from(JSON.stringify(value)));
  const layer = addBlob("application/vnd.oci.image.layer.v1.tar", readFileSync(layerFile));
  const config = addJson("application/vnd.oci.image.config.v1+json", {
    architecture: { x64: "amd64" }[process.arch as string] ?? process.arch,
    os: "linux",
    config: { Env: ["PATH=/bin"], Cmd: ["sleep", "infinity"] },
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  });
  const manifest = addJson("application/vnd.oci.image.manifest.v1+json", { schemaVersion: 2, config, layers: [layer] });
  const manifests = [toolsImage, pauseImage].map((name) => ({
    ...manifest,
    annotations: { "io.containerd.image.name": name, "org.opencontainers.image.ref.name": name },
  }));
  writeFileSync(join(layout, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  const archive = join(folder, "images.tar");
  runTool(tar, ["--create", "--file", archive, "-C", layout, "."]);
  return archive;
}
