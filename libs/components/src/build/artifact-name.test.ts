import { expect, it } from "@jest/globals";
import { artifactName, warnedArtifactName } from "./artifact-name.ts";

it.each<[string | undefined, string]>([
  [undefined, "example.com/app/library/web:1.0.0_x"],
  ["images/web", "example.com/app/images/web:1.0.0_x"],
  ["/images/web", "images/web:1.0.0_x"],
  ["images/web:2.0.0", "example.com/app/images/web:2.0.0"],
])("artifactName with the repository %j is %s", (repository, name) => {
  const options = { componentName: "example.com/app", repository, fallback: "library/web", tag: "1.0.0+x" };
  expect(artifactName(options)).toBe(name);
});

it.each<[string, boolean]>([
  ["charts/web", true],
  ["charts/web:1.0.0", true],
  ["Charts", false],
  ["../web", false],
  ["web:", false],
  ["/", false],
])("warnedArtifactName accepts the repository %s without a warning: %s", (repository, isAccepted) => {
  const warnings: string[] = [];
  const options = { componentName: "example.com/app", repository, fallback: "web", tag: "1.0.0" };
  const name = warnedArtifactName(options, { where: "input", warn: (message) => void warnings.push(message) });
  expect(name).toBe(artifactName(options));
  const warning = `input: registries do not accept the name "${name}" of the artifact: \`component transfer\` into a registry will fail; correct repository or version`;
  expect(warnings).toEqual(isAccepted ? [] : [warning]);
});
