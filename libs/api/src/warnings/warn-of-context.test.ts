import { describe, expect, it } from "@jest/globals";
import type { Context } from "../kinds/context.ts";
import { warnOfContext } from "./warn-of-context.ts";

const context = (fields: Partial<Context>): Context => ({
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Context",
  metadata: { name: "staging", namespace: "n", labels: { a: "b" } },
  ...fields,
});

describe("the warnings of a Context", () => {
  it.each<readonly [string, Partial<Context>, readonly string[]]>([
    ["are none where it is empty", {}, []],
    [
      "are none for what core and deployers read",
      {
        registryPullSecrets: [{ name: "s" }],
        ocmConfig: { name: "c" },
        repositoryContext: { type: "ociRegistry", baseUrl: "example.com" },
        componentVersionOverwrites: "o",
        configurations: { helmChartRepoCredentials: { auths: [] }, "config.example.com/log-level": "debug" },
      },
      [],
    ],
    [
      "name what nobody reads, and why, and nothing else",
      {
        verificationSignatures: { a: { publicKeySecretReference: { name: "s", key: "k" } } },
        configurations: { other: true },
      },
      [
        'field "configurations.other" has no effect: only "helmChartRepoCredentials" is read, and what has a domain in its name by deployers that know it',
      ],
    ],
    [
      "are none for empty fields",
      {
        repositoryContext: {},
        ocmConfig: {},
        componentVersionOverwrites: "",
        verificationSignatures: {},
        configurations: {},
      },
      [],
    ],
    [
      "name configurations that nobody reads",
      { configurations: { helmChartRepoCredential: { auths: [] } } },
      [
        'field "configurations.helmChartRepoCredential" has no effect: only "helmChartRepoCredentials" is read, and what has a domain in its name by deployers that know it',
      ],
    ],
  ])("%s", (...[, fields, expected]) => {
    expect(warnOfContext(context(fields))).toEqual(
      expected.map((message) => ({ reason: "WithoutEffect", message: `Context "staging": ${message}` })),
    );
  });
});
