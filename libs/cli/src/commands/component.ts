import type { CommandDefinition, CommandGroup, OptionDefinition } from "../command.ts";
import { rawOption } from "../output/raw-option.ts";
import { registryTimeoutOption } from "../registries/registry-wait.ts";
import { tokenRealmOption } from "../registries/token-realms.ts";

const component = "REPOSITORY//COMPONENT[:VERSION]";
const argument = {
  syntax: "[component]",
  description: `${component}; REPOSITORY is a registry with a path, or a transport or component archive: a folder, tar or tgz`,
};
/** Logins and authority of registries. */
export const registryOptions: readonly OptionDefinition[] = [
  { syntax: "--registry-config <file>", description: "logins, in docker's form (default: Helm's and docker's own)" },
  { syntax: "--ca-file <file>", description: "PEM: certificate authority of the registry" },
  tokenRealmOption,
  registryTimeoutOption,
];

/** `--signature`, for those that make or check one. */
const signatureOption: OptionDefinition = { syntax: "--signature <name>", description: "name of the signature" };
/** `--overwrite`, for those that write. */
const overwriteOption = (description: string): OptionDefinition => ({ syntax: "--overwrite", description });

const selector = "NAME[,key=value]: name, and version or extra identity";

const getCommand: CommandDefinition = {
  name: "get",
  summary: "print the descriptor of a component version",
  argument,
  options: [
    { syntax: "-o, --output <format>", description: "yaml (default) or json" },
    { syntax: "--schema <version>", description: "v2 or v3alpha1 (default: the one that it is stored in)" },
    rawOption,
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-get.ts")).runGet,
};

const createCommand: CommandDefinition = {
  name: "create",
  summary: "build the component versions of a constructor file, in the folder of a common transport format",
  argument: { syntax: "[variables...]", description: "NAME=VALUE: variables of the constructor file" },
  options: [
    { syntax: "--constructor <file>", description: "constructor file; paths in it are relative to its folder" },
    { syntax: "-o, --ctf <folder>", description: "output folder; created if missing" },
    { syntax: "--schema <version>", description: "schema of the descriptors: v2 (default) or v3alpha1" },
    { syntax: "--version <version>", description: "version of components without one" },
    { syntax: "--settings <file>", description: "variables: YAML, or lines NAME=VALUE; repeatable", isList: true },
    { syntax: "--addenv", description: "use environment variables, too" },
    { syntax: "--templater <name>", description: "how variables are replaced: subst (default), go, spiff or none" },
    {
      syntax: "--image <name=path>",
      description: "OCI layout or archive of an image that inputs of type docker name; repeatable",
      isList: true,
    },
    overwriteOption("replace existing versions"),
    {
      syntax: "--skip-external-digests",
      description: "omit digests that need a request to a registry or Helm repository; signing adds them",
    },
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-create.ts")).runCreate,
};

const resourcesCommand: CommandDefinition = {
  name: "resources",
  summary: "list the resources of a component version",
  argument,
  options: [{ syntax: "--resource <name>", description: `${selector}: only these` }, ...registryOptions],
  load: async () => (await import("../component/run-resources.ts")).runResources,
};

const listCommand: CommandDefinition = {
  name: "list",
  summary: "list the versions of a component, or the components of an archive",
  argument: { syntax: "[repository]", description: "REPOSITORY//COMPONENT, or the path of an archive" },
  options: registryOptions,
  load: async () => (await import("../component/run-list.ts")).runList,
};

const verifyCommand: CommandDefinition = {
  name: "verify",
  summary: "check a signature, and all that it covers: references and content",
  argument,
  options: [
    signatureOption,
    { syntax: "--public-key <file>", description: "PEM: key of the signer" },
    { syntax: "--ca <file>", description: "PEM: authority of the signer's certificate" },
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-verify.ts")).runVerify,
};

const signCommand: CommandDefinition = {
  name: "sign",
  summary: "sign a component version where it lies, with the digests of all that it refers to",
  argument: {
    syntax: "[component]",
    description: `${component}; REPOSITORY is a registry with a path, or the folder of a transport archive`,
  },
  options: [
    signatureOption,
    { syntax: "--private-key <file>", description: "PEM: RSA key of the signer, without a passphrase" },
    { syntax: "--certificate <file>", description: "PEM: certificate of the key, with those of its authorities" },
    { syntax: "--algorithm <name>", description: "RSASSA-PKCS1-V1_5 (default) or RSASSA-PSS" },
    { syntax: "--hash <name>", description: "SHA-256 (default) or SHA-512" },
    { syntax: "--normalisation <name>", description: "jsonNormalisation/v1, /v2 or /v3 (default)" },
    overwriteOption("replace a signature of that name"),
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-sign.ts")).runSign,
};

const transferOptions: readonly OptionDefinition[] = [
  { syntax: "--recursive", description: "with all component versions that it refers to" },
  { syntax: "--copy-resources", description: "with the artifacts of registries that its resources name" },
  overwriteOption("replace a different version that is there already"),
  ...registryOptions,
];

const transferCommand: CommandDefinition = {
  name: "transfer",
  summary: "copy a component version into another repository",
  argument: {
    syntax: "[places...]",
    description: `${component}, and the REPOSITORY to copy to: a registry, or the folder of a transport archive`,
  },
  options: transferOptions,
  load: async () => (await import("../component/run-transfer.ts")).runTransfer,
};

const pushCommand: CommandDefinition = {
  name: "push",
  summary: "copy a component version into a registry",
  argument: { syntax: "[places...]", description: `${component}, and a registry with a path` },
  options: transferOptions,
  load: async () => (await import("../component/run-transfer.ts")).runPush,
};

const downloadCommand: CommandDefinition = {
  name: "download",
  summary: "write the content of a resource into a file or folder",
  argument,
  options: [
    { syntax: "--resource <name>", description: selector },
    { syntax: "-o, --output <path>", description: "file to write, - for stdout, or folder with --unpack" },
    { syntax: "--unpack", description: "write the files of the archive that the resource is" },
    overwriteOption("replace a file that is there"),
    rawOption,
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-download.ts")).runDownload,
};

/** `landscaper component ...`. */
export const componentCommands: CommandGroup = {
  name: "component",
  summary: "component versions of the Open Component Model",
  commands: [
    listCommand,
    getCommand,
    resourcesCommand,
    verifyCommand,
    createCommand,
    signCommand,
    transferCommand,
    pushCommand,
    downloadCommand,
  ],
};
