import { parseQuantity } from "../builtin-types/quantity.ts";
import { isRecord, listAt, recordAt } from "../objects/json.ts";
import { dnsSubdomainProblems } from "../objects/validate-names.ts";
import { keyErrors } from "../strategies/data-keys.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, forbiddenField, invalidField, notFoundField, requiredField } from "../status/field-error.ts";
import type { StructRules } from "./compile-struct-rules.ts";
import type { FieldRule, Owner } from "./field-rules.ts";
import {
  all,
  atLeast,
  between,
  dnsLabel,
  each,
  exactlyOneOf,
  firstOf,
  isAbsent,
  matches,
  moreThan,
  oneOf,
  optional,
  port,
  portName,
  portOrName,
  required,
  requiredOneOf,
  struct,
  unique,
  textOf,
} from "./field-rules.ts";
import { validateFieldRef } from "./volume-rules.ts";

const protocol = exactlyOneOf("TCP", "UDP", "SCTP");

/** User and group numbers. */
export const id = between(0, 2 ** 31 - 1);

const containerFields: Readonly<Record<string, FieldRule>> = {
  name: all(required(), optional(dnsLabel)),
  image: all(required(), (value, at) =>
    textOf(value).trim() === textOf(value)
      ? []
      : [invalidField(at, value, "must not have leading or trailing whitespace")],
  ),
  ports: unique("name"),
  envFrom: validateEnvFrom,
  resizePolicy: resizePolicies,
  terminationMessagePolicy: requiredOneOf("File", "FallbackToLogsOnError"),
  imagePullPolicy: requiredOneOf("Always", "IfNotPresent", "Never"),
  livenessProbe: optional(once),
  startupProbe: optional(once),
  readinessProbe: optional(struct({ terminationGracePeriodSeconds: optional(notForReadiness) })),
  volumeMounts: mountPaths,
};

function resizePolicies(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  return listAt(value).flatMap((policy) => {
    const { resourceName, restartPolicy } = recordAt(policy);
    return [
      ...firstOf(required(), oneOf("cpu", "memory"))(resourceName, at, owner),
      ...firstOf(required(), oneOf("NotRequired", "RestartContainer"))(restartPolicy, at, owner),
    ];
  });
}

function once(value: unknown, at: string): readonly FieldError[] {
  const threshold = isRecord(value) ? (value["successThreshold"] ?? 1) : 1;
  return threshold === 1 ? [] : [invalidField(`${at}.successThreshold`, threshold, "must be 1")];
}

function notForReadiness(value: unknown, at: string): readonly FieldError[] {
  return [invalidField(at, value, "must not be set for readinessProbes")];
}

function mountPaths(value: unknown, at: string): readonly FieldError[] {
  const seen = new Set<unknown>();
  return listAt(value).flatMap((mount, i) => {
    const path = isRecord(mount) ? mount["mountPath"] : undefined;
    const isNew = isAbsent(path) || !seen.has(path);
    seen.add(path);
    return isNew ? [] : [invalidField(`${at}[${i}].mountPath`, path, "must be unique")];
  });
}

function validateEnvFrom(value: unknown, at: string): readonly FieldError[] {
  return listAt(value).flatMap((source, i) => {
    const owner = recordAt(source);
    const kinds = ["configMapRef", "secretRef"].filter((kind) => owner[kind] !== undefined);
    const errors = kinds.flatMap((kind) =>
      referenceName(isRecord(owner[kind]) ? owner[kind]["name"] : undefined, `${at}[${i}].${kind}.name`),
    );
    if (kinds.length === 0) errors.push(invalidField(at, "", "must specify one of: `configMapRef` or `secretRef`"));
    if (kinds.length > 1) errors.push(invalidField(at, "", "may not have more than one field specified at a time"));
    return errors;
  });
}

function referenceName(value: unknown, at: string): FieldError[] {
  if (isAbsent(value)) return [requiredField(at)];
  return dnsSubdomainProblems(textOf(value)).map((problem) => invalidField(at, value, problem));
}

