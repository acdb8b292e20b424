import type { ConfigMap } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import type { InformerOptions } from "../controller-interface.ts";
import { openWatch, reset, status, watchLines, waitFor } from "@landscaper/testkit";
import {
  useInformerFixture,
  item,
  list,
  event,
  server,
  log,
  stop,
  counted,
  start,
  requested,
  passTimeUntil,
} from "../../test/informer-fixture.ts";

useInformerFixture();

describe("relist", () => {
  it("lists anew at once when its version is gone (410 as an event)", async () => {
    server.script(
      list("10", item("a", "5"), item("b", "6")),
      watchLines({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } }),
      list("100", item("a", "50"), item("c", "60")),
    );
    const { seen } = start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 100"]);
    expect(seen).toEqual(["add a@5", "add b@6", "delete b@6", "update 5 to a@50", "add c@60"]);
    expect(log.lines).toMatchObject([{ delayMs: 0 }]);
  });

  it("lists anew when its version is gone (410 as an answer)", async () => {
    server.script(list("10"), status({ code: 410, reason: "Expired" }), list("100"));
    start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 100"]);
  });

  it("does not turn in circles when the version is gone again and again", async () => {
    const gone = watchLines({ type: "ERROR", object: { code: 410 } });
    server.script(list("10"), gone, list("20"), gone, list("30"), gone, list("40"));
    start();
    await passTimeUntil(() => requested().length === 8);
    expect(requested().filter((what) => what === "list")).toHaveLength(4);
  });

  it("goes on after any number of failures of the list", async () => {
    const forbidden = status({ code: 403, reason: "Forbidden" });
    server.script(forbidden, forbidden, forbidden, list("10", item("a", "5")));
    const { informer, seen } = start();
    await passTimeUntil(() => informer.hasSynced);
    expect(seen).toEqual(["add a@5"]);
    expect(log.lines.map((line) => line["delayMs"])).toEqual([100, 200, 400]);
    expect(counted.filter((what) => what === "error")).toHaveLength(3);
  });

  it("lists anew when the kind was away", async () => {
    server.script(list("10"), status({ code: 404, reason: "NotFound" }), list("20"));
    start();
    await passTimeUntil(() => requested().length === 4);
    expect(requested()).toEqual(["list", "watch from 10", "list", "watch from 20"]);
  });

  it("keeps its place while the server only has trouble, and asks whether it has come as far", async () => {
    const unavailable = status({ code: 503 });
    server.script(list("10"), unavailable, list("10"), reset, list("11"), status({ code: 429 }));
    start();
    await passTimeUntil(() => requested().length === 7);
    const again = ["list of nothing", "watch from 10"];
    expect(requested()).toEqual(["list", "watch from 10", ...again, ...again, "watch from 10"]);
  });

  it("asks nothing else when an open watch breaks off", async () => {
    const watch = openWatch();
    server.script(list("10"), watch.answer);
    const { informer } = start();
    await informer.waitForSync(stop.signal);
    await waitFor(() => requested().length === 2);
    watch.cut();
    await passTimeUntil(() => requested().length === 3);
    expect(requested()).toEqual(["list", "watch from 10", "watch from 10"]);
  });

  it("trusts a server that was restored to an older state while it was away", async () => {
    const bookmark = { type: "BOOKMARK", object: item("", "2000") };
    server.script(
      list("1000", item("a", "900"), item("b", "901")),
      watchLines(bookmark),
      reset,
      // Newer than the last object, and older than the bookmark.
      list("1500"),
      list("1500", item("a", "15"), item("c", "1400")),
    );
    const { informer, seen } = start();
    await passTimeUntil(() => requested().length === 6);
    expect(requested()).toEqual([
      "list",
      "watch from 1000",
      "watch from 2000",
      "list of nothing",
      "list",
      "watch from 1500",
    ]);
    expect(seen).toEqual(["add a@900", "add b@901", "delete b@901", "update 900 to a@15", "add c@1400"]);
    expect(informer.lister.list()).toHaveLength(2);
    expect(log.lines.map(({ msg }) => msg)).toEqual([
      "the watch failed and is set up again",
      "the server was restored to an older state, and all objects are read anew",
    ]);
  });

  it("trusts a restored server that has come further since than it ever had", async () => {
    server.script(
      list("100", item("a", "90"), item("b", "91")),
      watchLines(event("MODIFIED", item("a", "101")), event("DELETED", item("b", "102"))),
      status({ code: 410, reason: "Expired" }),
      list("200", item("a", "50"), item("b", "51")),
    );
    const { seen } = start();
    await passTimeUntil(() => requested().length === 5);
    expect(seen).toEqual([
      "add a@90",
      "add b@91",
      "update 90 to a@101",
      "delete b@102",
      "update 101 to a@50",
      "add b@51",
    ]);
  });

  it("trusts a restored server that refuses its place, too", async () => {
    const tooLarge = status({ code: 504, reason: "Timeout", message: "Too large resource version" });
    const position = list("1000");
    server.script(
      list("1000", item("a", "900"), item("b", "901")),
      tooLarge,
      position,
      tooLarge,
      position,
      tooLarge,
      list("20", item("a", "15")),
    );
    const { informer, seen } = start();
    await passTimeUntil(() => requested().length === 8);
    expect(seen).toEqual(["add a@900", "add b@901", "delete b@901", "update 900 to a@15"]);
    expect(informer.lister.list()).toHaveLength(1);
  });
});

