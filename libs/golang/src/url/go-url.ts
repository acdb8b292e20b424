import { isIPv6 } from "node:net";
import { quote } from "@landscaper/goyaml";
import { FunctionError } from "../function-error.ts";
import { fromLatin1, latin1Of } from "../value/byte-text.ts";

/** Parts of a URL, unescaped as Go's net/url has them. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** Escaped user information; undefined for none. */
  readonly userinfo: string | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

type EscapeMode = "path" | "userinfo" | "host" | "fragment";

const unreserved = /[A-Za-z0-9_.~-]/;
const hostCharacters = /[!$&'()*+,;=:[\]<>"]/;
const notEscaped: Readonly<Record<EscapeMode, RegExp>> = {
  path: /[$&+,/:;=@]/,
  userinfo: /[$&+,;=]/,
  host: hostCharacters,
  fragment: /[$&+,/:;=?@!()*]/,
};

/** Percent-encodes what the part of a URL may not have. */
export function escapeUrlPart(text: string, mode: EscapeMode): string {
  return latin1Of(text).replace(/[^]/g, (char) => {
    if (unreserved.test(char) || notEscaped[mode].test(char)) return char;
    return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
  });
}

function unescapePart(text: string, mode: EscapeMode): string {
  const bad = /%(?![0-9A-Fa-f]{2})/.exec(text);
  if (bad !== null) throw new FunctionError(`invalid URL escape ${quote(text.slice(bad.index, bad.index + 3))}`);
  if (mode === "host") {
    const wrong = Array.from(text).find(
      (char) => char < "\x80" && char !== "%" && !unreserved.test(char) && !hostCharacters.test(char),
    );
    if (wrong !== undefined) throw new FunctionError(`invalid character ${quote(wrong)} in host name`);
    const escape = /%(?!25)[0-7][0-9A-Fa-f]/.exec(text);
    if (escape !== null) throw new FunctionError(`invalid URL escape ${quote(escape[0])}`);
  }
  if (!text.includes("%")) return text;
  return fromLatin1(
    latin1Of(text).replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
}

/** url.Parse. Throws FunctionError with Go's message. */
export function parseUrl(text: string): GoUrl {
  const hash = text.indexOf("#");
  const main = hash < 0 ? text : text.slice(0, hash);
  try {
    return { ...parseMain(main), fragment: hash < 0 ? "" : unescapePart(text.slice(hash + 1), "fragment") };
  } catch (error) {
    if (error instanceof FunctionError) throw new FunctionError(`parse ${quote(main)}: ${error.message}`);
    throw error;
  }
}

function parseMain(text: string): Omit<GoUrl, "fragment"> {
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  if (/[\0-\x1f\x7f]/.test(text)) throw new FunctionError("net/url: invalid control character in URL");
  const none = { opaque: "", userinfo: undefined, host: "", path: "" };
  if (text.startsWith(":")) throw new FunctionError("missing protocol scheme");
  const schemeMatch = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  const scheme = schemeMatch?.[1]?.toLowerCase() ?? "";
  const afterScheme = schemeMatch === null ? text : text.slice(schemeMatch[0].length);
  const question = afterScheme.indexOf("?");
  const query = question < 0 ? "" : afterScheme.slice(question + 1);
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  if (!rest.startsWith("/")) {
    if (scheme !== "") return { ...none, scheme, opaque: rest, query };
    if ((rest.split("/", 1)[0] ?? "").includes(":")) {
      throw new FunctionError("first path segment in URL cannot contain colon");
    }
  }
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///"))) {
    return { ...none, scheme, path: unescapePart(rest, "path"), query };
  }
  const slash = rest.indexOf("/", 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const path = unescapePart(slash < 0 ? "" : rest.slice(slash), "path");
  return { ...none, scheme, ...parseAuthority(authority, scheme), path, query };
}

function parseAuthority(authority: string, scheme: string): Pick<GoUrl, "userinfo" | "host"> {
  const at = authority.lastIndexOf("@");
  const host = parseHost(authority.slice(at + 1), scheme);
  return at < 0 ? { userinfo: undefined, host } : { userinfo: parseUserinfo(authority.slice(0, at)), host };
}

function parseUserinfo(text: string): string {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new FunctionError("net/url: invalid userinfo");
  const colon = text.indexOf(":");
  const normalize = (part: string): string => escapeUrlPart(unescapePart(part, "userinfo"), "userinfo");
  return colon < 0 ? normalize(text) : `${normalize(text.slice(0, colon))}:${normalize(text.slice(colon + 1))}`;
}

/** Databases have lists of hosts with ports there: only http and https are strict about colons. */
const strictSchemes: ReadonlySet<string> = new Set(["http", "https"]);

function parseHost(host: string, scheme: string): string {
  const open = host.lastIndexOf("[");
  if (open > 0) throw new FunctionError("invalid IP-literal");
  const close = host.lastIndexOf("]");
  if (open === 0 && close < 0) throw new FunctionError("missing ']' in host");
  const colon = strictSchemes.has(scheme) ? host.indexOf(":") : host.lastIndexOf(":");
  const portAt = open === 0 ? close + 1 : colon;
  const port = portAt < 0 ? "" : host.slice(portAt);
  if (!/^(:[0-9]*)?$/.test(port)) throw new FunctionError(`invalid port ${quote(port)} after host`);
  if (open === 0 && !isIPv6(unescapePart(host.slice(1, close), "host"))) throw new FunctionError("invalid IP-literal");
  return unescapePart(host, "host");
}

/** url.URL.String. */
export function formatUrl(url: GoUrl): string {
  let text = url.scheme === "" ? "" : `${url.scheme}:`;
  if (url.opaque !== "") text += url.opaque;
  else {
    const hasAuthority = url.host !== "" || url.userinfo !== undefined;
    if (hasAuthority || (url.scheme !== "" && url.path !== "")) text += "//";
    if (url.userinfo !== undefined) text += `${url.userinfo}@`;
    text += escapeUrlPart(url.host, "host");
    const path = url.path === "*" ? "*" : escapeUrlPart(url.path, "path");
    if (path !== "" && !path.startsWith("/") && url.host !== "") text += "/";
    if (text === "" && (path.split("/", 1)[0] ?? "").includes(":")) text += "./";
    text += path;
  }
  if (url.query !== "") text += `?${url.query}`;
  return url.fragment === "" ? text : `${text}#${escapeUrlPart(url.fragment, "fragment")}`;
}

/** Host without its port and without the brackets of an IPv6 address. */
export function hostnameOf(host: string): string {
  const bracketed = /^\[(.*)\](:[0-9]*)?$/.exec(host);
  if (bracketed !== null) return bracketed[1] ?? "";
  return host.replace(/:[0-9]*$/, "");
}

/** The port of a host, without its colon; empty for none. */
export function portOf(host: string): string {
  return /:([0-9]*)$/.exec(host)?.[1] ?? "";
}

/** User name or password of GoUrl.userinfo as plain text. */
export function unescapeUserinfo(text: string): string {
  return unescapePart(text, "userinfo");
}

/** url.URL.Query: values by name. What is malformed, and what holds a ";", is left out. */
export function parseQuery(query: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const setting of query.split("&")) {
    if (setting === "" || setting.includes(";") || /%(?![0-9A-Fa-f]{2})/.test(setting)) continue;
    const equals = setting.indexOf("=");
    const name = unescapeQuery(equals < 0 ? setting : setting.slice(0, equals));
    const values = found.get(name);
    const value = equals < 0 ? "" : unescapeQuery(setting.slice(equals + 1));
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

function unescapeQuery(text: string): string {
  return unescapePart(text.replaceAll("+", " "), "path");
}
