// A beginner's examples, in test-e2e/testdata/tour; suites/samples/guided-tour.test.ts does the same with the original's.
import { join } from "node:path";
import { describeTour } from "../tour/tour.ts";

const target = "target.yaml.tpl";

describeTour("our tour", join(import.meta.dirname, "../testdata/tour"), {
  targetNamespace: "tour",
  manifest: {
    files: [target, "notice/installation.yaml.tpl"],
    name: "opening-hours",
    data: { monday: "9 to 5" },
  },
  token: {
    files: [target, "token/installation.yaml.tpl"],
    constructor: "token/component-constructor.yaml",
    name: "till",
    secret: "till-token",
    dataObject: "till-credential",
  },
  chart: {
    name: "greeter",
    versions: { "0.1.0": "greeter/0.1.0/greeter", "0.2.0": "greeter/0.2.0/greeter" },
    first: [target, "greeter/installation.yaml.tpl"],
    files: [target, "greeter/installation.yaml.tpl"],
    upgrade: "greeter/installation-upgrade.yaml.tpl",
    map: { greeting: "welcome" },
    secret: { greeting: "d2VsY29tZQ==" },
  },
});
