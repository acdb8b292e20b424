import { Type, type Static } from "typebox";
import * as f from "../schema/schema-fields.ts";

const { optional } = f;

const hostRule = "A host name, *.DOMAIN, an IP address, or a CIDR, with :PORT if only one port is meant.";

const tokenRealmSchema = f.object(
  {
    registry: f.text("Host of the registry, with its port unless it is 443."),
    realm: f.text("Host of its token service, with its port unless it is 443."),
  },
  "A registry whose credentials its token service on another host gets.",
);
export type TokenRealm = Static<typeof tokenRealmSchema>;

/** Registries whose token service is on another host. */
export const defaultTokenRealms: TokenRealm[] = [
  { registry: "registry-1.docker.io", realm: "auth.docker.io" },
  { registry: "registry.gitlab.com", realm: "gitlab.com" },
];

const egressSchema = f.object(
  {
    profile: Type.Enum(["default", "hardened"], {
      default: "default",
      description:
        "What is denied without any entry: default denies link-local, hardened also loopback and this cluster.",
    }),
    deny: f.withDefault(f.list(Type.String(), `Denied, whatever else permits it. ${hostRule}`), []),
    allow: f.withDefault(f.list(Type.String(), `Permitted although the profile denies it. ${hostRule}`), []),
    onlyAllowed: f.withDefault(f.flag("Deny every host that no entry of allow permits."), false),
    clusterCIDRs: f.withDefault(
      f.list(Type.String(), "Networks of the Pods, Services and nodes of this cluster, which hardened denies."),
      [],
    ),
    allowPlainHTTP: optional(f.flag("Permit http:// in what users write; false in hardened.")),
    allowInsecureSkipTLSVerify: optional(
      f.flag("Permit insecure-skip-tls-verify in kubeconfigs of users; false in hardened."),
    ),
    allowProxyURL: optional(f.flag("Permit proxy-url in kubeconfigs of users; false in hardened.")),
    tokenRealms: f.withDefault(
      f.list(
        tokenRealmSchema,
        "Registries whose credentials may go to a token service on another host, by https only.",
      ),
      defaultTokenRealms,
    ),
  },
  "Requests that users cause: which hosts they may reach.",
);
export type EgressConfiguration = Static<typeof egressSchema>;

/** Of every configuration file: what Targets, charts and TargetSyncs of users may make the service do. */
export const egressFields = {
  egress: f.withDefault(egressSchema, {}),
  oidcTrustedServers: f.withDefault(
    f.list(
      Type.String(),
      "Hosts of API servers that an oidcConfig may send tokens to which the landscaper cluster accepts, too: a host name, *.DOMAIN, or an IP address, with :PORT if only one port is meant.",
    ),
    [],
  ),
  oidcRequireAudience: f.withDefault(
    f.flag("Refuse such an oidcConfig for servers that are not trusted; otherwise there is only a warning."),
    false,
  ),
};
