import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { contractCount, contractLists, phaseNames } from "../../bench/installations/contract.ts";
import { openWriteConnection, type WriteConnection } from "../../bench/measure/write-connection.ts";
import { countKinds, isWithin, kindOf, type Exchange } from "../../bench/replay/exchange.ts";
import { createContractPicker, findSubject, planReplay } from "../../bench/replay/plan-replay.ts";
import { createRewriter } from "../../bench/replay/rewriter.ts";
import { runReplay } from "../../bench/replay/run-replay.ts";

const uid = (digit: number): string => `${`${digit}`.repeat(8)}-0000-4000-8000-000000000000`;
const items = "/apis/example.org/v1/namespaces/recorded/items";

function exchange(more: Partial<Exchange> & { readonly at?: readonly [number, number] } = {}): Exchange {
  const { at: [began, ended] = [0, 1], ...fields } = more;
  const defaults = { method: "GET", path: `${items}/a-1`, contentType: "", requestBody: "", status: 200 };
  return { ...defaults, responseBody: "{}", began, ended, ...fields };
}

const objectOf = (metadata: object): string => JSON.stringify({ metadata });

describe("the kind of a request", () => {
  it.each([
    ["POST", "/api/v1/namespaces/n/secrets?fieldManager=x", "POST secrets"],
    ["GET", "/api/v1/namespaces/n/secrets/s", "GET secrets"],
    ["PUT", "/apis/example.org/v1/namespaces/n/items/i/status", "PUT items/status"],
    ["PATCH", "/apis/example.org/v1/things/t", "PATCH things"],
    ["GET", "/api/v1/namespaces/n", "GET namespaces"],
  ])("of %s %s is %s", (method, path, want) => {
    expect(kindOf({ method, path })).toBe(want);
  });

  it("is counted, the most frequent first", () => {
    const all = [exchange(), exchange({ method: "PUT" }), exchange({ method: "PUT" })];
    expect(Object.entries(countKinds(all))).toEqual([
      ["PUT items", 2],
      ["GET items", 1],
    ]);
  });
});

describe("a request", () => {
  it.each([
    ["/api/v1/namespaces/recorded/secrets", true],
    ["/api/v1/namespaces/recorded", true],
    ["/api/v1", true],
    ["/apis/events.k8s.io/v1/namespaces/recorded-warm-up/events/e", false],
  ])("of %s belongs to the recorded namespace: %s", (path, want) => {
    expect(isWithin("recorded", { path })).toBe(want);
  });
});

describe("the plan of a replay", () => {
  const subjectOf = findSubject(/\b[ab]-(\d+)\b/);

  it("groups requests by subject, and puts each request without a subject into its own group", () => {
    const all = [
      exchange({ at: [5, 6], path: `${items}/digest`, responseBody: '{"owner":"b-1"}' }),
      exchange({ at: [0, 1], path: `${items}/a-1` }),
      exchange({ at: [2, 3], path: `${items}/a-2`, requestBody: "b-1" }),
      exchange({ at: [3, 4], path: "/api/v1" }),
      exchange({ at: [4, 5], path: "/api/v1" }),
    ];
    const groups = planReplay(all, subjectOf);
    expect(groups.map(({ subject, exchanges }) => [subject, exchanges.length])).toEqual([
      ["1", 2],
      ["2", 1],
      [undefined, 1],
      [undefined, 1],
    ]);
    expect(groups[0]?.exchanges.map(({ exchange: { began } }) => began)).toEqual([0, 5]);
  });

  it("makes a request wait for the answers that had arrived when the product sent it", () => {
    const all = [
      exchange({ at: [0, 2] }),
      exchange({ at: [1, 5] }),
      exchange({ at: [3, 4] }),
      exchange({ at: [5, 6] }),
    ];
    const [group] = planReplay(all, subjectOf);
    expect(group?.exchanges.map(({ after }) => after)).toEqual([[], [], [0], [0, 1, 2]]);
  });

  it("makes a write wait for the previous write to its object, whose answer may arrive later", () => {
    const write = (method: string, version: string, at: readonly [number, number]) =>
      exchange({ method, at, responseBody: objectOf({ uid: uid(1), resourceVersion: version }) });
    // A watch brought version 9 to the second client before the first client had its answer.
    const all = [write("PUT", "9", [0, 5]), write("PUT", "10", [1, 4]), exchange({ at: [2, 3] })];
    const [group] = planReplay(all, subjectOf);
    expect(group?.exchanges.map(({ after }) => after)).toEqual([[], [0], []]);
    // The API server committed the later request first.
    const swapped = [write("PATCH", "12", [0, 5]), write("PUT", "11", [1, 4]), write("PUT", "13", [2, 6])];
    const [other] = planReplay(swapped, subjectOf);
    expect(other?.exchanges.map(({ exchange: { method, began }, after }) => [method, began, after])).toEqual([
      ["PUT", 1, []],
      ["PATCH", 0, [0]],
      ["PUT", 2, [1]],
    ]);
  });
});

