import { describe, expect, it } from "@jest/globals";
import { parseContainerDeployerConfiguration } from "@landscaper/api";
import type { ProxyEnvironment } from "@landscaper/egress";
import { readSettings } from "./settings.ts";

const read = (configuration: object, images = { init: "i:1", wait: "w:1" }, environment: ProxyEnvironment = {}) =>
  readSettings(parseContainerDeployerConfiguration(configuration, "file"), {
    version: "v1",
    name: "n",
    images,
    environment,
  });

describe("the settings of the container deployer", () => {
  it("are those of the original's documents", () => {
    const container = { image: "someimage", command: "", args: "", imagePullPolicy: "Never" };
    const settings = read({ initContainer: container, waitContainer: container, defaultImage: container });
    const image = { image: "someimage", command: [], args: [], imagePullPolicy: "Never" };
    const resources = { requests: { cpu: "100m", memory: "128Mi" }, limits: { cpu: "1", memory: "256Mi" } };
    const own = { ...image, resources };
    expect([settings.init, settings.wait, settings.main]).toEqual([own, own, image]);
    expect([settings.identity, settings.namespace, settings.stateBytes, settings.sweepMs, settings.showsLogs]).toEqual([
      "n",
      "default",
      64 * 1024 ** 2,
      3_600_000,
      true,
    ]);
  });

  it("have the proxies of the deployer's environment, in capitals", () => {
    const environment = { https_proxy: "http://proxy.example:3128", NO_PROXY: ".svc", PATH: "/bin" };
    expect(read({}, undefined, environment).proxies).toEqual({
      HTTPS_PROXY: "http://proxy.example:3128",
      NO_PROXY: ".svc",
    });
    expect(read({}).proxies).toBeUndefined();
  });

  it.each<readonly [object, string]>([
    [{ state: { maxSize: "much" } }, 'state.maxSize: expected a quantity of bytes such as 250Mi, found "much"'],
    [{ pod: { sizeLimit: "0" } }, 'pod.sizeLimit: expected a quantity of bytes such as 250Mi, found "0"'],
    [
      { initContainer: { resources: { limits: { cpu: "much" } } } },
      "initContainer.resources.limits.cpu: expected a quantity such as 100m or 64Mi, found another text",
    ],
    [
      { pod: { resources: { requests: { memory: "-1Mi" } } } },
      "pod.resources.requests.memory: expected a quantity such as 100m or 64Mi, found another text",
    ],
    [
      { pod: { labels: { "container.deployer.landscaper.gardener.cloud/uid": "x" } } },
      "pod.labels: container.deployer.landscaper.gardener.cloud/uid: names that begin with container.deployer.landscaper.gardener.cloud/ are the deployer's own; expected another name",
    ],
    [
      { pod: { annotations: { "deployitem.container.deployer.landscaper.gardener.cloud/x": "x" } } },
      "pod.annotations: deployitem.container.deployer.landscaper.gardener.cloud/x: names that begin with deployitem.container.deployer.landscaper.gardener.cloud/ are the deployer's own",
    ],
    [
      { pod: { annotations: { a: "x".repeat(262_144) } } },
      "pod.annotations: expected at most 262144 bytes in all, found 262145",
    ],
    [
      { initContainer: { resources: { limits: { cpu: "1e999" } } } },
      "initContainer.resources.limits.cpu: expected a quantity such as 100m or 64Mi, found another text",
    ],
    [{ pod: { labels: { "a b": "x" } } }, 'pod.labels: expected a name such as example.com/team, found "a b"'],
    [{ pod: { labels: { "A.b/c": "x" } } }, 'pod.labels: expected a name such as example.com/team, found "A.b/c"'],
    [
      { pod: { labels: { team: "a b" } } },
      "pod.labels: team: expected at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends, found \"a b\"",
    ],
    [{ pod: { priorityClassName: "High!" } }, "pod.priorityClassName: "],
    [{ pod: { runtimeClassName: "" } }, "pod.runtimeClassName: "],
    [
      { pod: { startGrace: "soon" } },
      'pod.startGrace: expected a Go duration such as "1h30m" or "90s", or "none", found "soon"',
    ],
    [{ pod: { startGrace: "-5s" } }, 'or "none", found "-5s", which is negative'],
    [{ allowedImages: ["a.example/b:1"] }, "allowedImages[0]: expected a registry or a repository"],
  ])("%j are refused", (configuration, message) => {
    expect(() => read(configuration)).toThrow(message);
  });

  it("accepts capitals in names of annotations, as the API server does", () => {
    expect(read({ pod: { annotations: { "Example.com/Note": "x" } } }).pod.annotations).toEqual({
      "Example.com/Note": "x",
    });
  });

  it("names the shipped images of init and wait where the file names none", () => {
    const { init, wait } = read({ initContainer: { image: "i" } }, { init: "shipped/init", wait: "shipped/wait" });
    expect([init.image, wait.image]).toEqual(["i", "shipped/wait"]);
  });
});
