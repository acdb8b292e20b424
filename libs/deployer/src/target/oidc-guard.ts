import { formatKey, keyOf, LandscaperError, type Target } from "@landscaper/api";
import type { Client, Clock, Connection, EventRecorder, Logger } from "@landscaper/controller-runtime";
import { bareHost, parseHostRule, portOf, type HostRule } from "@landscaper/egress";
import { parseJson } from "@landscaper/json";
import type { ClusterAccess } from "./cluster-access.ts";
import { createTokenSource } from "./token-source.ts";

type OidcAccess = Extract<ClusterAccess, { type: "oidc" }>;

/** What the configuration says about tokens that are sent to the servers of Targets. */
export interface OidcRules {
  /** Hosts that may get tokens which the landscaper cluster accepts, too. */
  readonly oidcTrustedServers?: readonly string[] | undefined;
  /** Others are refused instead of warned about. */
  readonly oidcRequireAudience?: boolean | undefined;
}

export interface OidcGuardOptions extends OidcRules {
  readonly client: Pick<Client, "request">;
  readonly self: Pick<Connection, "server" | "token" | "getToken">;
  readonly clock: Clock;
  /** Called once for each Target and problem. */
  readonly onWarning: (target: Target, message: string) => void;
}

/** Keeps a token that the landscaper cluster accepts from servers that are not trusted. */
export interface OidcGuard {
  /** Throws LandscaperError for a Target that is refused. */
  check(target: Target, access: ClusterAccess): Promise<void>;
}

/** Tells the users of the Target by an Event, and the operator by the log. */
export function warnAbout({ recorder, log }: { recorder: EventRecorder; log: Logger }): OidcGuardOptions["onWarning"] {
  return (target, message) => {
    recorder.event(target, { type: "Warning", reason: "TokenReusable", message });
    log.warn({ target: formatKey(keyOf(target)) }, message);
  };
}

/** Targets that were warned about, at most. */
const maxWarned = 10_000;

export function createOidcGuard(options: OidcGuardOptions): OidcGuard {
  const trusted = (options.oidcTrustedServers ?? []).map((server, index) =>
    parseHostRule(server, `oidcTrustedServers[${index}]`),
  );
  const warned = new Set<string>();
  let ownAudiences: Promise<readonly string[]> | undefined;
  const learnOnce = async (access: OidcAccess): Promise<readonly string[]> => {
    ownAudiences ??= learnAudiences(options, access);
    try {
      return await ownAudiences;
    } catch (error) {
      ownAudiences = undefined;
      throw error;
    }
  };
  const warn = (target: Target, problem: string): void => {
    const key = JSON.stringify([target.metadata.uid, problem]);
    if (warned.has(key)) return;
    warned.add(key);
    const [oldest = ""] = warned;
    if (warned.size > maxWarned) warned.delete(oldest);
    options.onWarning(target, problem);
  };
  return {
    async check(target, access) {
      if (access.type !== "oidc" || isTrusted(access.server, { trusted, own: options.self.server })) return;
      const { audiences } = access.account;
      const problem = findReuse(access, audiences.length === 0 ? [] : await learnOnce(access));
      if (problem === undefined) return;
      const message = `Target ${formatKey(keyOf(target))}: ${problem}`;
      if (options.oidcRequireAudience !== true) {
        warn(target, problem);
        return;
      }
      throw new LandscaperError({
        message,
        reason: "InvalidTarget",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        hint: "set an audience of the target cluster, or ask the operator for an entry of oidcTrustedServers",
        retry: "never",
      });
    },
  };
}

function isTrusted(server: string, { trusted, own }: { trusted: readonly HostRule[]; own: string }): boolean {
  const url = new URL(server);
  // The landscaper cluster itself may have its own tokens.
  if (URL.parse(own)?.origin === url.origin) return true;
  const host = bareHost(url.hostname);
  const port = portOf(url);
  return trusted.some((rule) => rule.matchesName(host, port) || rule.matchesAddress(host, port));
}

/** Why the server could use a token of the account on the landscaper cluster; undefined when it could not. */
export function findReuse(
  { server, account: { audiences } }: Pick<OidcAccess, "server" | "account">,
  ownAudiences: readonly string[],
): string | undefined {
  const { host } = new URL(server);
  const known = `the landscaper cluster accepts its tokens, too, and ${host} is not in oidcTrustedServers`;
  if (audiences.length === 0) return `oidcConfig has no audience: ${known}`;
  const shared = audiences.find((audience) => ownAudiences.includes(audience));
  return shared === undefined ? undefined : `oidcConfig.audience has "${shared}": ${known}`;
}

/** The audiences that the landscaper cluster accepts: of the token of the service, and of one that was made without an audience. */
async function learnAudiences(
  { client, self, clock }: OidcGuardOptions,
  { account }: OidcAccess,
): Promise<readonly string[]> {
  const minted = await createTokenSource({ client, account: { ...account, audiences: [] }, clock }).getToken();
  const own = self.getToken === undefined ? self.token : await self.getToken();
  return [...new Set([...audiencesOf(minted), ...audiencesOf(own ?? "")])];
}

/** The `aud` claim of a token; none of a text that is not a JWT. */
export function audiencesOf(token: string): readonly string[] {
  try {
    const claims: unknown = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
    const aud: unknown = typeof claims === "object" && claims !== null ? Reflect.get(claims, "aud") : undefined;
    const list: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
    return list.filter((audience) => typeof audience === "string");
  } catch {
    return [];
  }
}
