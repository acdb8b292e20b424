import type { InstallationTemplate } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import { findRing, ringText } from "../dependency-ring.ts";
import { referencedTargets } from "./target-map.ts";

/**
 * Orders subinstallations by their data flow, predecessors first; otherwise the given order stays (core.md §1.1 no. 5,
 * §4.9). Two exports of one name and rings are LandscaperErrors.
 */
export function orderSubinstallations(templates: readonly InstallationTemplate[]): InstallationTemplate[] {
  const predecessors = predecessorsOf(templates);
  const ring = findRing(predecessors);
  if (ring !== undefined) {
    // The graph leads from importer to exporter; the data flows the other way.
    throw blueprintError(
      "CyclicDependencies",
      `subinstallations need each other's exports in a ring: ${ringText(ring.toReversed())}`,
      {
        codes: ["ERR_CONFIGURATION_PROBLEM", "ERR_CYCLIC_DEPENDENCIES"],
      },
    );
  }
  const ordered: InstallationTemplate[] = [];
  const placed = new Set<string>();
  const waiting = [...templates];
  while (waiting.length > 0) {
    const next = waiting.findIndex(({ name }) => (predecessors.get(name) ?? []).every((other) => placed.has(other)));
    const [template] = waiting.splice(next, 1);
    if (template === undefined) break;
    placed.add(template.name);
    ordered.push(template);
  }
  return ordered;
}

/** Names of the siblings whose exports each template imports. */
export function predecessorsOf(templates: readonly InstallationTemplate[]): Map<string, readonly string[]> {
  const dataExporters = exportersOf(templates, "data", ({ exports }) =>
    (exports?.data ?? []).map((entry) => entry.dataRef),
  );
  const targetExporters = exportersOf(templates, "target", ({ exports }) =>
    (exports?.targets ?? []).flatMap((entry) => entry.target ?? []),
  );
  return new Map(
    templates.map(({ name, imports }) => {
      const data = (imports?.data ?? []).map((entry) => dataExporters.get(entry.dataRef ?? ""));
      const targets = (imports?.targets ?? []).flatMap(referencedTargets).map((target) => targetExporters.get(target));
      const names = [...data, ...targets].filter((exporter) => exporter !== undefined);
      return [name, [...new Set(names)]];
    }),
  );
}

function exportersOf(
  templates: readonly InstallationTemplate[],
  kind: string,
  referencesOf: (template: InstallationTemplate) => readonly string[],
): Map<string, string> {
  const exporters = new Map<string, string>();
  for (const template of templates) {
    for (const reference of referencesOf(template)) {
      const other = exporters.get(reference);
      if (other !== undefined) {
        const who = other === template.name ? `"${other}" twice` : `both "${other}" and "${template.name}"`;
        throw blueprintError("EnsureSubinstallations", `the ${kind} "${reference}" is exported by ${who}`);
      }
      exporters.set(reference, template.name);
    }
  }
  return exporters;
}
