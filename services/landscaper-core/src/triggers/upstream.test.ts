import { describe, expect, it } from "@jest/globals";
import { keyOf } from "@landscaper/api";
import { countingGraph, installationOf, siblingsOf, type InstallationState } from "../../test/installations.ts";
import { createNewsBoard } from "./news-board.ts";
import { dueTime, isUpstreamBusy, listDownstream } from "./upstream.ts";

const optimization = { hasNoSiblingImports: true, hasNoSiblingExports: true };

/** a -> b -> c, and d beside them; the hints do not hide the flow. */
const states: readonly InstallationState[] = [
  { name: "a", to: ["x"], spec: {} },
  { name: "b", from: ["x"], to: ["y"] },
  { name: "c", from: ["y"] },
  { name: "d", to: ["z"] },
];
/** p and q feed each other. */
const ring: readonly InstallationState[] = [
  { name: "p", from: ["q"], to: ["p"] },
  { name: "q", from: ["p"], to: ["q"] },
];

function graph(list: readonly InstallationState[], changed: Partial<Record<string, Partial<InstallationState>>> = {}) {
  const installations = list.map((state) => {
    const own = { ...state, ...changed[state.name] };
    const made = installationOf(own);
    return { ...made, spec: { ...made.spec, optimization } };
  });
  const get = (name: string) =>
    installations.find(({ metadata }) => metadata.name === name) ?? installationOf({ name });
  return { get, siblings: siblingsOf(installations) };
}

describe("what an Installation depends on", () => {
  const open = { status: { jobID: "2", jobIDFinished: "1" } };
  const triggered = { annotations: { "landscaper.gardener.cloud/operation": "reconcile" } };
  it.each([
    ["is idle", {}, false],
    ["is busy with a job of an exporter", { b: open }, true],
    ["is busy with a job of an exporter's exporter", { a: open }, true],
    ["is busy when an exporter is going to have a job", { a: triggered }, true],
    ["is idle when others work", { c: open, d: open }, false],
  ])("%s", (_name, changed, want) => {
    const { get, siblings } = graph(states, changed);
    expect(isUpstreamBusy(get("c"), siblings)).toBe(want);
  });

  it("is not itself, in a ring", () => {
    const { get, siblings } = graph(ring, { p: open });
    expect([isUpstreamBusy(get("p"), siblings), isUpstreamBusy(get("q"), siblings)]).toEqual([false, true]);
  });

  it("is told to all that depend on it", () => {
    const { get, siblings } = graph(states);
    const names = (name: string) => listDownstream(get(name), siblings).map(({ metadata }) => metadata.name);
    expect([names("a"), names("b"), names("c")]).toEqual([["b", "c"], ["c"], []]);
    const { get: getOf, siblings: ringSiblings } = graph(ring);
    expect(listDownstream(getOf("p"), ringSiblings).map(({ metadata }) => metadata.name)).toEqual(["q"]);
  });
});

describe("news are looked at", () => {
  function dueTimes(list: readonly InstallationState[], newsAt: Readonly<Record<string, number>>) {
    const { get, siblings } = graph(list);
    const news = createNewsBoard();
    for (const [name, atMs] of Object.entries(newsAt)) news.note(keyOf(get(name)), atMs);
    return Object.fromEntries(list.map(({ name }) => [name, dueTime(get(name), { news, siblings })]));
  }

  it("one after the other along the flow of data", () => {
    expect(dueTimes(states, { a: 0, b: 0, c: 0, d: 0 })).toEqual({ a: 1_000, b: 2_000, c: 3_000, d: 1_000 });
    expect(dueTimes(states, { b: 0, c: 1_500 })).toEqual({ a: undefined, b: 1_000, c: 2_500, d: undefined });
  });

  it("without an end of waiting for each other in a ring", () => {
    expect(dueTimes(ring, { p: 0, q: 0 })).toEqual({ p: 1_000, q: 1_000 });
  });

  it("one after the other beside a ring", () => {
    const list = [...ring, { name: "r", from: ["p"], to: ["r"] }, { name: "s", from: ["r", "q"] }];
    expect(dueTimes(list, { p: 0, q: 0, r: 0, s: 0 })).toEqual({ p: 1_000, q: 1_000, r: 2_000, s: 3_000 });
  });

  it("with one look at each link, however many there are", () => {
    const { installations, siblings, looks } = countingGraph(60);
    const news = createNewsBoard();
    for (const one of installations) news.note(keyOf(one), 0);
    const [last] = installations.slice(-1);
    expect(last && dueTime(last, { news, siblings })).toBe(10_000);
    expect(looks()).toBe((60 * 59) / 2);
  });

  it("without an order when a user has made too many links", () => {
    const { installations, siblings, looks } = countingGraph(400);
    const news = createNewsBoard();
    for (const one of installations) news.note(keyOf(one), 0);
    const [last] = installations.slice(-1);
    expect(last && dueTime(last, { news, siblings })).toBe(1_000);
    expect(last && isUpstreamBusy(last, siblings)).toBe(false);
    expect(looks()).toBeLessThan(2 * 50_000);
  });

  it("ten seconds after the first of them at the latest", () => {
    const chain = Array.from({ length: 15 }, (_, index) => ({
      name: `i${index}`,
      from: [`x${index}`],
      to: [`x${index + 1}`],
    }));
    const due = dueTimes(chain, Object.fromEntries(chain.map(({ name }) => [name, 0])));
    expect([due["i0"], due["i8"], due["i14"]]).toEqual([1_000, 9_000, 10_000]);
  });
});
