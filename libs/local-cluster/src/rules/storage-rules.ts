import { parseQuantity } from "../builtin-types/quantity.ts";
import { equalJson, isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  unsupportedField,
} from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  dnsSubdomain,
  firstOf,
  isAbsent,
  oneOf,
  optional,
  qualifiedName,
  required,
  struct,
  unique,
  textOf,
} from "./field-rules.ts";
import { dnsSubdomainProblems } from "../objects/validate-names.ts";
import { labelKey } from "./selector-rules.ts";
import { hostPath, sharedSources } from "./volume-rules.ts";
import { exactlyOneOfSet } from "./workload-rules.ts";

const modes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** Checks access modes. The error of an unknown mode has the path of the list. */
const accessModes: FieldRule = (value, at) => {
  const list = listAt(value);
  if (list.length === 0) return [requiredField(at, "at least 1 access mode is required")];
  const unknown = list.filter((mode) => !modes.includes(textOf(mode)));
  const errors = unknown.map((mode) => unsupportedField(at, textOf(mode), modes));
  if (list.length > 1 && list.includes("ReadWriteOncePod"))
    errors.push(forbiddenField(at, "may not use ReadWriteOncePod with other access modes"));
  return errors;
};

const volumeMode = exactlyOneOfSet("Block", "Filesystem");

/** Checks the name of a CSI driver. */
function csiDriver(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  const name = textOf(value);
  if (name === "") return [requiredField(at)];
  return [...(name.length > 63 ? [tooLongField(at, 63)] : []), ...dnsSubdomain(name.toLowerCase(), at, owner)];
}

/** Sources of volumes, in the order in which the real server reads them. A volume has exactly one. */
const sources: readonly (readonly [name: string, printed: string, rule: FieldRule])[] = [
  ["hostPath", "hostPath", hostPath],
  ["gcePersistentDisk", "gcePersistentDisk", sharedSources.gcePersistentDisk],
  ["awsElasticBlockStore", "awsElasticBlockStore", sharedSources.awsElasticBlockStore],
  ["glusterfs", "glusterfs", sharedSources.glusterfs],
  ["nfs", "nfs", struct({ server: required(), path: required() })],
  ["rbd", "rbd", sharedSources.rbd],
  ["quobyte", "quobyte", sharedSources.quobyte],
  ["cephfs", "cephFS", sharedSources.cephfs],
  ["iscsi", "iscsi", sharedSources.iscsi],
  ["cinder", "cinder", sharedSources.cinder],
  ["fc", "fc", sharedSources.fc],
  ["flocker", "flocker", () => []],
  ["flexVolume", "flexVolume", sharedSources.flexVolume],
  ["azureFile", "azureFile", struct({ secretName: required(), shareName: required() })],
  ["vsphereVolume", "vsphereVolume", sharedSources.vsphereVolume],
  ["photonPersistentDisk", "photonPersistentDisk", sharedSources.photonPersistentDisk],
  ["portworxVolume", "portworxVolume", sharedSources.portworxVolume],
  ["azureDisk", "azureDisk", struct({ diskName: required(), diskURI: required() })],
  ["scaleIO", "scaleIO", sharedSources.scaleIO],
  ["local", "local", struct({ path: required() })],
  ["storageos", "storageos", sharedSources.storageos],
  ["csi", "csi", struct({ driver: csiDriver, volumeHandle: required() })],
];

export const volumeSources: readonly string[] = sources.map(([name]) => name);

function validateVolume(spec: Owner, at: string): readonly FieldError[] {
  const errors = [...validateSource(spec, at)];
  if (spec["persistentVolumeReclaimPolicy"] === "Recycle" && textOf(recordAt(spec, "hostPath")["path"]) === "/")
    errors.push(
      forbiddenField(`${at}.persistentVolumeReclaimPolicy`, "may not be 'recycle' for a hostPath mount of '/'"),
    );
  if (spec["local"] !== undefined && spec["nodeAffinity"] === undefined)
    errors.push(requiredField(`${at}.nodeAffinity`, "Local volume requires node affinity"));
  return errors;
}

function validateSource(spec: Owner, at: string): readonly FieldError[] {
  const found = sources.filter(([name]) => spec[name] !== undefined);
  if (found.length === 0) return [requiredField(at, "must specify a volume type")];
  return found.flatMap(([name, printed, rule], i) =>
    i === 0 || name === "flexVolume"
      ? rule(spec[name], `${at}.${name}`, spec)
      : [forbiddenField(`${at}.${printed}`, "may not specify more than 1 volume type")],
  );
}

