import { isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";
import { isEscape } from "./security-rules.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  amountAs,
  between,
  each,
  exactlyOneOf,
  oneOf,
  printedAs,
  required,
  struct,
  textOf,
} from "./field-rules.ts";

/** Bits of a file mode: 0777. */
const mode = between(0, 511);
const items = each(struct({ key: required(), path: relativePath(), mode }));
const fieldPaths: ReadonlySet<string> = new Set([
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "metadata.labels",
  "metadata.annotations",
]);

function relativePath(): FieldRule {
  return (value, at, owner) => {
    if (typeof value !== "string" || value === "") return required()(value, at, owner);
    if (value.startsWith("/")) return [invalidField(at, value, "must be a relative path")];
    return isEscape(value) ? [invalidField(at, value, "must not contain '..'")] : [];
  };
}

/** Checks the files of a downward API volume. Errors omit their indexes, as in the real server. */
function downwardItems(value: unknown, at: string): readonly FieldError[] {
  const place = at.replace(/\.items$/, "");
  return listAt(value).flatMap((item) => {
    const owner = recordAt(item);
    const errors = [
      ...relativePath()(owner["path"], `${place}.path`, owner),
      ...mode(owner["mode"], `${place}.mode`, owner),
    ];
    const { fieldRef, resourceFieldRef } = owner;
    if (fieldRef !== undefined) {
      errors.push(...validateFieldRef(fieldRef, `${place}.fieldRef`, fieldPaths));
      if (resourceFieldRef !== undefined) {
        errors.push(
          invalidField(place, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"),
        );
      }
    } else if (resourceFieldRef === undefined) {
      errors.push(requiredField(place, "one of fieldRef and resourceFieldRef is required"));
    }
    return errors;
  });
}

/** Checks a reference to a field of the pod. Labels and annotations may have a key in brackets. */
export function validateFieldRef(value: unknown, at: string, known: ReadonlySet<string>): readonly FieldError[] {
  const owner = recordAt(value);
  const path = textOf(owner["fieldPath"] ?? "");
  if (path === "") return [requiredField(`${at}.fieldPath`)];
  const isKnown = known.has(path) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(path);
  if (owner["apiVersion"] === "v1" && !isKnown && fieldPaths.has(path))
    return [unsupportedField(`${at}.fieldPath`, path, [...known])];
  return isKnown && owner["apiVersion"] === "v1"
    ? []
    : [invalidField(`${at}.fieldPath`, path, "error converting fieldPath")];
}

/** Sources with the same rules in pods and in persistent volumes. */
export const sharedSources = {
  gcePersistentDisk: struct({ pdName: required() }),
  awsElasticBlockStore: struct({ volumeID: required() }),
  glusterfs: struct({ endpoints: required(), path: required() }),
  rbd: struct({ monitors: required(), image: required() }),
  quobyte: struct({ registry: required(), volume: required() }),
  cephfs: struct({ monitors: required() }),
  cinder: struct({ volumeID: required() }),
  fc: struct({ targetWWNs: required() }),
  flexVolume: struct({ driver: required() }),
  vsphereVolume: struct({ volumePath: required() }),
  photonPersistentDisk: struct({ pdID: required() }),
  portworxVolume: struct({ volumeID: required() }),
  scaleIO: struct({ gateway: required(), system: required(), volumeName: required() }),
  storageos: struct({ volumeName: required() }),
  iscsi: struct({ targetPortal: required(), iqn: required() }),
} as const;

/** Rules of the sources of volumes, in the order in which the real server reads them. */
const sources: Readonly<Record<string, FieldRule>> = {
  emptyDir: struct({ sizeLimit: amountAs(forbiddenField, "SizeLimit field must be a valid resource quantity") }),
  hostPath: struct({ path: all(required(), upwards), type: hostPathType }),
  gitRepo: struct({ repository: required() }),
  gcePersistentDisk: printedAs("persistentDisk", sharedSources.gcePersistentDisk),
  awsElasticBlockStore: sharedSources.awsElasticBlockStore,
  secret: struct({ secretName: required(), defaultMode: mode, items }),
  nfs: struct({ server: required(), path: all(required(), absolutePath) }),
  iscsi: sharedSources.iscsi,
  glusterfs: sharedSources.glusterfs,
  flocker: (value, at) =>
    isRecord(value) && (value["datasetName"] ?? value["datasetUUID"]) !== undefined
      ? []
      : [requiredField(at, "one of datasetName and datasetUUID is required")],
  persistentVolumeClaim: struct({ claimName: required() }),
  rbd: sharedSources.rbd,
  cinder: sharedSources.cinder,
  cephfs: sharedSources.cephfs,
  quobyte: sharedSources.quobyte,
  downwardAPI: struct({ defaultMode: mode, items: downwardItems }),
  fc: sharedSources.fc,
  flexVolume: sharedSources.flexVolume,
  configMap: struct({ name: required(), defaultMode: mode, items }),
  azureFile: struct({ secretName: required(), shareName: required() }),
  vsphereVolume: sharedSources.vsphereVolume,
  photonPersistentDisk: sharedSources.photonPersistentDisk,
  portworxVolume: sharedSources.portworxVolume,
  azureDisk: struct({ diskName: required(), diskURI: all(required(), diskUri) }),
  storageos: sharedSources.storageos,
  projected: validateProjected,
  scaleIO: sharedSources.scaleIO,
  csi: struct({ driver: required() }),
  ephemeral: struct({ volumeClaimTemplate: required() }),
};

/** Names of sources in errors of the real server, if they differ from the API. */
const printed: Readonly<Record<string, string>> = { downwardAPI: "downwarAPI", cephfs: "cephFS" };

function upwards(value: unknown, at: string): readonly FieldError[] {
  return typeof value === "string" && value.split("/").includes("..")
    ? [invalidField(at, value, "must not contain '..'")]
    : [];
}

function absolutePath(value: unknown, at: string): readonly FieldError[] {
  return textOf(value ?? "").startsWith("/") ? [] : [invalidField(at, value ?? "", "must be an absolute path")];
}

function diskUri(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  return exactlyOneOf(
    "/subscriptions/{sub-id}/resourceGroups/{group-name}/providers/microsoft.compute/disks/{disk-id}",
  )(value, at, owner);
}

export const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

function hostPathType(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  return oneOf(...hostPathTypes)(value, at, owner);
}

export const hostPath = sources["hostPath"] ?? struct({});

function validateProjected(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  const projected = recordAt(value);
  const errors = [...mode(projected["defaultMode"], `${at}.defaultMode`, owner)];
  const paths = new Set<string>();
  const list = listAt(projected, "sources");
  for (const [i, source] of list.entries()) {
    const found = Object.entries(recordAt(source)).filter(([kind]) => Object.hasOwn(projections, kind));
    found.sort(([a], [b]) => projectionOrder.indexOf(a) - projectionOrder.indexOf(b));
    for (const [n, [kind, content]] of found.entries()) {
      const place = `${at}.sources[${i}]`;
      if (n > 0) errors.push(forbiddenField(place, "may not specify more than 1 volume type"));
      errors.push(
        ...(projections[kind]?.(content, kind === "serviceAccountToken" ? place : `${place}.${kind}`, projected) ?? []),
      );
      for (const path of pathsOf(content)) {
        if (paths.has(path)) errors.push(invalidField(at, path, "conflicting duplicate paths"));
        paths.add(path);
      }
    }
  }
  return errors;
}

const projectionOrder = ["secret", "downwardAPI", "configMap", "serviceAccountToken", "clusterTrustBundle"];

const projections: Readonly<Record<string, FieldRule>> = {
  secret: struct({ name: required(), items }),
  downwardAPI: struct({ items: downwardItems }),
  configMap: struct({ name: required(), items }),
  serviceAccountToken: (value, at, owner) => {
    const token = recordAt(value);
    const path = `${at.replace(/\.sources\[\d+\]$/, "")}.path`;
    const seconds = Number(token["expirationSeconds"] ?? 0);
    const isShort = seconds < 600 || seconds > 2 ** 32;
    return [
      ...relativePath()(token["path"], path, owner),
      ...(isShort
        ? [
            invalidField(
              `${at}.serviceAccountToken.expirationSeconds`,
              seconds,
              "may not specify a duration less than 10 minutes",
            ),
          ]
        : []),
    ];
  },
};

function pathsOf(content: unknown): readonly string[] {
  if (!isRecord(content)) return [];
  const list: readonly unknown[] = Array.isArray(content["items"]) ? content["items"] : [content];
  return list.map((item) => (isRecord(item) ? textOf(item["path"] ?? "") : "")).filter((path) => path !== "");
}

function validateSource(volume: Owner, at: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  let count = 0;
  for (const [name, rule] of Object.entries(sources)) {
    if (volume[name] === undefined) continue;
    count += 1;
    if (count > 1)
      errors.push(forbiddenField(`${at}.${printed[name] ?? name}`, "may not specify more than 1 volume type"));
    else errors.push(...rule(volume[name], `${at}.${name}`, volume));
  }
  return errors;
}

/** Volumes of pods. */
export const volumeRules: Readonly<Record<string, StructRules>> = {
  VolumeSource: { whole: validateSource },
};
