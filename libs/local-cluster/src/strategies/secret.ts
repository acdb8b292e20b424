import type { UnstructuredObject } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import { fieldAt, isRecord, recordAt, stringAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField } from "../status/field-error.ts";
import { immutableErrors, sizeOf } from "./config-map.ts";
import { keyErrors } from "./data-keys.ts";

const maxBytes = 1024 * 1024;
const accountAnnotation = "kubernetes.io/service-account.name";

/** Secrets: stringData becomes data, types have required keys, nothing changes when `immutable` is set. */
export const secretStrategy: Strategy = {
  applyDefaults: mergeStringData,
  validate: (secret, old) => {
    const data = recordAt(secret, "data");
    const errors: FieldError[] = [];
    const type = stringAt(secret, "type");
    if (old !== undefined) {
      if (type !== stringAt(old, "type")) errors.push(invalidField("type", type, "field is immutable"));
      errors.push(...immutableErrors(secret, old, ["data"]));
    }
    for (const key of Object.keys(data).toSorted()) errors.push(...keyErrors("data", key));
    if (sizeOf(data, "base64") > maxBytes) {
      errors.push({
        reason: "FieldValueTooLong",
        field: "data",
        message: `Too long: may not be more than ${maxBytes} bytes`,
      });
    }
    return [...errors, ...typeErrors(type, secret, data)];
  },
};

function mergeStringData(secret: UnstructuredObject): UnstructuredObject {
  const { stringData, ...rest } = secret;
  if (!isRecord(stringData)) return secret;
  const added = Object.entries(stringData).map(([key, value]) => [key, Buffer.from(String(value)).toString("base64")]);
  const { apiVersion, kind, metadata } = secret;
  return { ...rest, apiVersion, kind, metadata, data: { ...recordAt(secret, "data"), ...Object.fromEntries(added) } };
}

function typeErrors(type: string, secret: UnstructuredObject, data: Readonly<Record<string, unknown>>): FieldError[] {
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => requiredField(`data[${key}]`));
  switch (type) {
    case "kubernetes.io/service-account-token":
      return stringAt(secret, "metadata", "annotations", accountAnnotation) === ""
        ? [requiredField(`metadata.annotations[${accountAnnotation}]`)]
        : [];
    case "kubernetes.io/dockercfg":
      return [...missing(".dockercfg"), ...jsonErrors(data, ".dockercfg")];
    case "kubernetes.io/dockerconfigjson":
      return [...missing(".dockerconfigjson"), ...jsonErrors(data, ".dockerconfigjson")];
    case "kubernetes.io/basic-auth": {
      const errors = missing("username", "password");
      return errors.length === 2 ? errors : [];
    }
    case "kubernetes.io/ssh-auth":
      return fieldAt(data, "ssh-privatekey") === ""
        ? [requiredField("data[ssh-privatekey]")]
        : missing("ssh-privatekey");
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

/** The message never has the content, as on the real server. */
function jsonErrors(data: Readonly<Record<string, unknown>>, key: string): FieldError[] {
  const value = data[key];
  if (typeof value !== "string") return [];
  try {
    const parsed = parseJson(Buffer.from(value, "base64").toString());
    if (parsed === null || isRecord(parsed)) return [];
    return [invalidField(`data[${key}]`, "<secret contents redacted>", "the content must be a JSON object")];
  } catch {
    const text = value === "" ? "unexpected end of JSON input" : "invalid character looking for beginning of value";
    return [invalidField(`data[${key}]`, "<secret contents redacted>", text)];
  }
}
