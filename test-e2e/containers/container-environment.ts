// The services with a container deployer on a real node, whose pods run the images of this checkout and a test's own programs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { productVersion } from "@landscaper/api";
import { findProgram, programAbsence } from "@landscaper/testkit";
import { provideBinaries } from "../cluster/binaries.ts";
import { toolsImage } from "../cluster/node-image.ts";
import { containerAbsence } from "../images/container.ts";
import { provideImages } from "../images/provided-images.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { nodeAbsence } from "../src/clusters/node-absence.ts";
import { harnessNamespace } from "../src/clusters/service-token.ts";
import { writeProgramImage } from "./program-image.ts";

/** Why no programs can be run on a node here; undefined when they can. */
export function programsAbsence(): string | undefined {
  return nodeAbsence() ?? containerAbsence() ?? programAbsence("flock");
}

/** Node, kubectl and busybox, with the programs of the test below /programs. */
export const programImage = "node.landscaper.test/programs:1";
export { toolsImage };

/** Where the pods are. */
export const hostNamespace = harnessNamespace;

export interface ContainerEnvironment {
  readonly environment: Environment;
  /** Configuration of the container deployer. */
  readonly configuration: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface ContainerEnvironmentOptions {
  /** Texts by file names below /programs of `programImage`. */
  readonly programs: Readonly<Record<string, string>>;
  /** Further fields of the deployer's configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Starts core and container deployer on a node that knows the deployer's images and `programImage`. */
export async function startContainerEnvironment(options: ContainerEnvironmentOptions): Promise<ContainerEnvironment> {
  const { images } = provideImages();
  const folder = mkdtempSync(join(tmpdir(), "landscaper-containers-"));
  const imageOf = (program: string): { readonly image: string } => ({
    image: `docker.io/landscaper/container-deployer-${program}:${productVersion}`,
  });
  const config = {
    namespace: hostNamespace,
    initContainer: imageOf("init"),
    waitContainer: imageOf("wait"),
    ...options.config,
  };
  const services = ["landscaper-core", "container-deployer"] as const;
  const environment = await startEnvironment({
    cluster: "real",
    services,
    node: true,
    configs: { "container-deployer": config },
  });
  const stop = async (): Promise<void> => {
    rmSync(folder, { recursive: true, force: true });
    await environment.stop();
  };
  try {
    const { node } = environment.hub;
    const binaries = provideBinaries(() => undefined);
    if (node === undefined || "missing" in binaries) throw new Error("the cluster has no node");
    for (const { name, file } of images.filter(({ name }) => name.startsWith("container-deployer-"))) {
      node.importImages(file, `docker.io/landscaper/${name}`);
    }
    const files = Object.entries(options.programs).map(([name, text]) => [`programs/${name}`, text] as const);
    const archive = writeProgramImage({
      folder,
      busybox: findProgram("busybox") ?? "",
      tar: findProgram("tar") ?? "",
      kubectl: binaries.kubectl,
      name: programImage,
      files: Object.fromEntries(files),
    });
    node.importImages(archive, programImage.replace(/:\w+$/, ""));
  } catch (error) {
    await stop();
    throw error;
  }
  return { environment, configuration: config, stop };
}
