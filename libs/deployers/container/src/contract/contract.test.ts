import { describe, expect, it } from "@jest/globals";
import { environmentOf, readVariable } from "./environment.ts";
import { graceSecondsOf } from "./grace-period.ts";
import { hostName, jobNames, stateChunkName, type HostObject } from "./host-names.ts";
import { parseJobFile, stateChunkCount, type JobFile } from "./job-file.ts";
import { containerLabels, isOfItem, itemLabels, labelValue } from "./labels.ts";
import { initRules, waitRules } from "./program-rights.ts";
import { parseStateIndex } from "./state-index.ts";

const item = { namespace: "team-a", name: "setup", uid: "0f1e" };

describe("names of host objects", () => {
  it.each<[HostObject, string]>([
    ["config", "team-a-setup-config"],
    ["target", "team-a-setup-target"],
    ["ocmconfig", "team-a-setup-ocmconfig"],
    ["imgpullsec", "team-a-setup-imgpullsec"],
    ["bppullsec", "team-a-setup-bppullsec"],
    ["cdpullsec", "team-a-setup-cdpullsec"],
    ["export", "team-a-setup-export"],
    ["state-index", "team-a-setup-state-index"],
    ["last-success", "team-a-setup-last-success"],
    ["init", "setup-init"],
    ["wait", "setup-wait"],
  ])("%s is %s", (object, name) => {
    expect(hostName(item, object).plain).toBe(name);
  });

  it("have a suffix of the item's own where another item has the plain one", () => {
    const other = { namespace: "team", name: "a-setup", uid: "2d3c" };
    const [mine, theirs] = [hostName(item, "config"), hostName(other, "config")];
    expect(mine.plain).toBe(theirs.plain);
    expect(mine.own).toMatch(/^team-a-setup-config-[a-z2-7]{8}$/);
    expect(theirs.own).not.toBe(mine.own);
  });

  it("are cut to 253 characters, always with the suffix then", () => {
    const long = { ...item, name: "n".repeat(253) };
    const { plain, own } = hostName(long, "state-index");
    expect(plain).toBe(own);
    expect(own).toHaveLength(253);
    expect(own).toMatch(/^team-a-n+-state-index-[a-z2-7]{8}$/);
  });

  it("do not end in a dot or dash where they are cut", () => {
    const name = `${"n".repeat(228)}.-.${"x".repeat(20)}`;
    expect(hostName({ ...item, name }, "config").own).toMatch(/n-config-[a-z2-7]{8}$/);
  });
});

describe("names of a job", () => {
  const job = { item, jobID: "job-1", operation: "RECONCILE", attempt: 0 } as const;

  it("are those of the same run again", () => {
    expect(jobNames(job)).toEqual(jobNames({ ...job }));
    expect(jobNames(job).pod).toBe(`setup-${jobNames(job).suffix}`);
    expect(jobNames(job).suffix).toMatch(/^[a-z2-7]{8}$/);
  });

  it("differ for another job, operation, attempt or item of the same name", () => {
    const all = [
      job,
      { ...job, jobID: "job-2" },
      { ...job, operation: "DELETE" as const },
      { ...job, attempt: 1 },
      { ...job, item: { ...item, uid: "9" } },
    ];
    expect(new Set(all.map((one) => jobNames(one).pod)).size).toBe(all.length);
  });

  it("may be host names", () => {
    expect(jobNames({ ...job, item: { ...item, name: `a.${"b".repeat(250)}` } }).pod).toMatch(/^a-b{47}-[a-z2-7]{8}$/);
  });

  it("are part of the names of its state", () => {
    expect(stateChunkName(item, "abcdefgh", 12)).toBe("state-team-a-setup-abcdefgh-12");
    const long = stateChunkName({ ...item, name: "n".repeat(253) }, "abcdefgh", 12);
    expect(long).toHaveLength(253);
    expect(long).toMatch(/n-abcdefgh-12$/);
  });
});

describe("labels", () => {
  it("tell items of one name apart", () => {
    const labels = itemLabels(item, "container.deployer");
    expect(labels).toEqual({
      "container.deployer.landscaper.gardener.cloud/deployer-id": "container.deployer",
      "container.deployer.landscaper.gardener.cloud/name": "setup",
      "container.deployer.landscaper.gardener.cloud/uid": "0f1e",
      "deployitem.container.deployer.landscaper.gardener.cloud/name": "setup",
      "deployitem.container.deployer.landscaper.gardener.cloud/namespace": "team-a",
    });
    expect(isOfItem(labels, item)).toBe(true);
    expect(isOfItem(labels, { ...item, uid: "9" })).toBe(false);
    expect(isOfItem({ [containerLabels.name]: "setup" }, item)).toBe(false);
    expect(isOfItem(undefined, item)).toBe(false);
  });

  it("have at most 63 characters", () => {
    expect(labelValue("n".repeat(63))).toBe("n".repeat(63));
    expect(labelValue(`${"n".repeat(53)}.${"n".repeat(10)}`)).toMatch(/^n{53}-[a-z2-7]{8}$/);
    expect(labelValue("n".repeat(64))).not.toBe(labelValue("n".repeat(65)));
  });
});

