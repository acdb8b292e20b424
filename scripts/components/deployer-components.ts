import { globSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of the components: names are "landscaper.gardener.cloud/manifest-deployer". */
export const componentDomain = "landscaper.gardener.cloud";

const agent = "landscaper-agent";

/** Below the root of the repository: all deployers share one, the agent has its own. */
function blueprintFolderOf(service: string): string {
  return service === agent ? "k8s/components/agent-blueprint" : "k8s/components/blueprint";
}

/** What has a component: the deployers with a chart, and the agent. */
export function findServices(root: string): string[] {
  const charts = globSync(["k8s/charts/*-deployer/Chart.yaml", `k8s/charts/${agent}/Chart.yaml`], { cwd: root });
  return charts.map((file) => dirname(file).slice("k8s/charts/".length)).toSorted();
}

export const componentNameOf = (service: string): string => `${componentDomain}/${service}`;

export interface ConstructorOptions {
  readonly services: readonly string[];
  /** Names of all images: those of a service have its name, or begin with it. */
  readonly images: readonly string[];
  readonly version: string;
  /** HOST/PREFIX of the images. */
  readonly registry: string;
  /** Digest of the manifest of each image, such as "sha256:..."; without it the component names only the tag. */
  readonly imageDigests?: ReadonlyMap<string, string> | undefined;
  /** Paths as the constructor file has them, relative to it. */
  readonly paths: {
    /** Of the root of the repository. */
    readonly root: string;
    /** Has NAME-VERSION.tgz of each service. */
    readonly charts: string;
  };
}

/**
 * The constructor file of all services (docs/reference/components.md#component-archives-and-transfer): each component has its blueprint and its chart as
 * content, and its image by reference; images of programs that it starts in pods are the resources `image-NAME`.
 */
export function constructorOf(options: ConstructorOptions): object {
  return { components: options.services.map((service) => componentOf(service, options)) };
}

function componentOf(service: string, options: ConstructorOptions): object {
  const { version, paths } = options;
  const blueprint = {
    name: "blueprint",
    type: "landscaper.gardener.cloud/blueprint",
    input: {
      type: "dir",
      path: join(paths.root, blueprintFolderOf(service)),
      compress: true,
      mediaType: "application/vnd.gardener.landscaper.blueprint.v1+tar+gzip",
    },
  };
  const chart = {
    name: "chart",
    type: "helmChart",
    input: { type: "helm", path: join(paths.charts, `${service}-${version}.tgz`), version, repository: "chart" },
  };
  const programs = options.images.filter((image) => image.startsWith(`${service}-`));
  const images = [service, ...programs].map((image) => imageOf(image, image.replace(service, "image"), options));
  return {
    name: componentNameOf(service),
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
