import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, createMergePatch } from "./index.ts";
import { cloneJson, isJsonObject } from "./json-object.ts";
import type { JsonObject } from "./json-object.ts";

interface RecordedCase {
  name: string;
  kind?: string;
  target: JsonObject;
  patch: unknown;
  want?: unknown;
  error?: string;
}

function readCases(name: string): RecordedCase[] {
  return JSON.parse(readFileSync(`${import.meta.dirname}/../testdata/${name}.json`, "utf8")) as RecordedCase[];
}

const apiVersions: Record<string, string> = { Deployment: "apps/v1" };

function outcomeOf(run: () => unknown): { want: unknown } | { error: string } {
  try {
    return { want: run() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

function check({ target, patch, want, error }: RecordedCase, run: () => unknown): void {
  const before = cloneJson({ target, patch });
  expect(outcomeOf(run)).toEqual(error === undefined ? { want } : { error });
  expect({ target, patch }).toEqual(before);
}

describe("strategic merge patch, as the Kubernetes library applies it", () => {
  for (const recorded of readCases("strategic-merge-patch")) {
    it(recorded.name, () => {
      const kind = recorded.kind ?? "";
      check(recorded, () =>
        applyStrategicMergePatch(recorded.target, recorded.patch, { apiVersion: apiVersions[kind] ?? "v1", kind }),
      );
    });
  }
});

describe("JSON merge patch, as the Kubernetes library applies it", () => {
  for (const recorded of readCases("merge-patch")) {
    it(recorded.name, () => {
      check(recorded, () => applyMergePatch(recorded.target, recorded.patch));
    });
  }
});

describe("JSON merge patch, as the Kubernetes library creates it", () => {
  for (const recorded of readCases("create-merge-patch")) {
    it(recorded.name, () => {
      check(recorded, () => createMergePatch(recorded.target, isJsonObject(recorded.patch) ? recorded.patch : {}));
    });
  }
});

describe("JSON patch, as the Kubernetes library applies it", () => {
  for (const recorded of readCases("json-patch")) {
    it(recorded.name, () => {
      check(recorded, () => applyJsonPatch(recorded.target, recorded.patch));
    });
  }
});
