/** Major versions of Helm whose behaviour is known. */
export const helmVersions = ["3", "4"] as const;

/** Major version of Helm. */
export type HelmVersion = (typeof helmVersions)[number];
