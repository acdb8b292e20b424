import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { KubeObject, TransitionEvent } from "@landscaper/api";
import { createSystemClock } from "@landscaper/controller-runtime";
import { createTransitionPublisher } from "@landscaper/events";
import { createNatsServer, describeUnless, programAbsence, waitFor, type NatsServer } from "@landscaper/testkit";
import { formatEvent } from "../events/format-event.ts";
import { runProgram, type Outcome, type RunOptions } from "../../test/program.ts";

describe("landscaper events", () => {
  it.each([
    [["events"], "--nats: expected the URL of a NATS server, or the variable NATS_URL"],
    [["events", "--nats", "https://x"], "--nats: NATS servers: expected"],
    [["events", "--nats", "nats://x", "--kind", "pod"], '--kind: expected inst, exec or di, found "pod"'],
    [
      ["events", "--nats", "nats://x", "--kind", "inst,di"],
      '--kind: expected inst, exec or di, found "inst,di". Repeat the option for several kinds.',
    ],
    [
      ["events", "--nats", "nats://x", "--since", "soon"],
      '--since: expected a duration such as "90s" or "1h30m", found "soon"',
    ],
    [
      ["events", "--nats", "nats://x", "-n", "*"],
      '-n: expected the name of a namespace, found "*". Leave the option out to read the events of all namespaces.',
    ],
    [
      ["events", "--nats", "nats://x", "--hub", "/landscaper/a"],
      '--hub: expected the id of a landscaper cluster, found "/landscaper/a". It is the part of `source` after "/landscaper/".',
    ],
    [["events", "--nats", "nats://x", "-o", "yaml"], '-o: expected text or json, found "yaml"'],
  ])("rejects %j with the expectation of the option", async (words, message) => {
    const { stderr, exitCode } = await runProgram(words);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it("names a server that does not answer, without the password", async () => {
    const { stderr, exitCode } = await runProgram(["events", "--nats", "nats://me:secret-word@127.0.0.1:1"]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("NATS (127.0.0.1:1) cannot be reached")]);
    expect(stderr).not.toContain("secret-word");
  });

  it("names the setting that contains the URL of the server", async () => {
    const url = "nats://127.0.0.1:1";
    const option = await runProgram(["events", "--nats", url]);
    expect(option.stderr).toMatch(/: connection refused; start the server, or correct --nats\.\n$/);
    const variable = await runProgram(["events"], { environment: { NATS_URL: url } });
    expect(variable.stderr).toMatch(/: connection refused; start the server, or correct NATS_URL\.\n$/);
  });
});

describeUnless(programAbsence("nats-server"), describe)("landscaper events, with a real nats-server", () => {
  let nats: NatsServer;
  const end = new AbortController();
  let publishing: Promise<void>;
  let observe: (object: KubeObject, isDeleted: boolean) => void;

  const version = (kind: string, namespace: string, resourceVersion: string): KubeObject => {
    const metadata = { namespace, name: "web", uid: `${kind}-${namespace}`, resourceVersion };
    return { apiVersion: "v1", kind, metadata, status: { phase: "Init", jobID: "1" } } as KubeObject;
  };
  const events = async (words: readonly string[], options: RunOptions = {}): Promise<Outcome> =>
    await runProgram(["events", ...words], { environment: { NATS_URL: nats.url }, now: Date.now, ...options });

  beforeAll(async () => {
    nats = await createNatsServer();
    await nats.start();
    const publisher = createTransitionPublisher({
      servers: nats.url,
      hubId: () => Promise.resolve("hub"),
      log: { info: () => {}, warn: () => {} },
      clock: { ...createSystemClock(), now: () => Date.parse("2026-01-01T00:00:00Z") },
      follow: async (kind, observer, signal) => {
        if (kind === "Installation") {
          observe = (object, isDeleted) => observer.onVersion(object, isDeleted);
          observe(version(kind, "team-a", "1"), false);
          observe(version(kind, "team-b", "2"), false);
        }
        if (kind === "DeployItem") observer.onVersion(version(kind, "team-a", "3"), false);
        await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      },
    });
    publishing = publisher.run(end.signal);
    await waitFor(() => publisher.stats.published === 3);
  });
  afterAll(async () => {
    end.abort(new Error("stop"));
    await publishing;
    await nats.remove();
  });

  it("prints events, and selects them by namespace, kind and time", async () => {
    const all = await events([]);
    expect(all.stdout.trim().split("\n").toSorted()).toEqual([
      "2026-01-01T00:00:00.000Z DeployItem team-a/web Init (job 1)",
      "2026-01-01T00:00:00.000Z Installation team-a/web Init (job 1)",
      "2026-01-01T00:00:00.000Z Installation team-b/web Init (job 1)",
    ]);
    const linesOf = async (words: readonly string[]): Promise<number> =>
      (await events(words)).stdout.split("\n").length - 1;
    expect(await linesOf(["-n", "team-a"])).toBe(2);
    expect(await linesOf(["--kind", "di"])).toBe(1);
    expect(await linesOf(["--kind", "di", "--kind", "inst", "--since", "1h"])).toBe(3);
    expect(await linesOf(["--since", "1h", "-n", "other"])).toBe(0);
    expect(await linesOf(["--hub", "hub"])).toBe(3);
    expect(await linesOf(["--hub", "other"])).toBe(0);
    const { stdout } = await events(["-o", "json", "-n", "team-b"]);
    expect(JSON.parse(stdout)).toMatchObject({
      specversion: "1.0",
      data: { namespace: "team-b", kind: "Installation" },
    });
  });

  it("says on stderr that no event matches the options", async () => {
    const none = await events(["-n", "other", "--since", "1h"]);
    const note = "note: found no events in the stream LANDSCAPER that match the options\n";
    expect(none).toEqual({ stdout: "", stderr: note, exitCode: 0 });
    expect((await events(["--hub", "other"])).stderr).toBe(note);
    expect((await events(["-n", "team-a"])).stderr).toBe("");
  });

  it("names the stream that does not exist, and the permission that a reader lacks", async () => {
    const user = '{ user: reader, password: reader, permissions: { publish: "$JS.API.INFO", subscribe: ">" } }';
    const admin = "{ user: admin, password: admin }";
    const server = await createNatsServer(
      `jetstream { store_dir: $STORE }\naccounts { A { jetstream: enabled, users: [ ${user}, ${admin} ] } }`,
    );
    await server.start();
    const read = async (login: string): Promise<string> =>
      (await runProgram(["events", "--nats", server.url.replace("//", `//${login}@`)])).stderr;
    const place = `NATS (${new URL(server.url).host})`;
    expect(await read("admin:admin")).toBe(
      `error: ${place}: cannot read the events: the stream LANDSCAPER does not exist. The core creates it when it publishes to this server.\n`,
    );
    expect(await read("reader:reader")).toMatch(
      /: cannot read the events: .*\. Grant the account the permissions of docs\/guide\/cli\.md#events-transitions-on-nats\.\n$/,
    );
    await server.remove();
  });

  it("reads everything if --since is longer than time has been counted", async () => {
    const { stdout, exitCode } = await events(["--since", "99999999999h"]);
    expect([exitCode, stdout.split("\n").length > 3]).toEqual([0, true]);
  });

  it("skips what other clients have published, and names it", async () => {
    const body = "no \u001b[31m json";
    const socket = connect(Number(new URL(nats.url).port), "127.0.0.1");
    socket.resume().end(`CONNECT {}\r\nPUB landscaper.installation.other.x.Init ${body.length}\r\n${body}\r\nPING\r\n`);
    await once(socket, "close");
    const { stdout, stderr, exitCode } = await events(["-n", "other"]);
    expect([exitCode, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(
      /^warning: message \d+ of the stream LANDSCAPER \(landscaper\.installation\.other\.x\.Init\) is not an event/,
    );
  });

  it("follows until it is stopped", async () => {
    const stop = new AbortController();
    const onWrite = (stdout: string): void => {
      if (stdout.split("\n").length === 3) observe(version("Installation", "team-b", "9"), true);
      if (stdout.includes("Deleted")) stop.abort(new Error("enough"));
    };
    const { stdout, exitCode } = await events(["--follow", "--kind", "inst"], { signal: stop.signal, onWrite });
    expect([exitCode, stdout.trim().split("\n").at(-1)]).toEqual([
      0,
      "2026-01-01T00:00:00.000Z Installation team-b/web Deleted (was Init, job 1)",
    ]);
  });
});

it("shows failures, the end of a job and gaps in the line of an event", () => {
  const event = {
    time: "T",
    data: {
      kind: "Execution",
      namespace: "n",
      name: "a",
      phase: "Failed",
      previousPhase: "",
      jobID: "1",
      jobIDFinished: "1",
      gap: true,
      error: { reason: "Timeout", message: "two\nlines" },
    },
  } as TransitionEvent;
  expect(formatEvent(event)).toBe(
    "T Execution n/a Failed (was without phase, job 1 has ended, after a gap): Timeout: two lines",
  );
});

it("shows line breaks in any field of an event without breaking its line", () => {
  const data = {
    kind: "DeployItem",
    namespace: "n",
    name: "a",
    phase: "Failed\nT Installation prod/shop Failed",
    previousPhase: "a\tb",
    jobID: "1\n2",
    error: { reason: "R\nS", message: "m" },
  };
  const line = formatEvent({ time: "T\nU", data } as TransitionEvent);
  expect(line).toBe(
    "T\\x0aU DeployItem n/a Failed\\x0aT Installation prod/shop Failed (was a\\x09b, job 1\\x0a2): R\\x0aS: m",
  );
  const other = { time: "T", source: "/landscaper/1b2c", data: { ...data, phase: "Init", error: undefined } };
  expect(formatEvent(other as unknown as TransitionEvent, { namesHub: true })).toMatch(/, hub 1b2c\)$/);
});
