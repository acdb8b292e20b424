import {
  FunctionError,
  type FunctionMap,
  type GoMap,
  type GoUrl,
  type Value,
  define,
  formatUrl,
  hostnameOf,
  kindName,
  parseUrl,
} from "@landscaper/golang";

function guard<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(`${what}: ${error.message}`);
    throw error;
  }
}

function toMap(url: GoUrl): GoMap {
  return new Map<string, Value>([
    ["scheme", url.scheme],
    ["host", url.host],
    ["hostname", hostnameOf(url.host)],
    ["path", url.path],
    ["query", url.query],
    ["opaque", url.opaque],
    ["fragment", url.fragment],
    ["userinfo", url.userinfo ?? ""],
  ]);
}

function textField(map: GoMap, key: string): string {
  const value = map.get(key);
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  throw new FunctionError(`unable to parse ${key} key, must be of type string, but ${kindName(value)} found`);
}

function join(map: GoMap): string {
  const userinfo = textField(map, "userinfo");
  return formatUrl({
    scheme: textField(map, "scheme"),
    host: textField(map, "host"),
    path: textField(map, "path"),
    query: textField(map, "query"),
    opaque: textField(map, "opaque"),
    fragment: textField(map, "fragment"),
    userinfo:
      userinfo === ""
        ? undefined
        : guard("unable to parse userinfo in dict", () => parseUrl(`proto://${userinfo}@host`)).userinfo,
  });
}

export const urlFunctions: FunctionMap = {
  urlParse: define(["string"], ([text]) => toMap(guard("unable to parse url", () => parseUrl(text)))),
  urlJoin: define(["map"], ([map]) => join(map)),
};
