import {
  FunctionError,
  hostnameOf,
  parseQuery,
  parseUrl,
  portOf,
  unescapeUserinfo,
  type GoUrl,
} from "@landscaper/golang";
import { failLocally, quoting } from "../../evaluate/failure.ts";
import { listOf, mapOf } from "../../value/build-value.ts";
import type { Value } from "../../value/value.ts";
import type { Arguments } from "../arguments.ts";

/** The parts of a URL as a map; parts that it lacks are empty. */
export function describeUrl(args: Arguments): Value {
  args.count(1, 1, "invalid argument count for parseurl");
  const url = parse(args.text(0, "argument for parseurl must be a string"));
  const port = portOf(url.host);
  return mapOf([
    ["fragment", url.fragment],
    ["host", hostnameOf(url.host)],
    ["path", url.path],
    ...(port === "" ? [] : [["port", BigInt(port)] as const]),
    ["query", url.query],
    ["scheme", url.scheme],
    ...(url.userinfo === undefined ? [] : [["userinfo", userInfo(url.userinfo)] as const]),
    ["values", mapOf([...parseQuery(url.query)].map(([key, values]) => [key, listOf(values)] as const))],
  ]);
}

function parse(text: string): GoUrl {
  try {
    return parseUrl(text);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return failLocally(quoting`invalid argument for parseurl: ${error.message}`);
  }
}

/** The path of a URL, decoded; other text is a path itself. */
export function pathOfUrl(text: string): string {
  try {
    return parseUrl(text).path;
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return text;
  }
}

function userInfo(escaped: string): Value {
  const [username = "", ...rest] = escaped.split(":");
  const name = ["username", unescapeUserinfo(username)] as const;
  return mapOf(rest.length === 0 ? [name] : [name, ["password", unescapeUserinfo(rest.join(":"))]]);
}
