/** What an empty file of a service means for its outgoing requests. */
export const egressDefaults = {
  egress: {
    profile: "default",
    deny: [],
    allow: [],
    onlyAllowed: false,
    clusterCIDRs: [],
    tokenRealms: [
      { registry: "registry-1.docker.io", realm: "auth.docker.io" },
      { registry: "registry.gitlab.com", realm: "gitlab.com" },
    ],
  },
  oidcTrustedServers: [],
  oidcRequireAudience: false,
};
