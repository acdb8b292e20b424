import { stringify } from "yaml";
import { dataParameter, goTemplate } from "./inline-installation.ts";

const text = { type: "string" };

export interface ChainLink {
  readonly name: string;
  /** Names of the tracks that it imports; its own track is `combine` of them. */
  readonly after: readonly string[];
  /** Go template text; `.imports` has the tracks by name. */
  readonly combine: string;
}

/** A mock DeployItem that exports the combined track, and the export execution that passes it on. */
function linkBlueprint({ after, combine }: ChainLink): Record<string, unknown> {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Blueprint",
    imports: after.map((name) => dataParameter(name, text)),
    exports: [dataParameter("track", text)],
    deployExecutions: goTemplate(`
deployItems:
  - name: item
    type: landscaper.gardener.cloud/mock
    config:
      apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      export: { track: "${combine}" }
`),
    exportExecutions: goTemplate('exports: { track: {{ index .values.deployitems "item" "track" }} }\n'),
  };
}

/** An InstallationTemplate of the link; its track goes to the DataObject `track-<name>` of the parent's scope. */
function linkTemplate(link: ChainLink): Record<string, unknown> {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "InstallationTemplate",
    name: link.name,
    blueprint: { filesystem: { "blueprint.yaml": stringify(linkBlueprint(link)) } },
    imports: { data: link.after.map((name) => ({ name, dataRef: `track-${name}` })) },
    exports: { data: [{ name: "track", dataRef: `track-${link.name}` }] },
  };
}

/** A root blueprint of these sub-installations that exports the track of `last`. */
export function chainBlueprint(links: readonly ChainLink[], last: string): Record<string, unknown> {
  return {
    exports: [dataParameter("track", text)],
    subinstallations: links.map(linkTemplate),
    exportExecutions: goTemplate(`exports: { track: {{ index .values.dataobjects "track-${last}" }} }\n`),
  };
}