describe("the environment of", () => {
  const common = [
    { name: "IMPORTS_PATH", value: "/data/ls/shared/imports/import.json" },
    { name: "EXPORTS_PATH", value: "/data/ls/shared/exports/values" },
    { name: "COMPONENT_DESCRIPTOR_PATH", value: "/data/ls/shared/component_descriptor.json" },
    { name: "TARGET_PATH", value: "/data/ls/shared/targets/target.json" },
    { name: "CONTENT_PATH", value: "/data/ls/shared/content" },
    { name: "STATE_PATH", value: "/data/ls/shared/state" },
    { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
  ];
  const names = [
    { name: "DEPLOY_ITEM_NAME", value: "setup" },
    { name: "DEPLOY_ITEM_NAMESPACE", value: "team-a" },
  ];

  it.each([
    { container: "main", more: [{ name: "OPERATION", value: "DELETE" }] },
    { container: "wait", more: names },
    {
      container: "init",
      more: [
        ...names,
        { name: "CONFIGURATION_PATH", value: "/data/ls/internal/configuration.json" },
        { name: "REGISTRY_SECRETS_DIR", value: "/data/ls/registry_secrets" },
        { name: "OCM_CONFIGURATION_PATH", value: "/data/ls/ocm/.ocmconfig" },
      ],
    },
  ] as const)("$container is that of the contract", ({ container, more }) => {
    expect(environmentOf(container, { item, operation: "DELETE" })).toEqual([...common, ...more]);
  });

  it("a program that is started elsewhere lacks a variable", () => {
    expect(readVariable({ POD_NAME: "p" }, "POD_NAME")).toBe("p");
    expect(() => readVariable({ POD_NAME: "" }, "POD_NAME")).toThrow("environment: POD_NAME is not set");
  });
});

const jobFile: JobFile = {
  version: 1,
  pod: "setup-abcdefgh",
  suffix: "abcdefgh",
  graceSeconds: 90,
  operation: "RECONCILE",
  state: {
    restore: { chunks: [{ name: "state-team-a-setup-old-0" }] },
    index: { name: "team-a-setup-state-index", resourceVersion: "7" },
    chunks: ["state-team-a-setup-abcdefgh-0", "state-team-a-setup-abcdefgh-1"],
  },
  exports: { name: "team-a-setup-export" },
  limits: { stateBytes: 1024, exportBytes: 1000 },
  labels: { a: "b" },
  oci: { allowPlainHttp: false, insecureSkipVerify: false },
  egress: {
    profile: "default",
    deny: [],
    allow: [],
    onlyAllowed: false,
    clusterCIDRs: [],
    tokenRealms: [],
  },
};

describe("the job file", () => {
  it("is read with what is optional in it, or without", () => {
    expect(parseJobFile(JSON.stringify(jobFile), "job.json")).toEqual(jobFile);
    const { egress: _, graceSeconds: _g, ...first } = { ...jobFile, state: { index: { name: "i" }, chunks: [] } };
    const parsed = parseJobFile(JSON.stringify(first), "job.json");
    expect(parsed.state.restore).toBeUndefined();
    expect([parsed.egress.profile, parsed.graceSeconds]).toEqual(["default", 300]);
  });

  it.each([
    ["not JSON", "{", "job.json: not a valid job file: expected an object, found nothing"],
    ["without a limit", JSON.stringify({ ...jobFile, limits: {} }), /^job\.json: not a valid job file: limits/],
    ["of a later version", JSON.stringify({ ...jobFile, version: 2 }), /^job\.json: not a valid job file: version/],
  ])("is refused when it is %s, and not quoted", (_title, text, message) => {
    expect(() => parseJobFile(text, "job.json")).toThrow(message);
  });

  it("has room for the parts of a state that cannot be compressed", () => {
    expect(stateChunkCount(1)).toBe(1);
    expect(stateChunkCount(64 * 1024 ** 2)).toBe(68);
  });
});

describe("the grace period of a Pod", () => {
  it.each<readonly [number | undefined, number]>([
    [undefined, 300],
    [3_600_000, 300],
    [600_000, 300],
    [599_999, 300],
    [560_000, 280],
    [180_000, 90],
    [61_000, 40],
    [60_000, 30],
    [1, 30],
  ])("with %s ms left of the job is %s s", (remainingMs, seconds) => {
    expect(graceSecondsOf(remainingMs)).toBe(seconds);
  });
});

describe("the rights of", () => {
  it("init are to read the state that it restores", () => {
    expect(initRules(jobFile)).toEqual([
      { apiGroups: [""], resources: ["secrets"], resourceNames: ["state-team-a-setup-old-0"], verbs: ["get"] },
    ]);
  });

  it("init are none without a state: a rule without names would allow all Secrets", () => {
    expect(initRules({ ...jobFile, state: { index: { name: "i" }, chunks: [] } })).toEqual([]);
  });

  it("wait are to write the Secrets of its job, and to follow its Pod", () => {
    expect(waitRules(jobFile)).toEqual([
      {
        apiGroups: [""],
        resources: ["secrets"],
        resourceNames: [
          "team-a-setup-export",
          "team-a-setup-state-index",
          "state-team-a-setup-abcdefgh-0",
          "state-team-a-setup-abcdefgh-1",
        ],
        verbs: ["get", "create", "patch"],
      },
      { apiGroups: [""], resources: ["pods"], resourceNames: ["setup-abcdefgh"], verbs: ["get", "list", "watch"] },
    ]);
  });
});

describe("the index of a state", () => {
  const sha256 = "0".repeat(64);
  const index = {
    version: 1,
    generation: "abcdefgh",
    chunks: [{ name: "c", sha256, bytes: 3 }],
    sha256,
    bytes: 1024,
    fileCount: 0,
  };

  it("is read", () => {
    expect(parseStateIndex(JSON.stringify(index), "Secret i")).toEqual(index);
  });

  it("is refused without checksums", () => {
    const text = JSON.stringify({ ...index, chunks: [{ name: "c", bytes: 3 }] });
    expect(() => parseStateIndex(text, "Secret i")).toThrow(/^Secret i: not a valid state index: chunks\[0\]/);
  });
});
