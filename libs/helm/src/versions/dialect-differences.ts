import type { HelmDialect } from "./helm-dialect.ts";
import type { HelmVersion } from "./helm-version.ts";
import { loadDialect } from "./load-dialect.ts";

interface DialectDifference {
  /** Rows of docs/reference/helm-versions.md. */
  readonly rows: string;
  /** Description of the difference for users. */
  readonly what: string;
  /** Returns `dialect` with this difference taken from `by`. */
  readonly replace: (dialect: HelmDialect, by: HelmDialect) => HelmDialect;
}

const differences = {
  nullDefaults: {
    rows: "R1-R5",
    what: "null in values.yaml",
    replace: (dialect, { values: { keepsNullDefaults } }) => ({
      ...dialect,
      values: { ...dialect.values, keepsNullDefaults },
    }),
  },
  valueDocuments: {
    rows: "R6",
    what: "YAML documents of values.yaml",
    replace: (dialect, { values: { documents } }) => ({ ...dialect, values: { ...dialect.values, documents } }),
  },
  installOrder: {
    rows: "R8",
    what: "order of webhook configurations",
    replace: (dialect, { installOrder }) => ({ ...dialect, installOrder }),
  },
  whiteSpace: {
    rows: "R9",
    what: "white space at the end of documents",
    replace: (dialect, { splitManifests }) => ({ ...dialect, splitManifests }),
  },
  chartObject: {
    rows: "R10",
    what: ".Chart",
    replace: (dialect, { chartObject }) => ({ ...dialect, chartObject }),
  },
  kubeVersion: {
    rows: "R11",
    what: "suffix of .Capabilities.KubeVersion",
    replace: (dialect, { keepsKubeVersionSuffix }) => ({ ...dialect, keepsKubeVersionSuffix }),
  },
  helmVersion: {
    rows: "R13",
    what: ".Capabilities.HelmVersion",
    replace: (dialect, { build }) => ({ ...dialect, build }),
  },
  aliases: {
    rows: "R16",
    what: "dependencies of a chart with two aliases",
    replace: (dialect, { sharesAliasedCharts }) => ({ ...dialect, sharesAliasedCharts }),
  },
  chartVersion: {
    rows: "R19",
    what: "apiVersion of Chart.yaml",
    replace: (dialect, { loading: { apiVersions } }) => {
      const { apiVersions: _, ...loading } = dialect.loading;
      return { ...dialect, loading: apiVersions === undefined ? loading : { ...loading, apiVersions } };
    },
  },
  fileBytes: {
    rows: "R22",
    what: "largest file of a chart",
    replace: (dialect, { loading: { fileBytes } }) => ({ ...dialect, loading: { ...dialect.loading, fileBytes } }),
  },
  types: {
    rows: "Go types",
    what: "names of Go types",
    replace: (dialect, { goPackages }) => ({ ...dialect, goPackages }),
  },
} as const satisfies Readonly<Record<string, DialectDifference>>;

/** Difference between versions of Helm that can change what a chart renders to. */
export type DifferenceName = keyof typeof differences;

export const dialectDifferences: Readonly<Record<DifferenceName, DialectDifference>> = differences;

/** All differences, in the order of the rows. */
export const differenceNames = Object.keys(differences) as readonly DifferenceName[];

/** Differences in how the files of a chart are read. */
const loadingDifferences: ReadonlySet<DifferenceName> = new Set(["valueDocuments", "chartVersion", "fileBytes"]);

/** Whether charts must be loaded with the dialect that has this difference replaced. */
export function changesLoading(difference: DifferenceName): boolean {
  return loadingDifferences.has(difference);
}

export function otherVersion(version: HelmVersion): HelmVersion {
  return version === "3" ? "4" : "3";
}

/** Returns the dialect of a version. If a difference is given, the dialect takes it from the other version, whose modules are loaded, too. */
export async function loadHybrid(version: HelmVersion, replaced?: DifferenceName): Promise<HelmDialect> {
  const dialect = await loadDialect(version);
  if (replaced === undefined) return dialect;
  return dialectDifferences[replaced].replace(dialect, await loadDialect(otherVersion(version)));
}
