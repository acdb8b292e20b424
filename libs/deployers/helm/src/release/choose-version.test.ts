import { describe, expect, it } from "@jest/globals";
import type { HelmVersion } from "@landscaper/helm";
import type { ReleaseRecord } from "@landscaper/helm-release";
import type { HelmStatus } from "../helm-status.ts";
import { recordOf } from "../../test/release-records.ts";
import { chooseVersion, isMadeAsWanted, versionOfItem, warnOfOtherVersion } from "./choose-version.ts";

const release = { name: "app", namespace: "n" };
const empty = { managedResources: [], formerReleases: [], formerResources: [] };

function status(more: Partial<HelmStatus> = {}): HelmStatus {
  return { ...empty, ...more };
}

/** Status after a job that made a revision. */
function after(revision: number, helmVersion?: HelmVersion): HelmStatus {
  return status({
    mode: "release",
    release: { ...release, revision },
    ...(helmVersion === undefined ? {} : { helmVersion }),
  });
}

function config(helmVersion?: HelmVersion, defaultHelmVersion?: HelmVersion) {
  return { ...release, helmVersion, defaultHelmVersion };
}

function ours(version: number, helmVersion: HelmVersion): ReleaseRecord {
  return { ...recordOf(version, "deployed"), apply_method: "csa", helmVersion };
}
const helm3 = (version: number): ReleaseRecord => recordOf(version, "deployed");
const helm4 = (version: number): ReleaseRecord => ({ ...recordOf(version, "deployed"), apply_method: "ssa" });
/** Record of an older deployer, without the annotation. */
const earlier = (version: number): ReleaseRecord => ({ ...recordOf(version, "deployed"), apply_method: "csa" });

const ofOriginal = {
  policy: "manage",
  resource: { apiVersion: "v1", kind: "ConfigMap", namespace: "n", name: "app-map" },
} as const;

interface Case {
  readonly name: string;
  readonly config: ReturnType<typeof config>;
  readonly history: readonly ReleaseRecord[];
  readonly status: HelmStatus;
  readonly version: HelmVersion;
  /** Version of the other client that the warning names. */
  readonly warns?: HelmVersion;
  /** Default true. */
  readonly isMade?: boolean;
}

const cases: readonly Case[] = [
  { name: "a new release without settings", config: config(), history: [], status: status(), version: "4" },
  {
    name: "a new release with a default of the deployer",
    config: config(undefined, "3"),
    history: [],
    status: status(),
    version: "3",
  },
  {
    name: "a new release with a setting of the item",
    config: config("3", "4"),
    history: [],
    status: status(),
    version: "3",
  },
  {
    name: "a release of this item if the default of the deployer changes",
    config: config(undefined, "4"),
    history: [ours(1, "3")],
    status: after(1, "3"),
    version: "3",
  },
  {
    name: "a release of an older deployer",
    config: config(undefined, "4"),
    history: [earlier(1)],
    status: after(1),
    version: "3",
  },
  {
    name: "a release that the item switches",
    config: config("4"),
    history: [ours(1, "3")],
    status: after(1, "3"),
    version: "4",
    isMade: false,
  },
  {
    name: "a release whose switch was undone before the next revision",
    config: config(),
    history: [ours(1, "4"), ours(2, "4")],
    status: after(2, "4"),
    version: "4",
  },
  { name: "a release of Helm 3", config: config(undefined, "4"), history: [helm3(1)], status: status(), version: "3" },
  { name: "a release of Helm 4", config: config(), history: [helm3(1), helm4(2)], status: status(), version: "4" },
  {
    name: "a release of this item that Helm 4 upgraded",
    config: config(),
    history: [ours(1, "3"), helm4(2)],
    status: after(1, "3"),
    version: "3",
    warns: "4",
  },
  {
    name: "a release of this item that Helm 4 upgraded, removing the annotation of the deployer",
    config: config(),
    history: [earlier(1), helm4(2)],
    status: after(1, "3"),
    version: "3",
    warns: "4",
  },
  {
    name: "a release after a switch, when Helm removed the annotation of the record of the switch",
    config: config(),
    history: [ours(1, "3"), earlier(2), helm4(3)],
    status: after(2, "4"),
    version: "4",
  },
  {
    name: "the same after an upgrade of Helm 3",
    config: config(),
    history: [ours(1, "3"), earlier(2), helm3(3)],
    status: after(2, "4"),
    version: "4",
    warns: "3",
  },
  {
    name: "a release of this item that Helm 3 upgraded",
    config: config(),
    history: [helm3(1), helm3(2)],
    status: after(1, "4"),
    version: "4",
    warns: "3",
  },
  {
    name: "a release that another client upgraded with the same version",
    config: config(),
    history: [ours(1, "3"), helm3(2)],
    status: after(1, "3"),
    version: "3",
  },
  {
    name: "a release that Helm 4 upgraded if the item sets 4",
    config: config("4"),
    history: [ours(1, "3"), helm4(2)],
    status: after(1, "3"),
    version: "4",
  },
  {
    name: "a release that another item made",
    config: config(undefined, "3"),
    history: [ours(1, "4")],
    status: status(),
    version: "4",
  },
  {
    name: "a renamed release of an item that was deployed",
    config: config(undefined, "4"),
    history: [],
    status: { ...after(3, "3"), release: { name: "former", namespace: "n", revision: 3 } },
    version: "3",
  },
  {
    name: "a release that was uninstalled with --keep-history",
    config: config(undefined, "4"),
    history: [recordOf(1, "uninstalled")],
    status: status(),
    version: "4",
  },
  {
    name: "a release whose newest revision cannot be read",
    config: config(undefined, "4"),
    history: [ours(1, "3"), { ...recordOf(2, "failed"), unreadable: "no gzip" }],
    status: after(1, "3"),
    version: "3",
  },
];

describe("the version of Helm of", () => {
  it.each(cases)("$name is $version", ({ config: chosen, history, status: known, version, warns, isMade = true }) => {
    const state = { history, status: known };
    expect(chooseVersion(chosen, state)).toBe(version);
    expect(isMadeAsWanted(chosen, state)).toBe(isMade);
    const warning = warnOfOtherVersion(chosen, state);
    expect(warning?.reason).toBe(warns === undefined ? undefined : "OtherHelmVersion");
    if (warns !== undefined) expect(warning?.message).toContain(`Set helmVersion: "${warns}" to follow it`);
  });

  it.each([
    [config(undefined, "4"), status(), "4"],
    [config(undefined, "4"), status({ mode: "manifests" }), "3"],
    [config(undefined, "3"), status({ mode: "manifests", helmVersion: "4" }), "4"],
    [config("3", "4"), status({ mode: "manifests", helmVersion: "4" }), "3"],
    [config(undefined, "4"), status({ managedResources: [ofOriginal] }), "3"],
  ] as const)("an item without a release %#", (chosen, known, expected) => {
    expect(versionOfItem(chosen, known)).toBe(expected);
  });
});
