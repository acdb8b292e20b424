import { listOf, mapOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import { failLocally } from "../evaluate/failure.ts";
import { Arguments } from "./arguments.ts";

const urlPattern =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?:([^/?#@]*)@)?(\[[^\]/?#]*\]|[^/?#:]*)(?::([0-9]*))?)?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** The parts of a URL as a map; parts that it lacks are empty. */
export function parseUrl(values: readonly Value[]): Value {
  const args = new Arguments("parseurl", values);
  args.count(1, 1);
  const match = urlPattern.exec(args.text(0));
  if (match === null) return failLocally("parseurl: no valid URL");
  const [, scheme = "", user, host = "", port, path = "", query = "", fragment = ""] = match;
  return mapOf([
    ["fragment", decode(fragment)],
    ["host", host.replaceAll(/[[\]]/g, "")],
    ["path", decode(path)],
    ...(port === undefined || port === "" ? [] : [["port", BigInt(port)] as const]),
    ["query", query],
    ["scheme", scheme.toLowerCase()],
    ...(user === undefined ? [] : [["userinfo", userInfo(user)] as const]),
    ["values", queryValues(query)],
  ]);
}

function userInfo(text: string): Value {
  const separator = text.indexOf(":");
  if (separator < 0) return mapOf([["username", decode(text)]]);
  return mapOf([
    ["username", decode(text.slice(0, separator))],
    ["password", decode(text.slice(separator + 1))],
  ]);
}

function queryValues(query: string): Value {
  const found = new Map<string, string[]>();
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [name = "", ...rest] = pair.split("=");
    const key = decode(name.replaceAll("+", " "));
    found.set(key, [...(found.get(key) ?? []), decode(rest.join("=").replaceAll("+", " "))]);
  }
  return mapOf([...found].map(([key, list]) => [key, listOf(list)] as const));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return failLocally("parseurl: invalid URL escape");
  }
}
