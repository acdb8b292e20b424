import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { parseJson } from "@landscaper/json";
import * as fc from "fast-check";
import { goJsonStringify } from "../values/go-json.ts";
import { LandscaperError } from "../errors/error.ts";
import {
  decodeDeployItems,
  deployItemPhases,
  encodeDeployItems,
  executionPhases,
  installationPhases,
  isDeletionPhase,
  isFailedPhase,
  isFinalPhase,
  isJobOpen,
} from "./job-protocol.ts";
import type { DeployItemTemplate } from "../kinds/execution.ts";

const allPhases = Object.values({ ...installationPhases, ...executionPhases, ...deployItemPhases });

describe("phases", () => {
  it("are final when the job has ended", () => {
    expect(allPhases.filter((phase) => isFinalPhase(phase))).toEqual(["Succeeded", "Failed", "DeleteFailed"]);
    expect(isFinalPhase("")).toBe(false);
    expect(isFinalPhase(undefined)).toBe(false);
  });

  it("are failed when the job has ended badly", () => {
    expect(allPhases.filter((phase) => isFailedPhase(phase))).toEqual(["Failed", "DeleteFailed"]);
  });

  it("are deletion phases when the job deletes", () => {
    expect(allPhases.filter((phase) => isDeletionPhase(phase))).toEqual([
      "InitDelete",
      "TriggerDelete",
      "Deleting",
      "DeleteFailed",
    ]);
  });
});

describe("isJobOpen", () => {
  it.each([
    [undefined, false],
    [{}, false],
    [{ jobID: "", jobIDFinished: "" }, false],
    [{ jobID: "a" }, true],
    [{ jobID: "a", jobIDFinished: "" }, true],
    [{ jobID: "b", jobIDFinished: "a" }, true],
    [{ jobID: "a", jobIDFinished: "a" }, false],
  ])("of %p is %p", (status, want) => {
    expect(isJobOpen(status)).toBe(want);
  });
});

const item: DeployItemTemplate = {
  name: "a",
  type: "landscaper.gardener.cloud/mock",
  target: { name: "t", namespace: "default" },
  config: { kind: "ProviderConfiguration", apiVersion: "mock.deployer.landscaper.gardener.cloud/v1alpha1" },
  dependsOn: ["b"],
};
const invalid =
  "spec.deployItemsCompressed: expected base64 of gzip of a JSON list of deploy items, at most 16 MiB of it";

describe("encodeDeployItems", () => {
  it("writes base64 of gzip of JSON", () => {
    const json = gunzipSync(Buffer.from(encodeDeployItems([item]), "base64")).toString("utf8");
    expect(JSON.parse(json)).toEqual([item]);
  });

  it("gives equal text for equal items, whatever the order of their fields", () => {
    const reversed = Object.fromEntries(Object.entries(item).toReversed()) as DeployItemTemplate;
    expect(encodeDeployItems([reversed])).toBe(encodeDeployItems([item]));
  });

  it("has no time stamp in it", () => {
    expect(Buffer.from(encodeDeployItems([item]), "base64").subarray(4, 8)).toEqual(Buffer.alloc(4));
  });
});

describe("decodeDeployItems", () => {
  it("reads what the Go original writes", () => {
    // gzip.NewWriter of Go 1.26 over the JSON of the original.
    const deployItemsCompressed =
      "H4sIAAAAAAAA/4quVkrOz0vLTFeyqlZKLMgMSy0qzszPU7JSqtAvM1TSUcrOzEtRslLyVqrVUcpLzE1VslJKVNJRKqksADFLlGpjAQEAAP//ceOmUkMAAAA=";
    expect(decodeDeployItems({ deployItemsCompressed })).toEqual([
      { name: "a", type: "t", config: { apiVersion: "x/v1", kind: "K" } },
    ]);
  });

  it("reads the plain form when there is no compressed one", () => {
    expect(decodeDeployItems({ deployItems: [item] })).toEqual([item]);
    expect(decodeDeployItems({ deployItems: [item], deployItemsCompressed: "" })).toEqual([item]);
    expect(decodeDeployItems({})).toEqual([]);
  });

  it("takes the compressed form before the plain one", () => {
    expect(decodeDeployItems({ deployItems: [], deployItemsCompressed: encodeDeployItems([item]) })).toEqual([item]);
  });

  it("reads Go's nil list as an empty one", () => {
    expect(decodeDeployItems({ deployItemsCompressed: gzipSync("null").toString("base64") })).toEqual([]);
  });

  it.each([
    ["no base64", "%%%"],
    ["no gzip", Buffer.from("[]").toString("base64")],
    ["no JSON", gzipSync("{").toString("base64")],
    ["cut off", encodeDeployItems([item]).slice(0, 40)],
  ])("refuses what is %s", (_, deployItemsCompressed) => {
    expect(() => decodeDeployItems({ deployItemsCompressed })).toThrow(invalid);
  });

  it.each([
    ["{}", "expected a list, found an empty object"],
    ['["a"]', "[0]: expected an object, found a string"],
    ['[{"name":"a","type":"t"}]', "[0].config: required field is missing"],
  ])("refuses %s and names the field", (json, problem) => {
    const deployItemsCompressed = gzipSync(json).toString("base64");
    expect(() => decodeDeployItems({ deployItemsCompressed })).toThrow(
      `spec.deployItemsCompressed: not a valid list of deploy items: ${problem}`,
    );
  });

  it("refuses an archive that explodes, and writes none", () => {
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024, " ")).toString("base64");
    expect(() => decodeDeployItems({ deployItemsCompressed: bomb })).toThrow(invalid);
    const large = { ...item, labels: { text: "x".repeat(16 * 1024 * 1024) } };
    expect(() => encodeDeployItems([large])).toThrow(
      /^all deploy items together have \d+ KiB of JSON: expected at most 16384$/,
    );
  });

  it("says that it is a problem of the configuration that no retry solves", () => {
    let thrown: unknown;
    try {
      decodeDeployItems({ deployItemsCompressed: "%%%" });
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(LandscaperError);
    expect(thrown).toMatchObject({ reason: "InvalidDeployItems", code: "ERR_CONFIGURATION_PROBLEM", retry: "never" });
  });

  it("returns what was encoded", () => {
    const config = fc.dictionary(fc.string(), fc.jsonValue());
    const items = fc.array(fc.record({ name: fc.string(), type: fc.string(), config }));
    fc.assert(
      fc.property(items, (list) => {
        expect(decodeDeployItems({ deployItemsCompressed: encodeDeployItems(list) })).toEqual(
          parseJson(goJsonStringify(list)),
        );
      }),
    );
  });
});
