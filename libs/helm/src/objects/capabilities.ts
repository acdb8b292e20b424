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
  /** Numbers that a cluster tells beside its version, such as "1" and "34+". Without them, `kubeVersion` is as of --kube-version. */
  readonly kubeNumbers?: KubeNumbers | undefined;
  /** Group versions, and `group/version/Kind` where a cluster was asked; by default those that Helm itself knows. */
  readonly apiVersions?: readonly string[] | undefined;
}

export interface KubeNumbers {
  readonly major: string;
  readonly minor: string;
}

const defaultKubeVersion = "v1.37.0";

/** `.Capabilities`. Versions of Kubernetes are taken apart as Helm's --kube-version is. */
export function capabilitiesObject(capabilities: Capabilities = {}, dialect: HelmDialect = helm3): GoObject {
  const { goPackages, build } = dialect;
  const { apiVersions } = capabilities;
  return new GoStruct({
    typeName: `*${goPackages.values}.Capabilities`,
    fields: [
      { name: "KubeVersion", value: kubeVersionObject(capabilities, dialect) },
      { name: "APIVersions", value: versionSet(apiVersions ?? defaultApiVersions, `${goPackages.values}.VersionSet`) },
      { name: "HelmVersion", value: helmVersionObject(build) },
    ],
  });
}

/** The version of Kubernetes, "v" in front. */
export function kubeVersionOf({ kubeVersion = defaultKubeVersion }: Capabilities = {}): string {
  return kubeVersion.startsWith("v") ? kubeVersion : `v${kubeVersion}`;
}

/**
 * Returns the version of Kubernetes that ranges of charts are compared with, and that `.Capabilities.KubeVersion` prints. As with both versions of Helm, the
 * version of a cluster keeps its suffix.
 */
export function comparedKubeVersion(capabilities: Capabilities | undefined, dialect: HelmDialect): string {
  const version = kubeVersionOf(capabilities);
  const isNormal = dialect.keepsKubeVersionSuffix && capabilities?.kubeNumbers === undefined;
  return isNormal ? normalKubeVersion(version) : version;
}

function kubeVersionObject(capabilities: Capabilities, dialect: HelmDialect): GoObject {
  const version = kubeVersionOf(capabilities);
  const printed = comparedKubeVersion(capabilities, dialect);
  const [first = "", second = ""] = printed.slice(1).split(".");
  const { major, minor } = capabilities.kubeNumbers ?? { major: first, minor: second };
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
