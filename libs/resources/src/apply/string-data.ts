import type { UnstructuredObject } from "@landscaper/api";
import { isJsonObject } from "../json-value.ts";

/**
 * Returns a Secret with its `stringData` as `data`, as the API server stores it: `stringData` wins. The API server records who
 * applied `stringData`, but no owner of the resulting `data`, so a later apply without a key would not remove the key. Returns other
 * objects, and Secrets that the API server refuses, unchanged.
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
