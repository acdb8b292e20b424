import { describe, expect, it } from "@jest/globals";
import { parseCoreFlags } from "./core-flags.ts";

describe("flags", () => {
  it("have defaults", () => {
    expect(parseCoreFlags([])).toEqual({
      configFile: undefined,
      kubeconfig: undefined,
      metricsPort: undefined,
      logLevel: "info",
      leaderElection: false,
    });
  });

  it("are read; the landscaper's kubeconfig wins over the host's", () => {
    const argv = [
      "--config",
      "c",
      "--kubeconfig",
      "host",
      "--landscaper-kubeconfig",
      "own",
      "--metrics-port",
      "0",
      "-v",
      "debug",
      "--leader-elect",
    ];
    expect(parseCoreFlags(argv)).toEqual({
      configFile: "c",
      kubeconfig: "own",
      metricsPort: 0,
      logLevel: "debug",
      leaderElection: true,
    });
  });

  it.each([
    ["0", "info"],
    ["1", "info"],
    ["5", "debug"],
    ["warn", "warn"],
  ])("-v %s is %s", (text, level) => expect(parseCoreFlags(["-v", text]).logLevel).toBe(level));

  it.each([
    [["--metrics-port", "x"], '--metrics-port: expected a port or 0, found "x"'],
    [["-v", "loud"], '-v: expected a number or one of debug, info, warn, error, silent, found "loud"'],
  ])("%j is refused", (argv, message) => expect(() => parseCoreFlags(argv)).toThrow(message));

  it("that nobody knows are refused", () => expect(() => parseCoreFlags(["--unknown"])).toThrow(/--unknown/));
});
