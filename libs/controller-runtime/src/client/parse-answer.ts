import { apiVersionOf } from "@landscaper/api";
import type { KubeObject, ResourceType } from "@landscaper/api";
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

/** The Status of an error answer, made up from the text when it is none (a proxy's HTML page). */
export function parseStatus(text: string): StatusObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && value["kind"] === "Status") return value;
  } catch {
    // No JSON: the text itself is the message.
  }
  const message = text.trim().slice(0, 512);
  return message === "" ? {} : { message };
}

/** The Status in an ERROR event; every field is optional, so that any object is one. */
export function parseStatusObject(value: unknown): StatusObject {
  return isObject(value) ? value : {};
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function describe(value: unknown): string {
  if (isObject(value)) return `kind ${JSON.stringify(value["kind"] ?? "(none)")}`;
  return Array.isArray(value) ? "an array" : typeof value;
}
