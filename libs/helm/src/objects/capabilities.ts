import { type GoObject, type GoSlice, define, withType } from "@landscaper/golang";
import type { HelmBuild, HelmDialect } from "../versions/helm-dialect.ts";
import { helm3 } from "../versions/helm3.ts";
import { defaultApiVersions } from "./default-api-versions.ts";
import { GoStruct } from "./go-struct.ts";
import { normalKubeVersion } from "./parse-kube-version.ts";

/** What `.Capabilities` tells of the cluster and of Helm. */
export interface Capabilities {
  /** With or without "v"; default v1.37.0, as of the released Helm v3.22.0 and v4.3.1. */
  readonly kubeVersion?: string | undefined;
  /** Group versions, and `group/version/Kind` where a cluster was asked; by default those that Helm itself knows. */
  readonly apiVersions?: readonly string[] | undefined;
}

const defaultKubeVersion = "v1.37.0";

/** `.Capabilities`. Versions of Kubernetes are taken apart as Helm's --kube-version is. */
export function capabilitiesObject(
  { kubeVersion, apiVersions }: Capabilities = {},
  dialect: HelmDialect = helm3,
): GoObject {
  const { goPackages, build } = dialect;
  return new GoStruct({
    typeName: `*${goPackages.values}.Capabilities`,
    fields: [
      { name: "KubeVersion", value: kubeVersionObject(kubeVersionOf({ kubeVersion }), dialect) },
      { name: "APIVersions", value: versionSet(apiVersions ?? defaultApiVersions, `${goPackages.values}.VersionSet`) },
      { name: "HelmVersion", value: helmVersionObject(build) },
    ],
  });
}

/** The version of Kubernetes, "v" in front. */
export function kubeVersionOf({ kubeVersion = defaultKubeVersion }: Capabilities = {}): string {
  return kubeVersion.startsWith("v") ? kubeVersion : `v${kubeVersion}`;
}

/** Returns the version of Kubernetes that is compared with `kubeVersion` of a chart, and that `.Capabilities.KubeVersion` prints. */
export function comparedKubeVersion(version: string, { keepsKubeVersionSuffix }: HelmDialect): string {
  return keepsKubeVersionSuffix ? normalKubeVersion(version) : version;
}

function kubeVersionObject(version: string, dialect: HelmDialect): GoObject {
  const printed = comparedKubeVersion(version, dialect);
  const [major = "", minor = ""] = printed.slice(1).split(".");
  return new GoStruct({
    typeName: `${dialect.goPackages.values}.KubeVersion`,
    fields: [
      { name: "Version", value: version },
      { name: "Major", value: major },
      { name: "Minor", value: minor },
    ],
    methods: { String: define([], () => printed), GitVersion: define([], () => version) },
    printed,
  });
}

function versionSet(versions: readonly string[], name: string): GoSlice {
  const known = new Set(versions);
  const has = define(["string"], ([version]) => known.has(version));
  return withType<GoSlice>([...versions], {
    name,
    element: "string",
    methods: { Has: () => has },
  });
}

/** The Helm whose behaviour this is. */
function helmVersionObject({ release, kubeClient }: HelmBuild): GoObject {
  const text = (name: string, json: string, value: string): GoStruct["structFields"][number] => {
    return { name, json, value, omitsEmptyJson: true };
  };
  return new GoStruct({
    typeName: "version.BuildInfo",
    fields: [
      text("Version", "version", release),
      text("GitCommit", "git_commit", ""),
      text("GitTreeState", "git_tree_state", ""),
      text("GoVersion", "go_version", "go1.26.0"),
      ...(kubeClient === undefined ? [] : [text("KubeClientVersion", "kube_client_version", kubeClient)]),
    ],
  });
}
