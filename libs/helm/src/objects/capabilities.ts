import { type GoObject, type GoSlice, define, withType } from "@landscaper/golang";
import { defaultApiVersions } from "./default-api-versions.ts";
import { GoStruct } from "./go-struct.ts";

/** What `.Capabilities` tells of the cluster and of Helm. */
export interface Capabilities {
  /** With or without "v"; default v1.37.0, as of a released Helm v3.22.0. */
  readonly kubeVersion?: string | undefined;
  /** Group versions, and `group/version/Kind` where a cluster was asked; by default those that Helm itself knows. */
  readonly apiVersions?: readonly string[] | undefined;
}

const defaultKubeVersion = "v1.37.0";

/** `.Capabilities`. Versions of Kubernetes are taken apart as Helm's --kube-version is. */
export function capabilitiesObject({ kubeVersion, apiVersions }: Capabilities = {}): GoObject {
  return new GoStruct({
    typeName: "*chartutil.Capabilities",
    fields: [
      { name: "KubeVersion", value: kubeVersionObject(kubeVersionOf({ kubeVersion })) },
      { name: "APIVersions", value: versionSet(apiVersions ?? defaultApiVersions) },
      { name: "HelmVersion", value: helmVersionObject() },
    ],
  });
}

/** The version of Kubernetes, "v" in front. */
export function kubeVersionOf({ kubeVersion = defaultKubeVersion }: Capabilities = {}): string {
  return kubeVersion.startsWith("v") ? kubeVersion : `v${kubeVersion}`;
}

function kubeVersionObject(version: string): GoObject {
  const [major = "", minor = ""] = version.slice(1).split(".");
  const readVersion = define([], () => version);
  return new GoStruct({
    typeName: "chartutil.KubeVersion",
    fields: [
      { name: "Version", value: version },
      { name: "Major", value: major },
      { name: "Minor", value: minor },
    ],
    methods: { String: readVersion, GitVersion: readVersion },
    printed: version,
  });
}

function versionSet(versions: readonly string[]): GoSlice {
  const known = new Set(versions);
  const has = define(["string"], ([version]) => known.has(version));
  return withType<GoSlice>([...versions], {
    name: "chartutil.VersionSet",
    element: "string",
    methods: { Has: () => has },
  });
}

/** The Helm whose behaviour this is. */
function helmVersionObject(): GoObject {
  const text = (name: string, json: string, value: string): GoStruct["structFields"][number] => {
    return { name, json, value, omitsEmptyJson: true };
  };
  return new GoStruct({
    typeName: "version.BuildInfo",
    fields: [
      text("Version", "version", "v3.22.0"),
      text("GitCommit", "git_commit", ""),
      text("GitTreeState", "git_tree_state", ""),
      text("GoVersion", "go_version", "go1.26.0"),
    ],
  });
}
