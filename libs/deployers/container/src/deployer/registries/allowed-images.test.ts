import { describe, expect, it } from "@jest/globals";
import { parseAllowedImages } from "./allowed-images.ts";

const isAllowed = (list: readonly string[] | undefined, image: string): boolean => {
  try {
    parseAllowedImages(list).check(image, "image");
    return true;
  } catch {
    return false;
  }
};

describe("allowed images", () => {
  it.each<readonly [readonly string[] | undefined, string, boolean]>([
    [undefined, "anything", true],
    [[], "anything", false],
    [["registry.example"], "registry.example/team/x:1", true],
    [["registry.example"], "registry.example:5000/x", false],
    [["registry.example:5000/"], "registry.example:5000/x", true],
    [["registry.example/team"], "registry.example/team/x@sha256:" + "a".repeat(64), true],
    [["registry.example/team"], "registry.example/team", true],
    [["registry.example/team"], "registry.example/teams/x", false],
    [["registry.example/team"], "other.example/registry.example/team/x", false],
    [["REGISTRY.example/team"], "registry.example/team/x", true],
    [["docker.io"], "ubuntu:18.04", true],
    [["index.docker.io/library"], "ubuntu", true],
    [["ubuntu"], "ubuntu:18.04", true],
    [["ubuntu"], "ubuntu-evil", false],
    [["localhost"], "localhost/x", true],
  ])("%j: %s is allowed: %s", (list, image, wanted) => {
    expect(isAllowed(list, image)).toBe(wanted);
  });

  it.each(["", "registry.example/x:1", "registry.example/x@sha256:" + "a".repeat(64), "Not A Host/x"])(
    "cannot be said by %j",
    (entry) => {
      expect(() => parseAllowedImages(["docker.io", entry])).toThrow(
        `allowedImages[1]: expected a registry or a repository such as registry.example:5000/team, found ${JSON.stringify(entry)}`,
      );
    },
  );
});
