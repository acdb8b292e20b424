import { isRecord, listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField } from "../status/field-error.ts";
import { containersOf } from "./containers.ts";
import type { Owner } from "./field-rules.ts";
import { isAbsent, textOf } from "./field-rules.ts";
import { leadsOut } from "./security-rules.ts";

/** Checks the fields of a mount. Errors omit its index, as in the real server. */
function mountErrors(mount: Owner, at: string, isPrivileged: boolean): readonly FieldError[] {
  const { subPath, recursiveReadOnly, readOnly, mountPropagation } = mount;
  const errors: FieldError[] = [];
  if (!isAbsent(subPath) && leadsOut(textOf(subPath)))
    errors.push(invalidField(`${at}.subPath`, subPath, "must be a relative path without '..'"));
  if (["Enabled", "IfPossible"].includes(textOf(recursiveReadOnly))) {
    const place = `${at}.recursiveReadOnly`;
    if (readOnly !== true) errors.push(forbiddenField(place, "may only be specified when readOnly is true"));
    if (![undefined, "None"].includes(mountPropagation as string | undefined))
      // decoded as a text
      errors.push(forbiddenField(place, "may only be specified when mountPropagation is None or not specified"));
  }
  if (mountPropagation === "Bidirectional" && !isPrivileged)
    errors.push(
      forbiddenField(
        `${at}.mountPropagation`,
        "Bidirectional mount propagation is available only to privileged containers",
      ),
    );
  return errors;
}

function deviceErrors(container: Owner, at: string, claims: ReadonlySet<unknown>): readonly FieldError[] {
  const mounted = new Map(listAt(container, "volumeMounts").map((mount, i) => [recordAt(mount)["name"], i] as const));
  const paths = new Set<unknown>();
  const names = new Set<unknown>();
  return listAt(container, "volumeDevices").flatMap((device, i) => {
    const { name, devicePath } = recordAt(device);
    const place = `${at}.volumeDevices[${i}]`;
    const errors: FieldError[] = [];
    const refuse = (field: string, value: unknown, detail: string): void => {
      errors.push(invalidField(`${place}.${field}`, value, detail));
    };
    const mount = mounted.get(name);
    if (!isAbsent(name)) {
      if (!claims.has(name))
        refuse("name", name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      if (mount !== undefined) {
        refuse("name", name, "must not already exist in volumeMounts");
        errors.push(invalidField(`${at}.volumeMounts[${mount}].name`, name, "must not already exist in volumeDevices"));
      }
      if (names.has(name)) refuse("name", name, "must be unique");
    }
    if (!isAbsent(devicePath)) {
      if (paths.has(devicePath)) refuse("devicePath", devicePath, "must be unique");
      if (textOf(devicePath).split("/").includes("..")) refuse("devicePath", devicePath, "must not contain '..'");
    }
    names.add(name);
    paths.add(devicePath);
    return errors;
  });
}

/** Checks the mounts and devices of a pod's containers against its volumes. */
export function podMountErrors(spec: Owner, at: string): readonly FieldError[] {
  const volumes = listAt(spec, "volumes");
  const claims = new Set(
    volumes.flatMap((volume) =>
      isRecord(volume) && (volume["persistentVolumeClaim"] ?? volume["ephemeral"]) !== undefined
        ? [volume["name"]]
        : [],
    ),
  );
  // The device of a missing volume is reported once, as not found. Here it counts as a claim.
  const containers = containersOf(spec, at);
  for (const device of containers.flatMap(({ container }) => listAt(container, "volumeDevices"))) {
    const { name } = recordAt(device);
    if (!volumes.some((volume) => recordAt(volume)["name"] === name)) claims.add(name);
  }
  return containers.flatMap(({ container, at: place }) => {
    const isPrivileged = recordAt(container, "securityContext")["privileged"] === true;
    return [
      ...listAt(container, "volumeMounts").flatMap((mount) =>
        mountErrors(recordAt(mount), `${place}.volumeMounts`, isPrivileged),
      ),
      ...deviceErrors(container, place, claims),
    ];
  });
}
