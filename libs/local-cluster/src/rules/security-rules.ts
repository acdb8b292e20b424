import { listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import { containersOf } from "./containers.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import { firstOf, oneOf, required, textOf } from "./field-rules.ts";

/** Whether a path leads out of its folder. */
export function leadsOut(path: string): boolean {
  return path.startsWith("/") || path.split("/").includes("..");
}

/** Whether a path leads out of its folder, or looks like it. */
export function isEscape(path: string): boolean {
  return path.startsWith("..") || leadsOut(path);
}

function profile(name: string, find: (localhost: string) => string | undefined): StructRules {
  return {
    fields: {
      type: firstOf(
        required(`type is required when ${name} is set`),
        oneOf("Localhost", "RuntimeDefault", "Unconfined"),
      ),
      localhostProfile: localhostProfile(find),
    },
  };
}

function localhostProfile(find: (localhost: string) => string | undefined): FieldRule {
  return (value, at, { type }) => {
    if (type !== "Localhost") {
      return value === undefined ? [] : [invalidField(at, value, "can only be set when type is Localhost")];
    }
    if (value === undefined || value === null) return [requiredField(at, "must be set when type is Localhost")];
    const problem = find(textOf(value));
    return problem === undefined ? [] : [invalidField(at, value, problem)];
  };
}

/** Rules of seccomp and AppArmor profiles. */
export const securityRules: Readonly<Record<string, StructRules>> = {
  SeccompProfile: profile("seccompProfile", (path) =>
    isEscape(path) ? "must be a relative path without '..'" : undefined,
  ),
  AppArmorProfile: profile("appArmorProfile", (name) =>
    name !== "" && name.trim() === name ? undefined : "must be set, and must not be padded with whitespace",
  ),
};

const podFieldsOfLinux = ["hostPID", "hostIPC", "hostUsers", "shareProcessNamespace"];
const podContextOfLinux = [
  "appArmorProfile",
  "fsGroup",
  "fsGroupChangePolicy",
  "runAsGroup",
  "runAsUser",
  "seLinuxChangePolicy",
  "seLinuxOptions",
  "seccompProfile",
  "supplementalGroups",
  "supplementalGroupsPolicy",
  "sysctls",
];
const contextOfLinux = [
  "allowPrivilegeEscalation",
  "appArmorProfile",
  "capabilities",
  "privileged",
  "procMount",
  "readOnlyRootFilesystem",
  "runAsGroup",
  "runAsUser",
  "seLinuxOptions",
  "seccompProfile",
];

/** Returns the security contexts of the containers, with their paths. */
function contextsOf(spec: Owner, at: string): readonly { readonly context: Owner; readonly at: string }[] {
  return containersOf(spec, at).map(({ container, at: place }) => ({
    context: recordAt(container, "securityContext"),
    at: `${place}.securityContext`,
  }));
}

function setFields(owner: Owner, at: string, fields: readonly string[]): readonly FieldError[] {
  return fields
    .filter((field) => owner[field] !== undefined && owner[field] !== null)
    .map((field) => forbiddenField(`${at}.${field}`, "cannot be set for the operating system of the pod"));
}

/** Rejects fields that the operating system of the pod does not support. */
function systemErrors(spec: Owner, at: string): readonly FieldError[] {
  const system = textOf(recordAt(spec, "os")["name"]);
  const context = recordAt(spec, "securityContext");
  const contexts = contextsOf(spec, at);
  const place = `${at}.securityContext`;
  if (system === "linux") {
    const fields = ["windowsOptions"];
    return [
      ...setFields(context, place, fields),
      ...contexts.flatMap((each) => setFields(each.context, each.at, fields)),
    ];
  }
  if (system !== "windows") return [];
  return [
    ...setFields(spec, at, podFieldsOfLinux),
    ...setFields(context, place, podContextOfLinux),
    ...contexts.flatMap((each) => setFields(each.context, each.at, contextOfLinux)),
  ];
}

function hostProcessErrors(spec: Owner, at: string): readonly FieldError[] {
  const contexts = [recordAt(spec, "securityContext"), ...contextsOf(spec, at).map(({ context }) => context)];
  const isHostProcess = contexts.some((context) => recordAt(context, "windowsOptions")["hostProcess"] === true);
  return isHostProcess && spec["hostNetwork"] !== true
    ? [invalidField(`${at}.hostNetwork`, false, "must be true if pod contains any hostProcess containers")]
    : [];
}

function containerErrors(spec: Owner, at: string): readonly FieldError[] {
  return contextsOf(spec, at).flatMap(({ context, at: place }) => {
    const { procMount, allowPrivilegeEscalation, capabilities } = context;
    const errors: FieldError[] = [];
    if (procMount === "Unmasked" && spec["hostUsers"] !== false)
      errors.push(invalidField(`${place}.procMount`, procMount, "`hostUsers` must be false to use `Unmasked`"));
    if (allowPrivilegeEscalation === false && listAt(capabilities, "add").includes("CAP_SYS_ADMIN"))
      errors.push(
        invalidField(place, "", "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN"),
      );
    return errors;
  });
}

/** Checks combinations of security fields of a pod and its containers. */
export function podSecurityErrors(spec: Owner, at: string): readonly FieldError[] {
  return [...systemErrors(spec, at), ...hostProcessErrors(spec, at), ...containerErrors(spec, at)];
}

const appArmor = "container.apparmor.security.beta.kubernetes.io/";

/** Checks AppArmor profiles in annotations, the form before the field `appArmorProfile`. */
export function appArmorAnnotationErrors(annotations: unknown, spec: unknown): readonly FieldError[] {
  const names = containersOf(spec, "").map(({ container }) => container["name"]);
  return Object.entries(recordAt(annotations)).flatMap(([key, value]) => {
    if (!key.startsWith(appArmor)) return [];
    const at = `metadata.annotations[${key}]`;
    if (!names.includes(key.slice(appArmor.length))) return [invalidField(at, key, "container not found")];
    const isProfile = /^(|runtime\/default|unconfined|localhost\/.*)$/.test(textOf(value));
    return isProfile ? [] : [invalidField(at, value, "invalid AppArmor profile name")];
  });
}

/** Rejects changes to annotations with AppArmor profiles. */
export function changedAppArmorErrors(annotations: unknown, before: unknown): readonly FieldError[] {
  const [now, then] = [recordAt(annotations), recordAt(before)];
  return [...new Set([...Object.keys(now), ...Object.keys(then)])]
    .filter((key) => key.startsWith(appArmor) && now[key] !== then[key])
    .map((key) => forbiddenField(`metadata.annotations[${key}]`, "AppArmor annotations may not be modified"));
}
