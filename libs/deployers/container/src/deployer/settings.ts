import {
  parseByteQuantity,
  parseConfiguredDuration,
  type ContainerDeployerConfiguration,
  type PodResources,
  type Words,
} from "@landscaper/api";
import { readProxyVariables, type ProxyEnvironment } from "@landscaper/egress";
import { certificatesIn, type FindCertificates } from "@landscaper/oci";
import type { RegistryProxies } from "../contract/registry-proxies.ts";
import { checkPodMetadata } from "./pod/pod-metadata.ts";
import { parseAllowedImages, type AllowedImages } from "./registries/allowed-images.ts";

/** An image and how to start it; nothing of command and arguments: as the image says. */
export interface ContainerImage {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly imagePullPolicy: string;
}

/** init or wait. */
export interface OwnContainer extends ContainerImage {
  readonly resources: PodResources;
}

/** What the configuration file of the deployer says, as the deployer uses it. */
export interface ContainerSettings {
  readonly version: string;
  /** In the label `deployer-id`. */
  readonly identity: string;
  /** Of the host cluster. */
  readonly namespace: string;
  readonly init: OwnContainer;
  readonly wait: OwnContainer;
  /** Of items that name no image. */
  readonly main: ContainerImage;
  readonly allowedImages: AllowedImages;
  readonly pod: ContainerDeployerConfiguration["pod"];
  /** How long a container of a Pod may fail to start. */
  readonly startGraceMs: number;
  readonly stateBytes: number;
  readonly showsLogs: boolean;
  readonly debug: ContainerDeployerConfiguration["debug"];
  /** Pause between two sweeps; undefined = nothing is swept. */
  readonly sweepMs: number | undefined;
  readonly oci: { readonly allowPlainHttp: boolean; readonly insecureSkipVerify: boolean };
  readonly configFiles: readonly string[];
  /** Of `oci.certificatesPath`; undefined without it. */
  readonly certificates: FindCertificates | undefined;
  readonly egress: ContainerDeployerConfiguration["egress"];
  /** Proxy variables of the deployer, which init uses for registries. The values may contain passwords. */
  readonly proxies: RegistryProxies | undefined;
}

export interface SettingsOptions {
  readonly version: string;
  /** Of a deployer without `identity`. */
  readonly name: string;
  /** The shipped images of init and wait. */
  readonly images: { readonly init: string; readonly wait: string };
  /** Of the process. */
  readonly environment: ProxyEnvironment;
}

/** Throws LandscaperError that names the field. */
export function readSettings(
  configuration: ContainerDeployerConfiguration,
  options: SettingsOptions,
): ContainerSettings {
  const { identity, namespace, initContainer, waitContainer, defaultImage, garbageCollection, oci } = configuration;
  const { pod, debug, egress } = configuration;
  // A run would fail for it only on the host.
  parseByteQuantity(pod.sizeLimit, "pod.sizeLimit");
  checkPodMetadata(pod);
  return {
    version: options.version,
    identity: identity ?? options.name,
    namespace,
    init: { ...imageOf(initContainer, options.images.init), resources: initContainer.resources },
    wait: { ...imageOf(waitContainer, options.images.wait), resources: waitContainer.resources },
    main: imageOf(defaultImage, defaultImage.image),
    allowedImages: parseAllowedImages(configuration.allowedImages),
    pod,
    startGraceMs: parseConfiguredDuration(pod.startGrace, "pod.startGrace"),
    stateBytes: parseByteQuantity(configuration.state.maxSize, "state.maxSize"),
    showsLogs: configuration.logs === "on",
    debug,
    sweepMs: garbageCollection.disable ? undefined : garbageCollection.requeueTimeSeconds * 1000,
    oci: {
      allowPlainHttp: oci?.allowPlainHttp ?? false,
      insecureSkipVerify: oci?.insecureSkipVerify ?? false,
    },
    configFiles: oci?.configFiles ?? [],
    certificates: oci?.certificatesPath === undefined ? undefined : certificatesIn(oci.certificatesPath),
    egress,
    proxies: readProxyVariables(options.environment),
  };
}

type StartedImage = Partial<ContainerDeployerConfiguration["defaultImage"]>;

function imageOf(
  { image, command, args, imagePullPolicy = "IfNotPresent" }: StartedImage,
  shipped: string,
): ContainerImage {
  return {
    image: image === undefined || image === "" ? shipped : image,
    command: wordsOf(command),
    args: wordsOf(args),
    imagePullPolicy,
  };
}

function wordsOf(words: Words | undefined): readonly string[] {
  if (words === undefined || words === "") return [];
  return typeof words === "string" ? [words] : words;
}
