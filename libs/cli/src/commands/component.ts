import type { CommandDefinition, CommandGroup, OptionDefinition } from "../command.ts";

const argument = {
  syntax: "[component]",
  description:
    "REPOSITORY//COMPONENT[:VERSION]; REPOSITORY is a registry with a path, or a transport or component archive: a folder, tar or tgz",
};
/** Logins and authority of registries. */
export const registryOptions: readonly OptionDefinition[] = [
  { syntax: "--registry-config <file>", description: "logins, in docker's form (default: Helm's and docker's own)" },
  { syntax: "--ca-file <file>", description: "PEM: certificate authority of the registry" },
];

const getCommand: CommandDefinition = {
  name: "get",
  summary: "print the descriptor of a component version",
  argument,
  options: [
    { syntax: "-o, --output <format>", description: "yaml (default) or json" },
    { syntax: "--schema <version>", description: "v2 or v3alpha1 (default: the one that it is stored in)" },
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-get.ts")).runGet,
};

const resourcesCommand: CommandDefinition = {
  name: "resources",
  summary: "list the resources of a component version",
  argument,
  options: registryOptions,
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
    { syntax: "--signature <name>", description: "name of the signature" },
    { syntax: "--public-key <file>", description: "PEM: key of the signer" },
    { syntax: "--ca <file>", description: "PEM: authority of the signer's certificate" },
    ...registryOptions,
  ],
  load: async () => (await import("../component/run-verify.ts")).runVerify,
};

/** `landscaper component ...`. */
export const componentCommands: CommandGroup = {
  name: "component",
  summary: "component versions of the Open Component Model",
  commands: [listCommand, getCommand, resourcesCommand, verifyCommand],
};
