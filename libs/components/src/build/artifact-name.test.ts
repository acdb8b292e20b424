import { expect, it } from "@jest/globals";
import { artifactName } from "./artifact-name.ts";

it.each<[string | undefined, string]>([
  [undefined, "example.com/app/library/web:1.0.0_x"],
  ["images/web", "example.com/app/images/web:1.0.0_x"],
  ["/images/web", "images/web:1.0.0_x"],
  ["images/web:2.0.0", "example.com/app/images/web:2.0.0"],
])("artifactName with the repository %j is %s", (repository, name) => {
  const options = { componentName: "example.com/app", repository, fallback: "library/web", tag: "1.0.0+x" };
  expect(artifactName(options)).toBe(name);
});
