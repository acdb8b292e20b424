import { BlockList, isIP } from "node:net";
import { configurationError, type LandscaperError } from "@landscaper/api";
import { addressForms } from "./address-forms.ts";

/** An entry of `allow` or `deny`, or a rule of a profile. */
export interface HostRule {
  /** As it was written. */
  readonly text: string;
  matchesName(name: string, port: number): boolean;
  matchesAddress(address: string, port: number): boolean;
}

const namePattern = /^(\*\.)?[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?$/;

/**
 * Reads `HOST`, `*.DOMAIN`, `ADDRESS`, `CIDR`, each with `:PORT` if only one port is meant (IPv6 then in brackets). `where` names the
 * setting. Throws LandscaperError.
 */
export function parseHostRule(text: string, where: string): HostRule {
  const { host, port } = splitPort(text.trim().toLowerCase());
  const isOfPort = (found: number): boolean => port === undefined || port === found;
  const [address = "", prefix, ...more] = host.split("/");
  const family = isIP(address);
  if (family !== 0 && more.length === 0) {
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    if (!/^\d{1,3}$/.test(prefix ?? "0") || bits > (family === 4 ? 32 : 128)) throw invalid(text, where);
    const block = new BlockList();
    block.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
    return {
      text,
      matchesName: () => false,
      matchesAddress: (found, at) =>
        isOfPort(at) && addressForms(found).some((form) => block.check(form, isIP(form) === 4 ? "ipv4" : "ipv6")),
    };
  }
  const name = host.replace(/\.$/, "");
  if (!namePattern.test(name)) throw invalid(text, where);
  const matches = name.startsWith("*.")
    ? (found: string): boolean => found.endsWith(name.slice(1))
    : (found: string): boolean => found === name;
  return { text, matchesName: (found, at) => isOfPort(at) && matches(found), matchesAddress: () => false };
}

function splitPort(text: string): { host: string; port: number | undefined } {
  const match = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text) ?? /^([^:]+):(\d{1,5})$/.exec(text);
  if (match === null) return { host: text, port: undefined };
  return { host: match[1] ?? "", port: match[2] === undefined ? undefined : Number(match[2]) };
}

function invalid(text: string, where: string): LandscaperError {
  return configurationError(`${where}: expected a host name, *.DOMAIN, an IP address or a CIDR, found "${text}"`);
}
