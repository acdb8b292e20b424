import type { LookupAddress, LookupAllOptions } from "node:dns";
import { isIP } from "node:net";
import { addressForms } from "./address-forms.ts";
import { bareHost } from "./bare-host.ts";

/** Resolves a host name; throws as node:dns does. */
export type ResolveHost = (hostname: string, options: LookupAllOptions) => Promise<readonly LookupAddress[]>;

/** Addresses of load balancers change. */
const refreshMs = 60_000;

/** The addresses of the API servers that the service itself works with, by literals and by what their names resolve to. */
export function createOwnAddresses(
  hosts: readonly string[],
  { resolve, now }: { readonly resolve: ResolveHost; readonly now: () => number },
): { refresh(): Promise<void>; includes(address: string): boolean } {
  const bare = hosts.map(bareHost);
  const literals = bare.filter((host) => isIP(host) !== 0);
  const names = bare.filter((host) => isIP(host) === 0);
  let resolved: readonly string[] = [];
  let refreshed: { readonly at: number; readonly done: Promise<void> } | undefined;

  const resolveName = async (name: string): Promise<readonly string[]> => {
    try {
      return (await resolve(name, { all: true })).map(({ address }) => address);
    } catch {
      // The name itself is denied all the same.
      return [];
    }
  };
  const resolveAll = async (): Promise<void> => {
    resolved = (await Promise.all(names.map(resolveName))).flat();
  };
  const refresh = async (): Promise<void> => {
    if (names.length === 0) return;
    if (refreshed === undefined || now() - refreshed.at > refreshMs) refreshed = { at: now(), done: resolveAll() };
    await refreshed.done;
  };
  void refresh();
  return {
    refresh,
    includes: (address) => addressForms(address).some((form) => literals.includes(form) || resolved.includes(form)),
  };
}
