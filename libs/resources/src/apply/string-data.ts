import type { UnstructuredObject } from "@landscaper/api";
import { isJsonObject } from "../json-value.ts";

/**
 * A Secret with its `stringData` as `data`, as the API server stores it: `stringData` wins. The API server records who applied
 * `stringData`, but not who owns `data` then, so a later apply without a key would leave the key behind. What is no Secret, and
 * what the API server refuses, stays as it is.
 */
export function encodeStringData(object: UnstructuredObject): UnstructuredObject {
  const { stringData, ...others } = object;
  if (object.apiVersion !== "v1" || object.kind !== "Secret" || !isJsonObject(stringData)) return object;
  const data = others["data"] ?? {};
  const texts = Object.entries(stringData);
  if (!isJsonObject(data) || !texts.every((entry): entry is [string, string] => typeof entry[1] === "string")) {
    return object;
  }
  const encoded = texts.map(([key, text]): [string, string] => [key, Buffer.from(text, "utf8").toString("base64")]);
  return { ...others, data: { ...data, ...Object.fromEntries(encoded) } };
}
