import {
  parseByteQuantity,
  type ContainerDeployerConfiguration,
  type HelperContainer,
  type Words,
} from "@landscaper/api";
import { certificatesIn, type FindCertificates } from "@landscaper/oci";
import { parseAllowedImages, type AllowedImages } from "./registries/allowed-images.ts";

/** An image and how to start it; nothing of command and arguments: as the image says. */
export interface ContainerImage {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly imagePullPolicy: string;
}

/** What the configuration file of the deployer says, as the deployer uses it. */
export interface ContainerSettings {
  readonly version: string;
  /** In the label `deployer-id`. */
  readonly identity: string;
  /** Of the host cluster. */
  readonly namespace: string;
  readonly init: ContainerImage;
  readonly wait: ContainerImage;
  /** Of items that name no image. */
  readonly main: ContainerImage;
  readonly allowedImages: AllowedImages;
  readonly pod: ContainerDeployerConfiguration["pod"];
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
}

export interface SettingsOptions {
  readonly version: string;
  /** Of a deployer without `identity`. */
  readonly name: string;
  /** The shipped images of init and wait. */
  readonly images: { readonly init: string; readonly wait: string };
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
  return {
    version: options.version,
    identity: identity ?? options.name,
    namespace,
    init: imageOf(initContainer, options.images.init),
    wait: imageOf(waitContainer, options.images.wait),
    main: imageOf(defaultImage, defaultImage.image),
    allowedImages: parseAllowedImages(configuration.allowedImages),
    pod,
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
  };
}

function imageOf(
  { image, command, args, imagePullPolicy = "IfNotPresent" }: HelperContainer,
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
