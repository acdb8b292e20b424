import { STATUS_CODES } from "node:http";
import { apiVersionOf } from "@landscaper/api";
import type { KubeObject, ResourceType } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import type { ObjectList, StatusObject } from "./client-interface.ts";

/** The object of an answer. The API server has checked it against the kind's schema, which `T` mirrors. */
export function parseObject<T extends KubeObject>(value: unknown, type: ResourceType<T>): T {
  if (!isObject(value) || !isObject(value["metadata"])) {
    throw new TypeError(`the API server answered with no ${type.kind} but ${describe(value)}`);
  }
  return value as unknown as T;
}

/** Like parseObject, for items of lists and watches: these may lack apiVersion and kind, or bear those of metadata-only answers. */
export function parseListItem<T extends KubeObject>(value: unknown, type: ResourceType<T>): T {
  const object = parseObject(value, type);
  object.apiVersion = apiVersionOf(type);
  object.kind = type.kind;
  return object;
}

export interface ListPage<T> extends ObjectList<T> {
  /** Token of the next page, "" on the last one. */
  readonly next: string;
}

export function parseList<T extends KubeObject>(value: unknown, type: ResourceType<T>): ListPage<T> {
  if (!isObject(value) || !(Array.isArray(value["items"]) || value["items"] === null)) {
    throw new TypeError(`the API server answered with no list of ${type.kind} but ${describe(value)}`);
  }
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  const items: unknown[] = value["items"] ?? [];
  return {
    resourceVersion: textOf(metadata["resourceVersion"]),
    next: textOf(metadata["continue"]),
    items: items.map((item) => parseListItem(item, type)),
  };
}

/** The Status of an error answer. Any other body, such as the HTML page of a proxy, is not quoted: `code` stands for it. */
export function parseStatus(text: string, code: number): StatusObject {
  try {
    const value: unknown = parseJson(text);
    if (isStatus(value)) return value;
  } catch {
    // Not JSON.
  }
  return { message: STATUS_CODES[code] ?? "no message" };
}

/** The Status in an ERROR event; of any other object only the code is taken. */
export function parseStatusObject(value: unknown): StatusObject {
  if (isStatus(value)) return value;
  const code = isObject(value) ? value["code"] : undefined;
  return typeof code === "number" ? { code } : {};
}

/** Every field is optional, but what is there has its type: texts are masked, compared, and printed. */
function isStatus(value: unknown): value is StatusObject {
  if (!isObject(value) || value["kind"] !== "Status") return false;
  const { message, reason, code, details } = value;
  const { causes, name, kind } = isObject(details) ? details : {};
  const areTexts = [message, reason, name, kind].every((text) => text === undefined || typeof text === "string");
  const isList = causes === undefined || (Array.isArray(causes) && causes.every(isCause));
  return areTexts && isList && (code === undefined || typeof code === "number");
}

function isCause(value: unknown): boolean {
  if (!isObject(value)) return false;
  return ["reason", "message", "field"].every((name) => ["undefined", "string"].includes(typeof value[name]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Of the answer only what has the form of a kind is quoted. */
function describe(value: unknown): string {
  if (isObject(value)) return `kind "${/^[A-Z][A-Za-z0-9]{0,62}$/.exec(textOf(value["kind"]))?.[0] ?? "(none)"}"`;
  return Array.isArray(value) ? "an array" : typeof value;
}
