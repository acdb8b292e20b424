/** Major versions of Helm that an item or a deployer can choose; those of `HelmVersion` of libs/helm. */
export const helmVersions = ["3", "4"] as const;
