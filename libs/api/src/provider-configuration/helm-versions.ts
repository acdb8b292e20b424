/** Major versions of Helm that an item or a deployer can choose. Equals `helmVersions` of libs/helm, which this package must not import. */
export const helmVersions = ["3", "4"] as const;