/** Requires `storage` as the only resource in the capacity of a volume. */
function capacity(value: unknown, at: string): readonly FieldError[] {
  const amounts = recordAt(value);
  const errors: FieldError[] = [];
  if (Object.keys(amounts).length === 0) errors.push(requiredField(at));
  if (amounts["storage"] === undefined || Object.keys(amounts).length > 1) {
    errors.push(unsupportedField(at, Object.keys(amounts).toString(), ["storage"]));
  }
  for (const [name, amount] of Object.entries(amounts)) {
    if (parseQuantity(textOf(amount)) <= 0n)
      errors.push(invalidField(`${at}[${name}]`, amount, "must be greater than zero"));
  }
  return errors;
}

/** Requires a positive storage request in a claim. */
function claimResources(value: unknown, at: string): readonly FieldError[] {
  const requests = recordAt(value, "requests");
  const place = `${at}[storage]`;
  const { storage } = requests;
  if (storage === undefined) return [requiredField(place)];
  return parseQuantity(textOf(storage)) > 0n ? [] : [invalidField(place, storage, "must be greater than zero")];
}

/** Checks the data source of a claim. */
const dataSource: FieldRule = (value, at) => {
  if (!isRecord(value)) return [];
  const { name = "", kind = "", apiGroup = "" } = value;
  const errors: FieldError[] = [];
  if (name === "") errors.push(requiredField(`${at}.name`));
  if (kind === "") errors.push(requiredField(`${at}.kind`));
  if ((apiGroup ?? "") === "" && kind !== "PersistentVolumeClaim") {
    errors.push(invalidField(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if ((apiGroup ?? "") !== "")
    errors.push(
      ...dnsSubdomainProblems(textOf(apiGroup)).map((problem) => invalidField(`${at}.apiGroup`, apiGroup, problem)),
    );
  return errors;
};

const mostParameters = 512;
const mostParameterBytes = 256 * 1024;

/** Checks the parameters of a StorageClass. */
const parameters: FieldRule = (value, at) => {
  const entries = Object.entries(recordAt(value));
  const bytes = entries.reduce((sum, [key, text]) => sum + Buffer.byteLength(key) + Buffer.byteLength(textOf(text)), 0);
  if (entries.length > mostParameters) return [tooLongField(at, mostParameters)];
  const errors = entries.some(([key]) => key === "") ? [invalidField(at, "", "field can not be empty.")] : [];
  return bytes > mostParameterBytes ? [...errors, tooLongField(at, mostParameterBytes)] : errors;
};

const topologies: FieldRule = (value, at) => {
  const list = listAt(value);
  const seen: unknown[] = [];
  return list.flatMap((term, i) => {
    const expressions = listAt(term, "matchLabelExpressions");
    const isKnown = expressions.length === 0 || seen.some((other) => equalJson(other, expressions));
    seen.push(expressions);
    return isKnown ? [duplicateField(`${at}[${i}].matchLabelExpressions`, "")] : [];
  });
};

/** Volumes, claims and classes. */
export const storageRules: Readonly<Record<string, StructRules>> = {
  PersistentVolumeSpec: {
    fields: {
      capacity,
      accessModes,
      persistentVolumeReclaimPolicy: oneOf("Delete", "Recycle", "Retain"),
      storageClassName: optional(dnsSubdomain),
      volumeMode,
      volumeAttributesClassName: (value, at, owner) =>
        isAbsent(value)
          ? []
          : [
              ...dnsSubdomain(value, at, owner),
              ...(owner["csi"] === undefined
                ? [
                    requiredField(
                      at.replace(/[^.]*$/, "csi"),
                      "has to be specified when using volumeAttributesClassName",
                    ),
                  ]
                : []),
            ],
    },
    whole: validateVolume,
  },
  VolumeNodeAffinity: { fields: { required: required("must specify required node constraints") } },
  PersistentVolumeClaimSpec: {
    fields: {
      accessModes,
      resources: claimResources,
      storageClassName: optional(dnsSubdomain),
      volumeMode,
      dataSource,
      dataSourceRef: dataSource,
      volumeAttributesClassName: optional(dnsSubdomain),
    },
    whole: ({ dataSource: older, dataSourceRef: newer }, at) =>
      older === undefined || newer === undefined || equalJson(older, newer)
        ? []
        : [invalidField(at, older, "must match dataSourceRef")],
  },
  StorageClass: {
    fields: {
      parameters,
      provisioner: firstOf(required(), (value, at, owner) => qualifiedName(textOf(value).toLowerCase(), at, owner)),
      reclaimPolicy: oneOf("Delete", "Retain"),
      volumeBindingMode: exactlyOneOfSet("Immediate", "WaitForFirstConsumer"),
      allowedTopologies: topologies,
    },
  },
  TopologySelectorTerm: { fields: { matchLabelExpressions: unique("key") } },
  TopologySelectorLabelRequirement: { fields: { key: labelKey, values: all(required(), unique()) } },
};
