// The image for arm64 is assembled on another architecture; here its Node runs once, under QEMU.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { productVersion } from "@landscaper/api";
import { createKubeconfig, describeUnless, findProgram, programAbsence } from "@landscaper/testkit";
import { type BuiltImage, buildImages } from "../../scripts/images/build-images.ts";
import { findImages } from "../../scripts/images/image-list.ts";
import { unpackArchive } from "../../scripts/images/oci-archive.ts";
import { runCommand } from "../../scripts/run-command.ts";
import { containerAbsence } from "../images/container.ts";
import { firstLogLine } from "../src/services/first-log-line.ts";

const root = join(import.meta.dirname, "../..");
const qemu = "qemu-aarch64-static";
const absence = ["apt-get", "dpkg-deb", "chroot", qemu].map((name) => programAbsence(name)).find(Boolean);

interface Sbom {
  readonly components: readonly { readonly purl: string }[];
}

describeUnless(containerAbsence() ?? absence, describe)("an image for arm64", () => {
  let folder: string;
  let image: BuiltImage;
  let rootfs: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-images-"));
    const [built] = buildImages({
      root,
      cache: join(root, ".cache/images"),
      storage: join(folder, "storage"),
      outdir: join(folder, "out"),
      images: findImages(root).filter(({ name }) => name === "mock-deployer"),
      architecture: "arm64",
      version: productVersion,
      state: { epoch: 1_700_000_000 },
      announce: () => undefined,
    });
    if (built === undefined) throw new Error("no image was built");
    image = built;
    rootfs = join(folder, "rootfs");
    mkdirSync(rootfs);
    unpackArchive(image, rootfs);
    copyFileSync(findProgram(qemu) ?? qemu, join(rootfs, "qemu"));
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("says so, and lists the libraries of that architecture", () => {
    expect(image.config.architecture).toBe("arm64");
    // e_machine of an ELF file: EM_AARCH64.
    expect(readFileSync(join(rootfs, "usr/local/bin/node")).readUInt16LE(18)).toBe(183);
    const { components } = JSON.parse(readFileSync(image.sbom, "utf8")) as Sbom;
    const debian = components.filter(({ purl }) => purl.startsWith("pkg:deb/"));
    expect(debian.map(({ purl }) => purl.replace(/@[^?]*/, ""))).toEqual([
      "pkg:deb/debian/libc6?arch=arm64",
      "pkg:deb/debian/libgcc-s1?arch=arm64",
      "pkg:deb/debian/libstdc%2B%2B6?arch=arm64",
      "pkg:deb/debian/ca-certificates?arch=all",
    ]);
  });

  it("has all that its Node needs to start a service", async () => {
    const inside = [rootfs, "/qemu", "/usr/local/bin/node"] as const;
    const chroot = findProgram("chroot") ?? "chroot";
    expect(runCommand([chroot, ...inside, "--version"])).toBe(`${process.version}\n`);
    // Nobody answers at this port: the line that tells of the configuration comes before the first request.
    const kubeconfig = createKubeconfig({ name: "nobody", server: "http://127.0.0.1:1", user: { token: "none" } });
    writeFileSync(join(rootfs, "kubeconfig"), kubeconfig);
    const [, ...entrypoint] = image.config.config.Entrypoint ?? [];
    const args = [
      ...inside,
      ...entrypoint,
      "--metrics-port=0",
      "--kubeconfig=/kubeconfig",
      "--lease-namespace=default",
    ];
    const { text } = await firstLogLine(chroot, args);
    expect(JSON.parse(text.split("\n")[0] ?? "")).toMatchObject({
      name: "mock.deployer.landscaper.gardener.cloud",
      msg: "the configuration is valid; starting",
    });
  });
});
