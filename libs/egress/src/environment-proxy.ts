import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { configurationError, parseProxyUrl } from "@landscaper/api";
import { portOf } from "./egress-policy.ts";

/** Environment variables of a process. */
export type ProxyEnvironment = Readonly<Record<string, string | undefined>>;

/** The names of the variables; each is also read in lower case. */
const proxyVariables = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"] as const;
type ProxyVariable = (typeof proxyVariables)[number];

/**
 * The proxy that the environment names for a URL, as Kubernetes' Go clients choose it (docs/reference/proxies.md#choice). Undefined: none. Throws
 * LandscaperError for a variable that is not the URL of an HTTP proxy. The value may contain a password, and is in no message.
 */
export function environmentProxy(url: URL, environment: ProxyEnvironment): URL | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const value = read(environment, name);
  if (value === "" || isExcepted(url, read(environment, "NO_PROXY"))) return undefined;
  return parseProxy(value, name);
}

/** The variables of proxies that are set, in capitals; their values may contain passwords. Returns undefined if none is set. */
export function readProxyVariables(environment: ProxyEnvironment): Readonly<Record<string, string>> | undefined {
  const found = proxyVariables
    .map((name) => [name, read(environment, name)] as const)
    .filter(([, value]) => value !== "");
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

function read(environment: ProxyEnvironment, name: ProxyVariable): string {
  return [environment[name], environment[name.toLowerCase()]].find((value) => (value ?? "") !== "") ?? "";
}

/** Without a scheme, it is http://. A path has no meaning, as in Go. */
function parseProxy(value: string, name: ProxyVariable): URL {
  const text = value.includes("://") ? value : `http://${value}`;
  const proxy = parseProxyUrl(/^[^/]*\/\/[^/?#]*/.exec(text)?.[0] ?? "");
  if (proxy !== undefined) return proxy.url;
  throw configurationError(
    `environment: ${name}: expected the URL of an HTTP proxy, such as http://proxy.example:3128`,
    {
      hint: "correct the variable of the process",
    },
  );
}

/** Whether the URL is reached without a proxy: this machine always is. */
function isExcepted(url: URL, exceptions: string): boolean {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (host === "localhost" || (isIP(host) !== 0 && loopback.check(host, familyOf(host)))) return true;
  const port = String(portOf(url));
  return exceptions.split(",").some((entry) => matches(entry.trim().toLowerCase(), { host, port }));
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

interface Place {
  readonly host: string;
  readonly port: string;
}

function matches(entry: string, { host, port }: Place): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const [network = "", bits, ...rest] = entry.split("/");
  if (isIP(network) !== 0 && rest.length === 0 && isPrefix(bits, network)) {
    return matchesAddresses({ network, bits: Number(bits) }, host);
  }
  const [name, onlyPort] = splitPort(entry);
  if (name === "" || (onlyPort !== undefined && onlyPort !== "" && onlyPort !== port)) return false;
  if (isIP(name) !== 0) return matchesAddresses({ network: name, bits: isIP(name) === 4 ? 32 : 128 }, host);
  const domain = toAscii(name.replace(/^\*(?=\.)/, ""));
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function isPrefix(bits: string | undefined, network: string): boolean {
  return bits !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (isIP(network) === 4 ? 32 : 128);
}

/** Bits that all IPv6 forms of IPv4 addresses (::ffff:0:0/96) have in common. */
const mappedBits = 96;

function matchesAddresses({ network, bits }: { readonly network: string; readonly bits: number }, host: string) {
  // BlockList maps an IPv4 address into IPv6, so a short IPv6 prefix would match it.
  if (isIP(host) === 0 || (isIP(host) === 4 && isIP(network) === 6 && bits < mappedBits)) return false;
  const block = new BlockList();
  block.addSubnet(network, bits, familyOf(network));
  return block.check(host, familyOf(host));
}

/** HOST:PORT or [HOST]:PORT; anything else has no port. */
function splitPort(entry: string): readonly [string, string | undefined] {
  const match = /^\[([^[\]]*)\]:([^:]*)$/.exec(entry) ?? /^([^:[\]]*):([^:]*)$/.exec(entry);
  return match === null ? [entry, undefined] : [match[1] ?? "", match[2]];
}

/** Names of other alphabets, as URLs have them. */
function toAscii(name: string): string {
  const ascii = /[\u0080-\u{10FFFF}]/u.test(name) ? domainToASCII(name.replace(/^\./, "")) : "";
  if (ascii === "") return name;
  return name.startsWith(".") ? `.${ascii}` : ascii;
}
