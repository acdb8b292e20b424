// Measures the size of the images, the first reconcile of a service in a container, and its idle memory, each with an absolute budget. The services
// start as their charts start them, with 512 MiB, on the real API server and with work waiting for them. Medians of the rounds count.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { productVersion } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { type BuiltImage, buildImages } from "../../../scripts/images/build-images.ts";
import { machineArchitecture } from "../../../scripts/images/machine-architecture.ts";
import { findImages } from "../../../scripts/images/image-list.ts";
import { unpackArchive } from "../../../scripts/images/oci-archive.ts";
import { readSourceState } from "../../../scripts/images/source-state.ts";
import { type ImageService, startImageService } from "../../images/image-service.ts";
import { provideImages } from "../../images/provided-images.ts";
import { type ServiceName, serviceNames } from "../../src/services/service-process.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";
import { createNamespace } from "../measure/create-namespace.ts";
import { listOverBudget } from "../measure/judge-figures.ts";
import { percentile } from "../measure/percentile.ts";
import { createWaitingWork, isTouched } from "./waiting-work.ts";

export interface ImageMeasure {
  readonly name: string;
  readonly compressedMiB: number;
  /** Of services: from the start of runc until the first reconcile has written; median of the rounds. */
  readonly firstReconcileSeconds?: number;
  /** Of services: resident set of the process without work, the pages of Node's own file included; median of the rounds. */
  readonly idleMiB?: number;
}

export interface ImagesBenchmark {
  readonly images: readonly ImageMeasure[];
  readonly misses: readonly string[];
}

export interface ImagesOptions {
  readonly rounds: number;
  /** Whether the bench uses images that suites have built, and reads memory without waiting for garbage collection after the start. */
  readonly isShort: boolean;
  readonly announce: (line: string) => void;
}

/** At most, of each image. */
export const budgets = { compressedMiB: 60, firstReconcileSeconds: 2.5, idleMiB: 140, idleMockMiB: 110 };
/** Until caches of the start are collected. */
const settleMs = 15_000;
const memoryMiB = 512;
const mebibyte = 1024 * 1024;

/** Returns one line per figure over its budget. */
export function listImageMisses(images: readonly ImageMeasure[]): string[] {
  return listOverBudget(
    images.flatMap(({ name, compressedMiB, firstReconcileSeconds, idleMiB }) => [
      [`compressed MiB of ${name}`, compressedMiB, budgets.compressedMiB] as const,
      ...(firstReconcileSeconds === undefined
        ? []
        : [
            [
              `seconds to the first reconcile of ${name}`,
              firstReconcileSeconds,
              budgets.firstReconcileSeconds,
            ] as const,
          ]),
      ...(idleMiB === undefined
        ? []
        : [
            [
              `MiB of ${name} without work`,
              idleMiB,
              name === "mock-deployer" ? budgets.idleMockMiB : budgets.idleMiB,
            ] as const,
          ]),
    ]),
  );
}

/** VmRSS of a process (Linux), in MiB. */
function residentMiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

interface Bench extends ImagesOptions {
  readonly cluster: TestCluster;
  readonly folder: string;
}

interface Started {
  readonly service: ImageService;
  readonly seconds: number;
}

/** Starts a service that finds work waiting, until its first reconcile has written. */
async function startWithWork({ cluster, folder }: Bench, image: BuiltImage, round: number): Promise<Started> {
  const name = image.name as ServiceName;
  const namespace = await createNamespace(cluster, `images-${name}-${round}`);
  const work = await createWaitingWork(cluster.client, namespace, name);
  const service = await startImageService({
    name,
    image: image.config.config,
    rootfs: join(folder, "rootfs", name),
    folder: mkdtempSync(join(folder, "run-")),
    kubeconfig: cluster.kubeconfig,
    namespace,
    memoryMiB,
  });
  try {
    await waitFor(async () => isTouched(cluster.client, work), {
      intervalMs: 10,
      evenly: true,
      describe: () => `${name} does not work: ${service.log()}`,
    });
    return { service, seconds: (performance.now() - service.startedAt) / 1000 };
  } catch (error) {
    await service.remove();
    throw error;
  }
}

async function measureService(bench: Bench, image: BuiltImage): Promise<ImageMeasure> {
  const rootfs = join(bench.folder, "rootfs", image.name);
  mkdirSync(rootfs, { recursive: true });
  unpackArchive(image, rootfs);
  const seconds: number[] = [];
  const idle: number[] = [];
  for (let round = 1; round <= bench.rounds; round++) {
    bench.announce(`${image.name}: start ${round} of ${bench.rounds}`);
    const started = await startWithWork(bench, image, round);
    try {
      seconds.push(started.seconds);
      if (!bench.isShort) await sleep(settleMs);
      idle.push(residentMiB(started.service.pid));
      started.service.signal("SIGTERM");
      await started.service.child.whenEnded;
    } finally {
      await started.service.remove();
    }
  }
  const compressedMiB = image.compressedBytes / mebibyte;
  return {
    name: image.name,
    compressedMiB,
    firstReconcileSeconds: percentile(seconds, 0.5),
    idleMiB: percentile(idle, 0.5),
  };
}

/** Starts the services among the images in containers beside the real API server. */
async function measureImages(built: readonly BuiltImage[], options: ImagesOptions): Promise<ImagesBenchmark> {
  const folder = mkdtempSync(join(tmpdir(), "landscaper-images-"));
  const cluster = await startTestCluster("real");
  try {
    const images: ImageMeasure[] = [];
    for (const image of built) {
      const isService = serviceNames.some((name) => name === image.name);
      images.push(
        isService
          ? await measureService({ ...options, cluster, folder }, image)
          : { name: image.name, compressedMiB: image.compressedBytes / mebibyte },
      );
    }
    return { images, misses: listImageMisses(images) };
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds all images, and measures them. */
export async function benchImages(options: ImagesOptions): Promise<ImagesBenchmark> {
  // Uses the images that the suites have built if their sources are the same.
  if (options.isShort) return await measureImages(provideImages().images, options);
  const root = join(import.meta.dirname, "../../..");
  const built = buildImages({
    root,
    cache: join(root, ".cache/images"),
    outdir: join(root, "dist/images"),
    images: findImages(root),
    architecture: machineArchitecture,
    version: productVersion,
    state: readSourceState(root, process.env),
    announce: options.announce,
  });
  return await measureImages(built, options);
}
