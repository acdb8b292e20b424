import { describe, expect, it } from "@jest/globals";
import { parseContainerDeployerConfiguration } from "@landscaper/api";
import { readSettings } from "./settings.ts";

const read = (configuration: object, images = { init: "i:1", wait: "w:1" }) =>
  readSettings(parseContainerDeployerConfiguration(configuration, "file"), { version: "v1", name: "n", images });

describe("the settings of the container deployer", () => {
  it("are those of the original's documents", () => {
    const container = { image: "someimage", command: "", args: "", imagePullPolicy: "Never" };
    const settings = read({ initContainer: container, waitContainer: container, defaultImage: container });
    const image = { image: "someimage", command: [], args: [], imagePullPolicy: "Never" };
    expect([settings.init, settings.wait, settings.main]).toEqual([image, image, image]);
    expect([settings.identity, settings.namespace, settings.stateBytes, settings.sweepMs, settings.showsLogs]).toEqual([
      "n",
      "default",
      64 * 1024 ** 2,
      3_600_000,
      true,
    ]);
  });

  it.each<readonly [object, string]>([
    [{ state: { maxSize: "much" } }, 'state.maxSize: expected a quantity of bytes such as 250Mi, found "much"'],
    [{ pod: { sizeLimit: "0" } }, 'pod.sizeLimit: expected a quantity of bytes such as 250Mi, found "0"'],
    [{ allowedImages: ["a.example/b:1"] }, "allowedImages[0]: expected a registry or a repository"],
  ])("%j are refused", (configuration, message) => {
    expect(() => read(configuration)).toThrow(message);
  });

  it("names the shipped images of init and wait where the file names none", () => {
    const { init, wait } = read({ initContainer: { image: "i" } }, { init: "shipped/init", wait: "shipped/wait" });
    expect([init.image, wait.image]).toEqual(["i", "shipped/wait"]);
  });
});
