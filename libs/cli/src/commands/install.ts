import { clusterOptions } from "../cluster-options.ts";
import type { CommandDefinition } from "../command.ts";
import { registryOptions } from "./component.ts";

/** `landscaper install`: from a component version or a local folder to a finished Installation. */
export const installCommand: CommandDefinition = {
  name: "install",
  summary: "install a component version or a local blueprint, and follow the job to its end",
  argument: {
    syntax: "<source>",
    description:
      "REPOSITORY//COMPONENT[:VERSION]; or a folder with blueprint.yaml; or an archive of one component: a folder, tar or tgz",
  },
  options: [
    { syntax: "--name <name>", description: "name of the Installation (default: last part of the component's name)" },
    { syntax: "--blueprint <name>", description: "resource of the component (default: its only blueprint)" },
    {
      syntax: "--import <name=value>",
      description: "value of a data import: JSON or YAML, for a schema of type string the text itself; NAME=@FILE",
      isList: true,
    },
    {
      syntax: "--target <name=kubeconfig>",
      description: "kubeconfig file for a target import; several times for a list, NAME.KEY=FILE for a map",
      isList: true,
    },
    {
      syntax: "--export <name[=object]>",
      description: "export of the blueprint, and the DataObject or Target for it (default: INSTALLATION-NAME)",
      isList: true,
    },
    {
      syntax: "--context <name>",
      description: "Context to use as it is (default: the Context default if it fits, else one of its own)",
    },
    {
      syntax: "--repository-context <repository>",
      description: "where the services find the component, if that is not the repository of the source",
    },
    { syntax: "--push <registry>", description: "copy a component of an archive there first, with its artifacts" },
    { syntax: "--dry-run", description: "print the objects, without what Secrets hold, and write nothing" },
    { syntax: "--timeout <duration>", description: 'give up after, such as "90s" or "1h30m" (default: never)' },
    ...clusterOptions,
    ...registryOptions,
  ],
  load: async () => (await import("../install/run-install.ts")).runInstall,
};
