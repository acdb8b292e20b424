import type { UnstructuredObject } from "@landscaper/api";
import { listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { labelRequirements } from "../selectors/match-label-selector.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import type { PrinterColumn } from "./printer-column.ts";

const base = { type: "string", format: "", description: "", priority: 0 } as const;

export const serviceColumns: readonly PrinterColumn[] = [
  nameColumn,
  { ...base, name: "Type", cell: (service) => stringAt(service, "spec", "type") },
  { ...base, name: "Cluster-IP", cell: (service) => stringAt(service, "spec", "clusterIP") || "<none>" },
  { ...base, name: "External-IP", cell: externalAddress },
  { ...base, name: "Port(s)", cell: ports },
  ageColumn,
  {
    ...base,
    name: "Selector",
    priority: 1,
    cell: (service) => formatSelector({ matchLabels: recordAt(service, "spec", "selector") }),
  },
];

function externalAddress(service: UnstructuredObject): string {
  const type = stringAt(service, "spec", "type");
  if (type === "ExternalName") return stringAt(service, "spec", "externalName");
  const addresses = listAt(service, "status", "loadBalancer", "ingress").map(
    (ingress) => stringAt(ingress, "ip") || stringAt(ingress, "hostname"),
  );
  const all = [...addresses, ...listAt(service, "spec", "externalIPs")];
  if (all.length > 0) return all.join(",");
  return type === "LoadBalancer" ? "<pending>" : "<none>";
}

function ports(service: UnstructuredObject): string {
  const texts = listAt(service, "spec", "ports").map((port) => {
    const nodePort = numberAt(port, "nodePort");
    return `${numberAt(port, "port") ?? 0}${nodePort === undefined ? "" : `:${nodePort}`}/${stringAt(port, "protocol")}`;
  });
  return texts.join(",") || "<none>";
}

/** "a=b,c in (d,e)", as kubectl prints selectors. */
export function formatSelector(selector: unknown): string {
  const texts = labelRequirements(selector).map(({ key, operator, values }) => {
    switch (operator) {
      case "In":
        return values.length === 1 ? `${key}=${values[0] ?? ""}` : `${key} in (${values.join(",")})`;
      case "NotIn":
        return `${key} notin (${values.join(",")})`;
      case "Exists":
        return key;
      case "DoesNotExist":
        return `!${key}`;
      case "GreaterThan":
        return `${key}>${values[0] ?? ""}`;
      case "LessThan":
        return `${key}<${values[0] ?? ""}`;
    }
  });
  return texts.join(",") || "<none>";
}