const envFields: ReadonlySet<string> = new Set([
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);

const keyRef: FieldRule = (value, at) => {
  const { name = "", key = "" } = recordAt(value);
  const keys = textOf(key) === "" ? [requiredField(`${at}.key`)] : keyErrors("", textOf(key));
  return [
    ...dnsSubdomainProblems(textOf(name)).map((problem) => invalidField(`${at}.name`, name, problem)),
    ...keys.map((error) => ({ ...error, field: `${at}.key` })),
  ];
};

const envSources: Readonly<Record<string, FieldRule>> = {
  fieldRef: (value, at) => validateFieldRef(value, at, envFields),
  resourceFieldRef: validateResourceField,
  configMapKeyRef: keyRef,
  secretKeyRef: keyRef,
};

function validateEnv(owner: Owner, at: string): readonly FieldError[] {
  const { valueFrom } = owner;
  if (!isRecord(valueFrom)) return [];
  const place = `${at}.valueFrom`;
  const kinds = Object.keys(envSources).filter((kind) => valueFrom[kind] !== undefined);
  const errors = kinds.flatMap((kind) => envSources[kind]?.(valueFrom[kind], `${place}.${kind}`, valueFrom) ?? []);
  if (kinds.length === 0)
    errors.push(
      invalidField(
        place,
        "",
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`",
      ),
    );
  else if (!isAbsent(owner["value"]))
    errors.push(invalidField(place, "", "may not be specified when `value` is not empty"));
  else if (kinds.length > 1)
    errors.push(invalidField(place, "", "may not have more than one field specified at a time"));
  return errors;
}

const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ["1m", "1"],
  memory: ["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"],
};

function validateResourceField(value: unknown, at: string, owner: Owner): readonly FieldError[] {
  const { resource = "", divisor = "0" } = recordAt(value);
  if (resource === "") return [requiredField(`${at}.resource`)];
  const names = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
  ];
  const name = textOf(resource);
  const errors = name.includes(".hugepages-") ? [] : [...oneOf(...names)(name, `${at}.resource`, owner)];
  const allowed = name.endsWith(".cpu") ? divisors["cpu"] : divisors["memory"];
  const isKnown = ["0", ...(allowed ?? [])].some((one) => parseQuantity(one) === parseQuantity(textOf(divisor)));
  if (errors.length === 0 && !isKnown)
    errors.push(
      invalidField(
        `${at}.divisor`,
        divisor,
        `only divisor's values ${(allowed ?? []).join(", ")} are supported with the resource`,
      ),
    );
  return errors;
}

const handlers: Readonly<Record<string, FieldRule>> = {
  exec: struct({ command: required() }),
  httpGet: struct({
    path: required(),
    port: portOrName,
    scheme: oneOf("HTTP", "HTTPS"),
    httpHeaders: each((value, at) => headerName(value, at.replace(/\[\d+\]$/, ""))),
  }),
  tcpSocket: struct({ port: portOrName }),
  grpc: struct({ port }),
  sleep: () => [],
};

function headerName(value: unknown, at: string): readonly FieldError[] {
  const { name = "" } = recordAt(value);
  return /^[-A-Za-z0-9]+$/.test(textOf(name))
    ? []
    : [invalidField(at, name, "a valid HTTP header must consist of alphanumeric characters or '-'")];
}

/** Handlers of probes and lifecycle hooks, in the order in which the real server reads them. */
const handlerOrders = {
  probe: ["exec", "httpGet", "tcpSocket", "grpc"],
  hook: ["exec", "httpGet", "tcpSocket", "sleep"],
};

function validateHandler(kinds: readonly string[]): (owner: Owner, at: string) => readonly FieldError[] {
  return (owner, at) => {
    const found = kinds.filter((kind) => owner[kind] !== undefined);
    const [first] = found;
    if (first === undefined) return [requiredField(at, "must specify a handler type")];
    return found.flatMap((kind) =>
      kind === first
        ? (handlers[kind]?.(owner[kind], `${at}.${kind}`, owner) ?? [])
        : [forbiddenField(`${at}.${kind}`, "may not specify more than 1 handler type")],
    );
  };
}

const zero = atLeast(0);

/** Rules of containers and their nested structs. */
export const containerRules: Readonly<Record<string, StructRules>> = {
  Container: { fields: containerFields },
  EphemeralContainer: { fields: { name: required(), image: required() } },
  ContainerPort: {
    fields: {
      name: optional(portName),
      containerPort: firstOf(required(), (value, at, owner) =>
        value === 0 ? [requiredField(at)] : port(value, at, owner),
      ),
      hostPort: optional(port),
      protocol,
    },
  },
  EnvVar: {
    fields: {
      name: all(
        required(),
        optional(
          matches(
            /^[ -<>-~]+$/,
            "a valid environment variable name must consist only of printable ASCII characters other than '='",
          ),
        ),
      ),
    },
    whole: validateEnv,
  },
  VolumeMount: {
    fields: {
      name: required(),
      mountPath: required(),
      recursiveReadOnly: withoutIndex(oneOf("Disabled", "Enabled", "IfPossible")),
      mountPropagation: withoutIndex(oneOf("Bidirectional", "HostToContainer", "None")),
      subPathExpr: (value, at, owner) =>
        isAbsent(value) || isAbsent(owner["subPath"])
          ? []
          : [invalidField(at, value, "subPathExpr and subPath are mutually exclusive")],
    },
  },
  VolumeDevice: { fields: { name: required(), devicePath: required() } },
  Probe: {
    fields: {
      initialDelaySeconds: zero,
      timeoutSeconds: zero,
      periodSeconds: zero,
      successThreshold: zero,
      failureThreshold: zero,
      terminationGracePeriodSeconds: moreThan(0),
    },
    whole: validateHandler(handlerOrders.probe),
  },
  LifecycleHandler: { whole: validateHandler(handlerOrders.hook) },
  SecurityContext: {
    fields: { runAsUser: id, runAsGroup: id, procMount: oneOf("Default", "Unmasked") },
    whole: (owner, at) =>
      owner["privileged"] === true && owner["allowPrivilegeEscalation"] === false
        ? [invalidField(at, "", "cannot set `allowPrivilegeEscalation` to false and `privileged` to true")]
        : [],
  },
  PodSecurityContext: {
    fields: {
      runAsUser: id,
      runAsGroup: id,
      fsGroup: id,
      supplementalGroups: each(id),
      supplementalGroupsPolicy: oneOf("Merge", "Strict"),
      fsGroupChangePolicy: oneOf("Always", "OnRootMismatch"),
      seLinuxChangePolicy: oneOf("Recursive"),
      sysctls: unique("name"),
    },
  },
  Sysctl: {
    fields: {
      name: all(
        required(),
        optional(
          matches(
            /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/,
            "must have at most 253 characters and match the regular expression of sysctls",
          ),
        ),
      ),
    },
  },
};

/** Returns the rule with errors that omit the index of the list item, as the real server does. */
function withoutIndex(rule: FieldRule): FieldRule {
  return (value, at, owner) => rule(value, at.replace(/\[\d+\](\.[^.]*)$/, "$1"), owner);
}

/** Checks the container names of a pod, and that its volumes have what containers use. */
export function validateContainers(spec: Owner, at: string, found: readonly FieldError[]): readonly FieldError[] {
  const volumes = listAt(spec, "volumes");
  const usable = new Set(
    volumes
      .filter((_volume, i) => !found.some(({ field }) => field.startsWith(`${at}.volumes[${i}]`)))
      .map((volume) => (isRecord(volume) ? volume["name"] : undefined)),
  );
  for (const { field } of found) if (/\.volumes\[\d+\]\.name$/.test(field)) usable.delete(undefined);
  const names = new Set<unknown>();
  return ["initContainers", "containers"].flatMap((list) =>
    listAt(spec, list).flatMap((container, i) => {
      if (!isRecord(container)) return [];
      const place = `${at}.${list}[${i}]`;
      const errors = ["volumeMounts", "volumeDevices"].flatMap((mounts) =>
        missingVolumes(container[mounts], `${place}.${mounts}`, usable),
      );
      const { name } = container;
      if (!isAbsent(name) && names.has(name)) errors.push(duplicateField(`${place}.name`, name));
      names.add(name);
      if (list === "initContainers") errors.push(...initContainerErrors(container, place));
      return errors;
    }),
  );
}

function missingVolumes(value: unknown, at: string, usable: ReadonlySet<unknown>): FieldError[] {
  return listAt(value).flatMap((mount, i) => {
    const name = isRecord(mount) ? (mount["name"] ?? "") : "";
    if (usable.has(name)) return [];
    return [notFoundField(`${at}[${i}].name`, name)];
  });
}

function initContainerErrors(container: Owner, at: string): readonly FieldError[] {
  if (container["restartPolicy"] === "Always") return [];
  return ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"]
    .filter((field) => container[field] !== undefined)
    .map((field) =>
      forbiddenField(`${at}.${field}`, "may not be set for init containers without restartPolicy=Always"),
    );
}
