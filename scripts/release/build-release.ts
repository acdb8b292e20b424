import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { chartArtifact } from "@landscaper/components";
import { loadChartArchive } from "@landscaper/helm";
import { packCharts } from "../charts/pack-charts.ts";
import { buildDeployerComponents } from "../components/build-components.ts";
import { componentNameOf, findServices } from "../components/deployer-components.ts";
import { buildImages } from "../images/build-images.ts";
import { findImages } from "../images/image-list.ts";
import { runCommand } from "../run-command.ts";
import type { SourceState } from "../images/source-state.ts";
import { parseChangelog } from "./changelog.ts";
import { writeChecksums } from "./checksums.ts";
import { checkArchive, imageArtifact, type ImageArchive } from "./image-artifact.ts";
import { packFolder } from "./pack-folder.ts";
import type { ReleaseContent } from "./publish-release.ts";
import { referenceOf, type ReleaseArtifact } from "./release-artifact.ts";

export interface BuildReleaseOptions {
  /** Of the repository, whose commit is that of the version. */
  readonly root: string;
  readonly version: string;
  /** HOST/PREFIX */
  readonly registry: string;
  /** Of the images. */
  readonly architectures: readonly string[];
  /** Folder with NAME-ARCH.tar and NAME-ARCH.cdx.json, in place of a build. */
  readonly images?: string | undefined;
  readonly state: SourceState & { readonly revision: string };
  /** Gets the files of the release. Images of this commit that are there are not built again. */
  readonly folder: string;
  /** Empty; of this call. */
  readonly work: string;
  readonly announce: (line: string) => void;
}

/** Builds what is published: images, charts and components. Throws an error that names what is wrong. */
export async function buildContent(options: BuildReleaseOptions): Promise<ReleaseContent> {
  const { root, version, registry, folder, work, announce } = options;
  for (const name of globSync("*", { cwd: folder, exclude: ["images"] }))
    rmSync(join(folder, name), { recursive: true });
  const archives = provideImages(options);
  const names = new Set(archives.map(({ name }) => name));
  const place = { registry, version, folder: join(work, "images") };
  const images = [...names].map((name) =>
    imageArtifact(
      name,
      archives.filter((archive) => archive.name === name),
      place,
    ),
  );
  announce("packing charts and components");
  const charts = await buildCharts(options);
  const imageDigests = new Map(images.map((image) => [basename(image.repository), image.manifest.digest]));
  const output = join(work, "components");
  await buildDeployerComponents({ root, output, version, registry, imageDigests, charts: join(work, "charts") });
  const ctf = join(output, "ctf");
  await packFolder(ctf, join(folder, `components-${version}.tgz`), "");
  const artifacts = [...images, ...charts];
  const components = findServices(root).map(componentNameOf);
  const references = [...artifacts.map(referenceOf), ...components.map((name) => `${registry}//${name}:${version}`)];
  writeFileSync(join(folder, "references.txt"), `${references.join("\n")}\n`);
  return { registry, version, artifacts, ctf, components };
}

/** Copies or builds the archives of all images. */
function provideImages(options: BuildReleaseOptions): ImageArchive[] {
  const { root, version, folder, images, architectures, state, announce } = options;
  const outdir = join(folder, "images");
  mkdirSync(outdir, { recursive: true });
  const labels = { version, revision: state.revision };
  const archives: ImageArchive[] = [];
  for (const architecture of architectures) {
    const missing = findImages(root).filter(({ name }) => {
      const archive = { name, architecture, file: join(outdir, `${name}-${architecture}.tar`) };
      archives.push(archive);
      if (images !== undefined) copyArchive(archive, { from: images, to: outdir });
      return images === undefined && !isBuilt(archive, labels);
    });
    if (missing.length > 0) {
      const cache = join(root, ".cache/images");
      buildImages({ root, cache, outdir, images: missing, architecture, version, state, announce });
    }
  }
  for (const archive of archives) checkArchive(archive, labels);
  return archives;
}

function copyArchive({ name, architecture }: ImageArchive, { from, to }: { from: string; to: string }): void {
  for (const ending of ["tar", "cdx.json"]) {
    const file = `${name}-${architecture}.${ending}`;
    if (!existsSync(join(from, file))) throw new Error(`--images: expected ${file} in ${from}, found none`);
    copyFileSync(join(from, file), join(to, file));
  }
}

function isBuilt(archive: ImageArchive, labels: Parameters<typeof checkArchive>[1]): boolean {
  if (!existsSync(archive.file) || !existsSync(archive.file.replace(/tar$/, "cdx.json"))) return false;
  try {
    checkArchive(archive, labels);
    return true;
  } catch {
    // Of another commit, or half written.
    return false;
  }
}

async function buildCharts(options: BuildReleaseOptions): Promise<ReleaseArtifact[]> {
  const { root, registry, folder, work } = options;
  const packed = join(work, "charts");
  await packCharts({ root, output: packed, imagePrefix: `${registry}/` });
  mkdirSync(join(folder, "charts"), { recursive: true });
  const artifacts: ReleaseArtifact[] = [];
  for (const file of globSync("*.tgz", { cwd: packed }).toSorted()) {
    copyFileSync(join(packed, file), join(folder, "charts", file));
    const archive = readFileSync(join(packed, file));
    const { metadata } = await loadChartArchive(archive);
    const { name, version } = metadata;
    artifacts.push({
      ...chartArtifact({ name, version, metadata, archive }),
      repository: `${registry}/charts/${name}`,
    });
  }
  return artifacts;
}

/** Adds what is not pushed: packages, the command, the CRDs, what is new, and at the end the checksums of all files. */
export async function completeFolder(options: BuildReleaseOptions): Promise<void> {
  const { root, version, folder, work, announce } = options;
  announce("packing packages and the command");
  runCommand([process.execPath, join(root, "scripts/packages.ts")], { cwd: root });
  mkdirSync(join(folder, "packages"), { recursive: true });
  for (const file of globSync("*.tgz", { cwd: join(root, "dist/packages") })) {
    copyFileSync(join(root, "dist/packages", file), join(folder, "packages", file));
  }
  const command = join(work, "command");
  const build = [join(root, "scripts/build.ts"), "landscaper", "--outdir", command, "--no-source-maps"];
  runCommand([process.execPath, ...build], { cwd: root });
  copyFileSync(join(root, "LICENSE"), join(command, "LICENSE"));
  await packFolder(command, join(folder, `landscaper-${version}.tgz`), `landscaper-${version}`);
  const crds = globSync("crds/*.yaml", { cwd: root }).toSorted();
  writeFileSync(
    join(folder, "crds.yaml"),
    crds.map((file) => `---\n${readFileSync(join(root, file), "utf8")}`).join(""),
  );
  const { sections } = parseChangelog(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  const { body = "" } = sections.find((section) => section.version === version) ?? {};
  writeFileSync(join(folder, "release-notes.md"), `${body}\n`);
  await writeChecksums(folder);
}
