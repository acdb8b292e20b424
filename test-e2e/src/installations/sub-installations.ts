// Sub-installations of a root: their templates, and the objects that come of them.
import type { Installation } from "@landscaper/api";
import { annotations, labels, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { blueprintYaml } from "./inline-installation.ts";
import type { TestNamespace } from "../namespaces/test-namespace.ts";

/** An InstallationTemplate with its blueprint inline; the other fields as they are. */
export function subInstallationTemplate({
  blueprint,
  ...fields
}: {
  readonly name: string;
  /** Fields of its blueprint.yaml. */
  readonly blueprint: Readonly<Record<string, unknown>>;
  readonly imports?: Readonly<Record<string, unknown>>;
  readonly importDataMappings?: Readonly<Record<string, unknown>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}): Record<string, unknown> {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "InstallationTemplate",
    blueprint: { filesystem: { "blueprint.yaml": blueprintYaml(blueprint) } },
    ...fields,
  };
}

/** Sub-installations of a root by the name of their template. */
export async function subInstallations(scope: TestNamespace, root: string): Promise<Map<string, Installation>> {
  const items = await scope.list(resources.installation, `${labels.encompassedBy}=${root}`);
  return new Map(items.map((item) => [item.metadata.annotations?.[annotations.subinstallationName] ?? "", item]));
}

/** Name of the sub-installation of a template, when it is there: a root may be Progressing before. */
export async function waitForSubInstallation(scope: TestNamespace, root: string, template: string): Promise<string> {
  const find = async () => (await subInstallations(scope, root)).get(template)?.metadata.name;
  return waitFor(find, { intervalMs: 50 });
}
