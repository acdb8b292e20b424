import { globSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of the components: names are "landscaper.gardener.cloud/manifest-deployer". */
export const componentDomain = "landscaper.gardener.cloud";

/** The blueprint that all deployers share, below the root of the repository. */
export const blueprintFolder = "k8s/components/blueprint";

/** The deployers that have a component: those with a chart. */
export function findDeployers(root: string): string[] {
  const charts = globSync("k8s/charts/*-deployer/Chart.yaml", { cwd: root });
  return charts.map((file) => dirname(file).slice("k8s/charts/".length)).toSorted();
}

export const componentNameOf = (deployer: string): string => `${componentDomain}/${deployer}`;

export interface ConstructorOptions {
  readonly deployers: readonly string[];
  /** Names of all images: those of a deployer have its name, or begin with it. */
  readonly images: readonly string[];
  readonly version: string;
  /** HOST/PREFIX of the images. */
  readonly registry: string;
  /** Digest of the manifest of each image, such as "sha256:..."; without it the component names only the tag. */
  readonly imageDigests?: ReadonlyMap<string, string> | undefined;
  /** Paths as the constructor file has them, relative to it. */
  readonly paths: {
    readonly blueprint: string;
    /** Has NAME-VERSION.tgz of each deployer. */
    readonly charts: string;
  };
}

/**
 * The constructor file of all deployers (docs/reference/components.md#component-archives-and-transfer): each component has the shared blueprint and its
 * chart as content, and its image by reference; images of programs that it starts in pods are the resources `image-NAME`.
 */
export function constructorOf(options: ConstructorOptions): object {
  return { components: options.deployers.map((deployer) => componentOf(deployer, options)) };
}

function componentOf(deployer: string, options: ConstructorOptions): object {
  const { version, paths } = options;
  const blueprint = {
    name: "blueprint",
    type: "landscaper.gardener.cloud/blueprint",
    input: {
      type: "dir",
      path: paths.blueprint,
      compress: true,
      mediaType: "application/vnd.gardener.landscaper.blueprint.v1+tar+gzip",
    },
  };
  const chart = {
    name: "chart",
    type: "helmChart",
    input: { type: "helm", path: join(paths.charts, `${deployer}-${version}.tgz`), version, repository: "chart" },
  };
  const programs = options.images.filter((image) => image.startsWith(`${deployer}-`));
  const images = [deployer, ...programs].map((image) => imageOf(image, image.replace(deployer, "image"), options));
  return {
    name: componentNameOf(deployer),
    version,
    provider: { name: componentDomain },
    resources: [blueprint, chart, ...images],
  };
}

function imageOf(image: string, name: string, { version, registry, imageDigests }: ConstructorOptions): object {
  const digest = imageDigests?.get(image);
  const reference = `${registry}/${image}:${version}`;
  return {
    name,
    type: "ociImage",
    version,
    access: { type: "ociArtifact", imageReference: digest === undefined ? reference : `${reference}@${digest}` },
    ...(digest === undefined ? {} : { digest: artifactDigest(digest) }),
  };
}

function artifactDigest(digest: string): object {
  return {
    hashAlgorithm: "SHA-256",
    normalisationAlgorithm: "ociArtifactDigest/v1",
    value: digest.slice(digest.indexOf(":") + 1),
  };
}
