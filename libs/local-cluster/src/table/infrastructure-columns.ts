import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, numberAt, recordAt, stringAt } from "../objects/json.ts";
import { column, count, text, textOr, wideColumn } from "./column.ts";
import { ageColumn, nameColumn } from "./make-table.ts";
import type { PrinterColumn } from "./printer-column.ts";
import { formatSelector } from "./service-columns.ts";

const shortModes: ReadonlyMap<unknown, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

const accessModes = (object: UnstructuredObject): string =>
  listAt(object, "spec", "accessModes")
    .map((mode) => shortModes.get(mode) ?? "")
    .join(",");

/** Columns of volumes, networking, quotas and classes, by storage. */
export const infrastructureColumns: Readonly<Record<string, readonly PrinterColumn[]>> = {
  persistentvolumeclaims: [
    nameColumn,
    column("Status", (claim) =>
      claim.metadata.deletionTimestamp === undefined ? stringAt(claim, "status", "phase") : "Terminating",
    ),
    column("Volume", text("spec", "volumeName")),
    column("Capacity", text("status", "capacity", "storage")),
    column("Access Modes", (claim) => (stringAt(claim, "spec", "volumeName") === "" ? "" : accessModes(claim))),
    column("StorageClass", text("spec", "storageClassName")),
    column("VolumeAttributesClass", textOr("<unset>", "spec", "volumeAttributesClassName")),
    ageColumn,
    wideColumn("VolumeMode", text("spec", "volumeMode")),
  ],
  persistentvolumes: [
    nameColumn,
    column("Capacity", text("spec", "capacity", "storage")),
    column("Access Modes", accessModes),
    column("Reclaim Policy", text("spec", "persistentVolumeReclaimPolicy")),
    column("Status", (volume) =>
      volume.metadata.deletionTimestamp === undefined ? stringAt(volume, "status", "phase") : "Terminating",
    ),
    column("Claim", (volume) => {
      const claim = fieldAt(volume, "spec", "claimRef");
      return claim === undefined ? "" : `${stringAt(claim, "namespace")}/${stringAt(claim, "name")}`;
    }),
    column("StorageClass", text("spec", "storageClassName")),
    column("VolumeAttributesClass", textOr("<unset>", "spec", "volumeAttributesClassName")),
    column("Reason", text("status", "reason")),
    ageColumn,
    wideColumn("VolumeMode", text("spec", "volumeMode")),
  ],
  "ingresses.networking.k8s.io": [
    nameColumn,
    column("Class", textOr("<none>", "spec", "ingressClassName")),
    column("Hosts", (ingress) => {
      const hosts = listAt(ingress, "spec", "rules").map((rule) => stringAt(rule, "host") || "*");
      return hosts.join(",") || "*";
    }),
    column("Address", (ingress) =>
      listAt(ingress, "status", "loadBalancer", "ingress")
        .map((address) => stringAt(address, "ip") || stringAt(address, "hostname"))
        .join(","),
    ),
    column("Ports", (ingress) => (listAt(ingress, "spec", "tls").length > 0 ? "80, 443" : "80")),
    ageColumn,
  ],
  "ingressclasses.networking.k8s.io": [
    nameColumn,
    column("Controller", text("spec", "controller")),
    column("Parameters", (item) => {
      const parameters = fieldAt(item, "spec", "parameters");
      return parameters === undefined ? "<none>" : `${stringAt(parameters, "kind")}/${stringAt(parameters, "name")}`;
    }),
    ageColumn,
  ],
  "networkpolicies.networking.k8s.io": [
    nameColumn,
    column("Pod-Selector", (policy) => formatSelector(fieldAt(policy, "spec", "podSelector"))),
    ageColumn,
  ],
  "poddisruptionbudgets.policy": [
    nameColumn,
    column("Min Available", (budget) => scalarText(fieldAt(budget, "spec", "minAvailable") ?? "N/A")),
    column("Max Unavailable", (budget) => scalarText(fieldAt(budget, "spec", "maxUnavailable") ?? "N/A")),
    column("Allowed Disruptions", count("status", "disruptionsAllowed"), "integer"),
    ageColumn,
  ],
  resourcequotas: [nameColumn, column("Request", quotas(false)), column("Limit", quotas(true)), ageColumn],
  "storageclasses.storage.k8s.io": [
    nameColumn,
    column("Provisioner", text("provisioner")),
    column("ReclaimPolicy", text("reclaimPolicy")),
    column("VolumeBindingMode", text("volumeBindingMode")),
    column("AllowVolumeExpansion", (item) => item["allowVolumeExpansion"] === true),
    ageColumn,
  ],
  "priorityclasses.scheduling.k8s.io": [
    nameColumn,
    column("Value", (item) => numberAt(item, "value") ?? 0, "integer"),
    column("Global-Default", (item) => item["globalDefault"] === true, "boolean"),
    ageColumn,
    column("PreemptionPolicy", text("preemptionPolicy")),
  ],
  endpoints: [nameColumn, column("Endpoints", endpointAddresses), ageColumn],
};

function quotas(isLimit: boolean): (quota: UnstructuredObject) => string {
  return (quota) => {
    const used = recordAt(quota, "status", "used");
    return Object.entries(recordAt(quota, "status", "hard"))
      .filter(([name]) => name.startsWith("limits") === isLimit)
      .map(([name, hard]) => `${name}: ${scalarText(used[name] ?? "0")}/${scalarText(hard)}`)
      .join(", ");
  };
}

function endpointAddresses(endpoints: UnstructuredObject): string {
  const addresses = listAt(endpoints, "subsets").flatMap((subset) =>
    listAt(subset, "addresses").flatMap((address) =>
      listAt(subset, "ports").map((port) => `${stringAt(address, "ip")}:${numberAt(port, "port") ?? 0}`),
    ),
  );
  return addresses.join(",") || "<none>";
}

/** A number or text as it prints. */
function scalarText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