describe("the pick of the contract", () => {
  const write = (version: string, more: Parameters<typeof exchange>[0] = {}): Exchange =>
    exchange({ method: "PUT", responseBody: objectOf({ uid: uid(1), resourceVersion: version }), ...more });
  const plan = (...all: readonly Exchange[]) => planReplay(all, findSubject(/\b(a-\d+)\b/));

  it("takes the first requests of a kind and the last one, but no failed request", () => {
    const all = ["1", "2", "3", "4"].map((version, index) => write(version, { at: [index, index + 0.5] }));
    const conflict = exchange({ method: "PUT", status: 409, at: [9, 10] });
    const picker = createContractPicker();
    const [group] = picker.pick(plan(...all, exchange({ at: [8, 9] }), conflict), { "PUT items": 2 });
    expect(group?.exchanges).toEqual([
      { exchange: all[0], after: [] },
      { exchange: all[3], after: [0] },
    ]);
    // A request that names version 3 names version 1 in the replay.
    expect([...picker.skipped]).toEqual([
      ["2", "1"],
      ["3", "2"],
    ]);
  });

  it("remembers the version of an object from one phase to the next", () => {
    const picker = createContractPicker();
    picker.pick(plan(write("1")), { "PUT items": 1 });
    picker.pick(plan(write("2"), write("3", { method: "PATCH", at: [2, 3] })), { "PATCH items": 1 });
    expect([...picker.skipped]).toEqual([["2", "1"]]);
  });

  it("omits exchanges without a subject", () => {
    expect(createContractPicker().pick(plan(exchange({ path: "/api/v1" })), {})).toEqual([]);
  });

  it("fails if the product sends fewer requests than the list has", () => {
    expect(() => createContractPicker().pick(plan(write("1")), { "PUT items": 2 })).toThrow(
      'a-1: expected at least 2 of "PUT items", found 1. The product sends fewer: shorten the list of the contract.',
    );
  });

  it("has lists for all phases of the measured Installation", () => {
    expect(phaseNames.map((phase) => contractCount(phase))).toEqual([19, 19, 12]);
    expect(contractLists.delete).toMatchObject({ "DELETE installations": 1, "PUT deployitems/status": 2 });
  });
});

describe("a rewriter", () => {
  it("names the objects of the replay", () => {
    const rewriter = createRewriter({ texts: new Map([["recorded", "replayed"]]), skipped: new Map([["6", "5"]]) });
    const recorded = exchange({ responseBody: objectOf({ uid: uid(1), resourceVersion: "5" }) });
    rewriter.learn(recorded, objectOf({ uid: uid(7), resourceVersion: "70" }));
    rewriter.learn(exchange({ responseBody: "not JSON" }), "not JSON");
    // The version of a list is that of the newest object, and no object of the replay has it.
    rewriter.learn(exchange({ responseBody: objectOf({ resourceVersion: "5" }) }), objectOf({ resourceVersion: "80" }));
    const body = `{"namespace":"recorded","uid":"${uid(1)}","job":"${uid(2)}","resourceVersion":"5"}`;
    expect(rewriter.rewrite(body)).toBe(
      `{"namespace":"replayed","uid":"${uid(7)}","job":"${uid(2)}","resourceVersion":"70"}`,
    );
    expect(rewriter.rewrite('"resourceVersion":"6"')).toBe('"resourceVersion":"70"');
    expect(rewriter.rewrite('"resourceVersion":"9"')).toBe('"resourceVersion":"9"');
  });
});

describe("a replay", () => {
  const seen: { readonly line: string; readonly type: string | undefined; readonly body: string }[] = [];
  let answer: (request: IncomingMessage) => { readonly status: number; readonly body: string };
  const server = createServer((request, response) => void reply(request, response));
  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    seen.push({ line: `${request.method} ${request.url}`, type: request.headers["content-type"], body });
    const { status, body: sent } = answer(request);
    response.writeHead(status).end(sent);
  }
  let connection: WriteConnection;

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo; // it listens on a port
    connection = openWriteConnection({ url: `http://127.0.0.1:${port}`, ca: undefined, token: "t", inFlight: 2 });
  });
  beforeEach(() => {
    seen.length = 0;
  });
  afterAll(async () => {
    await connection.close();
    server.close();
  });

  const created = exchange({
    method: "POST",
    path: items,
    contentType: "application/json",
    requestBody: '{"name":"a-1","namespace":"recorded"}',
    status: 201,
    responseBody: objectOf({ uid: uid(1), resourceVersion: "5" }),
  });
  const updated = exchange({
    at: [2, 3],
    method: "PUT",
    contentType: "application/json",
    requestBody: `{"uid":"${uid(1)}","resourceVersion":"5"}`,
  });
  const start = async (): Promise<number> =>
    runReplay({
      connection,
      groups: planReplay([updated, created], findSubject(/\b(a-\d+)\b/)),
      rewriter: createRewriter({ texts: new Map([["recorded", "replayed"]]) }),
      inFlight: 2,
    });

  it("sends the requests in their order, and names its own objects", async () => {
    answer = ({ method }) =>
      method === "POST"
        ? { status: 201, body: objectOf({ uid: uid(8), resourceVersion: "80" }) }
        : { status: 200, body: "{}" };
    expect(await start()).toBeGreaterThan(0);
    const path = items.replace("recorded", "replayed");
    expect(seen).toEqual([
      { line: `POST ${path}`, type: "application/json", body: '{"name":"a-1","namespace":"replayed"}' },
      { line: `PUT ${path}/a-1`, type: "application/json", body: `{"uid":"${uid(8)}","resourceVersion":"80"}` },
    ]);
  });

  it("fails if the status of an answer differs from the recorded one", async () => {
    answer = () => ({ status: 409, body: "exists" });
    await expect(start()).rejects.toThrow(
      `replay of POST items (${items}): expected status 201, as recorded, found 409: exists`,
    );
    expect(seen).toHaveLength(1);
  });
});
