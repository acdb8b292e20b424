import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";
import { LandscaperError } from "@landscaper/api";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { runMain, type MainProcess } from "../run-main.ts";
import { startHttpServer } from "./http-server.ts";

let other: Server;
let port: number;
beforeEach(async () => {
  other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  ({ port } = other.address() as AddressInfo);
});
afterEach(() => void other.close());

it("refuses a port in use with one line that names flag and port", async () => {
  let text = "";
  const codes: number[] = [];
  const mainProcess: MainProcess = {
    on: () => undefined,
    off: () => undefined,
    exit: (code) => void codes.push(code),
    stderr: { write: (part) => (text += part) },
    versions: { node: "24.0.0" },
  };
  const start = startHttpServer({ port, host: "127.0.0.1", notReady: () => undefined });
  await runMain(async () => void (await start), mainProcess);
  await expect(start).rejects.toBeInstanceOf(LandscaperError);
  expect({ codes, text }).toEqual({
    codes: [1],
    text: `error: --metrics-port (metrics.port of the core's configuration): expected a free port, found ${port}, which is already in use\n`,
  });
});
