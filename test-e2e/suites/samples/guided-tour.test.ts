// The original's guided tour, which LANDSCAPER_SAMPLES hands over.
import { samplePath } from "../../src/examples/sample-folder.ts";
import { describeTour } from "../../tour/tour.ts";

const start = ["target.yaml.tpl", "installation.yaml.tpl"];
const exporting = "import-export/export-parameters";
const key = "testData";

describeTour("the guided tour", samplePath("tour"), {
  targetNamespace: "example",
  manifest: {
    files: start.map((file) => `basics/manifest-deployer/installation/${file}`),
    name: "hello-world",
    data: { [key]: "hello" },
  },
  token: {
    files: ["target", "context", "installation"].map((file) => `${exporting}/installation/${file}.yaml.tpl`),
    constructor: `${exporting}/commands/component-constructor.yaml`,
    name: "export-token",
    secret: "test-secret",
    dataObject: "my-token",
  },
  chart: {
    name: "hello-world",
    versions: { "1.0.0": "hello-world/chart/hello-world", "1.0.1": "basics/upgrade/chart/hello-world" },
    first: start.map((file) => `hello-world/installation/${file}`),
    files: start.map((file) => `basics/upgrade/installation/${file}`),
    upgrade: "basics/upgrade/installation/installation-upg.yaml.tpl",
    map: { [key]: "hello" },
    secret: { [key]: "aGVsbG8=" },
  },
});