describe("observe", () => {
  async function startSynced(options: InformerOptions<ConfigMap> = {}, ...items: readonly ConfigMap[]) {
    const watch = openWatch();
    server.script(list("10", ...items), watch.answer);
    const started = start(options);
    await started.informer.waitForSync(stop.signal);
    await waitFor(() => requested().length === 2);
    return { ...started, say: (line: object) => watch.say(line) };
  }

  it("shows an own write at once, and the watch's echo of it changes nothing", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "11"));
    expect(seen).toEqual(["add a@5", "update 5 to a@11"]);
    say(event("MODIFIED", item("a", "11")));
    say(event("ADDED", item("end", "12")));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "update 5 to a@11", "add end@12"]);
  });

  it("does not go back when the watch is behind the own writes", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "11"));
    informer.observe(item("a", "12"));
    say(event("MODIFIED", item("a", "11")));
    say(event("MODIFIED", item("a", "13")));
    await waitFor(() => seen.length === 4);
    expect(seen).toEqual(["add a@5", "update 5 to a@11", "update 11 to a@12", "update 12 to a@13"]);
  });

  it("does not let the caller's later changes into the store", async () => {
    const { informer } = await startSynced();
    const answer = item("a", "11");
    informer.observe(answer);
    answer.data!["a"] = "changed";
    expect(informer.lister.list()[0]?.data).toEqual({ a: "b" });
  });

  it("does not resurrect what the watch has seen deleted", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    say(event("DELETED", item("a", "12")));
    await waitFor(() => seen.length === 2);
    informer.observe(item("a", "11"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("does not resurrect what was made and deleted before the list", async () => {
    const { informer } = await startSynced();
    informer.observe(item("short-lived", "9"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("removes an object whose last finalizer an own write took", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    const answer = item("a", "11");
    informer.observe({ ...answer, metadata: { ...answer.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
    expect(informer.lister.list()).toEqual([]);
    say(event("MODIFIED", item("a", "10")));
    say(event("DELETED", item("a", "12")));
    say(event("ADDED", item("a", "13", { uid: "second" })));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "delete a@11", "add a@13"]);
  });

  it("removes an object that an own delete has removed, and drops the late news of it", async () => {
    const { informer, seen, say } = await startSynced({}, item("a", "5"));
    informer.observeDeletion({ namespace: "n", name: "a" }, "uid-a");
    say(event("MODIFIED", item("a", "11")));
    say(event("DELETED", item("a", "12")));
    say(event("ADDED", item("end", "13")));
    await waitFor(() => seen.length === 3);
    expect(seen).toEqual(["add a@5", "delete a@5", "add end@13"]);
  });

  it("takes an own write in before the first list, which may be older", async () => {
    let answerList = (): void => {};
    server.script((response, request) => {
      answerList = () => void list("10", item("a", "5"))(response, request);
    });
    const { informer, seen } = start();
    await waitFor(() => server.requests.length === 1);
    informer.observe(item("a", "11"));
    informer.observe(item("b", "12"));
    answerList();
    await informer.waitForSync(stop.signal);
    expect(seen).toEqual(["add a@11", "add b@12"]);
    expect(informer.lister.list()).toHaveLength(2);
  });

  it("leaves out what its selection leaves out", async () => {
    const labels = { app: "web" };
    const { informer, seen } = await startSynced(
      { namespace: "n", labelSelector: "app=web" },
      item("a", "5", { labels }),
    );
    informer.observe(item("other", "11"));
    informer.observe(item("a", "12"));
    expect(seen).toEqual(["add a@5", "delete a@12"]);
    informer.observe(item("a", "13", { labels }));
    expect(seen.at(-1)).toBe("add a@13");
  });

  it("leaves to the watch what only the server can judge", async () => {
    const { informer } = await startSynced({ fieldSelector: "type=Opaque" });
    informer.observe(item("a", "11"));
    expect(informer.lister.list()).toEqual([]);
  });

  it("waits for the watch where versions cannot be compared", async () => {
    const { informer } = await startSynced({}, item("a", "5"));
    informer.observe(item("a", "opaque"));
    expect(informer.lister.list()[0]?.metadata.resourceVersion).toBe("5");
  });
});
