import type { TokenRealms } from "@landscaper/oci";
import type { OptionDefinition } from "../command.ts";
import { InvocationError } from "../usage-error.ts";

const flag = "allow-token-realm";
const description = "allow a token service on another host to receive registry passwords; repeatable";

/** `--allow-token-realm`, for commands that log in to registries. */
export const tokenRealmOption: OptionDefinition = { syntax: `--${flag} <host>`, description, isList: true };

/** `--allow-token-realm` for commands with Helm's flags. */
export const tokenRealmFlag = { name: flag, kind: "list", treatment: "used", help: `<host> ${description}` } as const;

/** Trusts the built-in list and the hosts of `--allow-token-realm`. Throws InvocationError for a text that is not a host. */
export function trustedTokenRealms(hosts: readonly string[]): TokenRealms {
  for (const host of hosts) {
    const url = URL.parse(`https://${host}`);
    const isHost = url !== null && url.href === `https://${url.host}/` && /^[^/?#@\\]+$/.test(host);
    if (!isHost) throw new InvocationError(`--${flag}: expected HOST or HOST:PORT, found "${host}"`);
  }
  return { hosts, advice: (host) => `use --${flag} ${host}` };
}
