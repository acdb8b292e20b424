import type { TokenRealms } from "@landscaper/oci";
import type { OptionDefinition } from "../command.ts";
import { InvocationError } from "../usage-error.ts";

const flag = "allow-token-realm";
const description = "token service on another host that gets the password of a registry, may be repeated";

/** `--allow-token-realm`, for commands that log in to registries. */
export const tokenRealmOption: OptionDefinition = { syntax: `--${flag} <host>`, description, isList: true };

/** The same for commands with Helm's flags. */
export const tokenRealmFlag = { name: flag, kind: "list", treatment: "used", help: `<host> ${description}` } as const;

/** The rule of the services, with the hosts of `--allow-token-realm` beside the built-in list. Throws InvocationError for what is not a host. */
export function trustedTokenRealms(hosts: readonly string[]): TokenRealms {
  for (const host of hosts) {
    const url = URL.parse(`https://${host}`);
    const isHost = url !== null && url.href === `https://${url.host}/` && /^[^/?#@\\]+$/.test(host);
    if (!isHost) throw new InvocationError(`--${flag}: expected HOST or HOST:PORT, found "${host}"`);
  }
  return { hosts, advice: (host) => `use --${flag} ${host}` };
}
