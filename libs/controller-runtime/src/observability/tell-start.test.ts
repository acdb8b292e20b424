import { describe, expect, it } from "@jest/globals";
import { tellStart, type ServiceStart } from "./tell-start.ts";

function linesOf(start: ServiceStart): unknown[] {
  const lines: unknown[] = [];
  tellStart({ info: (fields, message) => lines.push([message, fields]) }, start);
  return lines;
}

const message = "the configuration is valid; starting";

describe("the first line of a service", () => {
  it("names the configuration file and both servers", () => {
    const connection = { server: "https://hub.example.com:6443" };
    const hostConnection = { server: "https://10.0.0.1" };
    expect(linesOf({ configFile: "/etc/core.yaml", connection, hostConnection })).toEqual([
      [message, { configFile: "/etc/core.yaml", server: "hub.example.com:6443", hostServer: "10.0.0.1" }],
    ]);
  });

  it("does not show user names, passwords or paths of a server's URL", () => {
    const connection = { server: "https://admin:secret@hub.example.com/path?token=secret" };
    expect(linesOf({ configFile: undefined, connection, hostConnection: undefined })).toEqual([
      [message, { configFile: "defaults", server: "hub.example.com" }],
    ]);
  });
});
