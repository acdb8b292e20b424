import type { CommandDefinition } from "../command.ts";
import { registryOptions } from "./component.ts";
import { rawOption } from "../output/raw-option.ts";

/** `landscaper render`: what a blueprint makes of its imports, without a cluster. */
export const renderCommand: CommandDefinition = {
  name: "render",
  summary: "print the deploy items, sub-installations and exports that a blueprint renders, without a cluster",
  argument: { syntax: "[folder]", description: "folder with blueprint.yaml, as --blueprint" },
  options: [
    { syntax: "--blueprint <folder>", description: "folder with blueprint.yaml (default: that of the Installation)" },
    { syntax: "--installation <file>", description: "manifest of an Installation: what is imported and exported" },
    {
      syntax: "-f, --imports <file...>",
      description:
        "manifests of DataObjects, Targets, Secrets and ConfigMaps; or YAML with data: {NAME: VALUE}, targets: {NAME: {type, config}}, mappings: {NAME: TEMPLATE}",
      isList: true,
    },
    {
      syntax: "--exports <file>",
      description:
        "what is there when exports are rendered: YAML with deployItems: {NAME: VALUE}, dataObjects: {NAME: VALUE}, targets: {NAME: {type, config}}",
    },
    {
      syntax: "--name <name>",
      description: "name of the Installation (default: that of the manifest, else installation)",
    },
    { syntax: "-n, --namespace <name>", description: "its namespace (default: that of the manifest, else default)" },
    {
      syntax: "--repository <repository>",
      description:
        "where components are that the Installation names without repositoryContext: a registry with a path, or a file or folder (default: none)",
    },
    ...registryOptions,
    { syntax: "--show-secrets", description: "print what derives from Secrets and Targets instead of [...]" },
    rawOption,
  ],
  load: async () => (await import("../render/run-render.ts")).runRender,
};
