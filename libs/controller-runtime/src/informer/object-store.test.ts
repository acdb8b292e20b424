import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { KubeObject } from "@landscaper/api";
import { createObjectStore } from "./object-store.ts";
import type { ObjectStore, StoreChange } from "./object-store.ts";

interface Item extends KubeObject {
  color?: string;
}

function item(
  name: string,
  resourceVersion: string,
  more: { uid?: string; color?: string; namespace?: string } = {},
): Item {
  const { uid = `uid-${name}`, namespace = "n", color } = more;
  return {
    apiVersion: "v1",
    kind: "Item",
    metadata: { namespace, name, uid, resourceVersion },
    ...(color === undefined ? {} : { color }),
  };
}

function summary(changes: readonly StoreChange<Item>[]): string[] {
  return changes.map(({ type, object }) => `${type} ${object.metadata.name}@${object.metadata.resourceVersion}`);
}

function contents(store: ObjectStore<Item>): string[] {
  return store.lister
    .list()
    .map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`)
    .toSorted();
}

describe("put", () => {
  it("adds, then updates with the previous version", () => {
    const store = createObjectStore<Item>();
    const first = item("a", "1");
    const second = item("a", "2");
    expect(store.put(first)).toEqual([{ type: "add", object: first }]);
    expect(store.put(second)).toEqual([{ type: "update", object: second, previous: first }]);
    expect(store.lister.get({ namespace: "n", name: "a" })).toBe(second);
  });

  it.each(["1", "2"])("ignores version %s when it holds version 2", (resourceVersion) => {
    const store = createObjectStore<Item>();
    store.put(item("a", "2"));
    expect(store.put(item("a", resourceVersion))).toEqual([]);
    expect(contents(store)).toEqual(["a@2"]);
  });

  it("keeps the order of arrival where versions cannot be compared", () => {
    const store = createObjectStore<Item>();
    expect(summary([...store.put(item("a", "x")), ...store.put(item("a", "y")), ...store.put(item("a", "y"))])).toEqual(
      ["add a@x", "update a@y"],
    );
  });

  it("replaces an object by its successor of the same name", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    expect(summary(store.put(item("a", "5", { uid: "second" })))).toEqual(["update a@5"]);
    expect(store.put(item("a", "3"))).toEqual([]);
  });
});

describe("remove", () => {
  it("reports the last version, as the deletion brought it", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    expect(summary(store.remove(item("a", "7")))).toEqual(["delete a@7"]);
    expect(contents(store)).toEqual([]);
  });

  it("is nothing new for an object that is not there", () => {
    expect(createObjectStore<Item>().remove(item("a", "7"))).toEqual([]);
  });

  it("does not take the successor for the object that was deleted", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "9", { uid: "second" }));
    expect(store.remove(item("a", "7"))).toEqual([]);
    expect(contents(store)).toEqual(["a@9"]);
  });

  it("keeps a deleted object deleted when the answer of an earlier write comes late", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    store.remove(item("a", "7"));
    expect(store.put(item("a", "6"))).toEqual([]);
    expect(contents(store)).toEqual([]);
  });

  it("lets a new object of the same name in", () => {
    const store = createObjectStore<Item>();
    store.remove(item("a", "7"));
    expect(summary(store.put(item("a", "8", { uid: "second" })))).toEqual(["add a@8"]);
  });
});

describe("removeByUid", () => {
  it("removes the object and drops the late news of it", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    expect(summary(store.removeByUid({ namespace: "n", name: "a" }, "uid-a"))).toEqual(["delete a@1"]);
    expect(store.put(item("a", "2"))).toEqual([]);
  });

  it("leaves the successor alone", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1", { uid: "second" }));
    expect(store.removeByUid({ namespace: "n", name: "a" }, "uid-a")).toEqual([]);
    expect(contents(store)).toEqual(["a@1"]);
  });
});

describe("replace", () => {
  it("adds, updates and removes what the list says", () => {
    const store = createObjectStore<Item>();
    for (const name of ["a", "b", "c"]) store.put(item(name, "1"));
    const changes = store.replace([item("a", "1"), item("b", "4"), item("d", "5")], "6");
    expect(summary(changes)).toEqual(["delete c@1", "update b@4", "add d@5"]);
  });

  it("keeps what was written after the list was made", () => {
    const store = createObjectStore<Item>();
    store.put(item("new", "9"));
    store.put(item("changed", "8"));
    expect(summary(store.replace([item("changed", "5")], "6"))).toEqual([]);
    expect(contents(store)).toEqual(["changed@8", "new@9"]);
  });

  it("does not bring back what was deleted while the list was under way", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    store.removeByUid({ namespace: "n", name: "a" }, "uid-a");
    expect(store.replace([item("a", "1")], "6")).toEqual([]);
  });
});

describe("a list", () => {
  it.each([
    { name: "says what is known", items: [item("a", "5")], isContradiction: false },
    { name: "has newer versions", items: [item("a", "9")], isContradiction: false },
    { name: "misses objects", items: [], isContradiction: false },
    { name: "has an older version than one that was seen by then", items: [item("a", "4")], isContradiction: true },
    { name: "was made before the version that is known", items: [item("new", "4")], isContradiction: false },
    { name: "has an object that was gone by then", items: [item("gone", "2")], isContradiction: true },
    { name: "has the last version of an object that lives on", items: [item("gone", "6")], isContradiction: false },
    { name: "was made before an object was gone", items: [item("late", "2")], isContradiction: false },
    { name: "was made before an own deletion, perhaps", items: [item("own", "2")], isContradiction: false },
    { name: "has an older object of the same name", items: [item("a", "4", { uid: "x" })], isContradiction: false },
    { name: "has versions without an order", items: [item("a", "x")], isContradiction: false },
  ])("that $name: from an older state? $isContradiction", ({ items, isContradiction }) => {
    const store = createObjectStore<Item>();
    store.put(item("a", "5"));
    store.put(item("new", "11"));
    store.remove(item("gone", "6"));
    store.remove(item("late", "12"));
    store.removeByUid({ namespace: "n", name: "own" }, "uid-own");
    expect(store.isContradictedBy(items, "10")).toBe(isContradiction);
  });
});

describe("reset", () => {
  it("trusts the list alone, older versions too", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "100"));
    store.put(item("b", "101"));
    store.remove(item("c", "102"));
    expect(summary(store.reset([item("a", "3"), item("c", "4")]))).toEqual(["delete b@101", "update a@3", "add c@4"]);
    expect(contents(store)).toEqual(["a@3", "c@4"]);
  });
});

describe("lister", () => {
  const byColor = { color: ({ color }: Item) => (color === undefined ? [] : [color]) };

  it("lists by namespace", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1"));
    store.put(item("b", "2", { namespace: "m" }));
    expect(store.lister.list({ namespace: "m" }).map(({ metadata }) => metadata.name)).toEqual(["b"]);
    expect(store.lister.list({ namespace: "x" })).toEqual([]);
    expect(store.lister.list()).toHaveLength(2);
  });

  it("finds by index, after changes too", () => {
    const store = createObjectStore<Item>();
    store.addIndexes(byColor);
    store.put(item("a", "1", { color: "red" }));
    store.put(item("b", "2", { color: "red" }));
    store.put(item("a", "3", { color: "blue" }));
    store.remove(item("b", "4"));
    expect([store.lister.byIndex("color", "red"), store.lister.byIndex("color", "blue").length]).toEqual([[], 1]);
  });

  it("indexes what was there before the index", () => {
    const store = createObjectStore<Item>();
    store.put(item("a", "1", { color: "red" }));
    store.addIndexes(byColor);
    expect(store.lister.byIndex("color", "red")).toHaveLength(1);
  });

  it("refuses an index that nobody has declared", () => {
    const store = createObjectStore<Item>();
    expect(() => store.lister.byIndex("colour", "red")).toThrow(
      new TypeError('no index "colour" is declared for this informer'),
    );
  });
});

/** One object's life: its versions, and at its end perhaps its deletion. */
interface History {
  readonly events: readonly { readonly version: Item; readonly isDeletion: boolean }[];
}

function makeHistory(steps: readonly ("write" | "delete")[]): History {
  let incarnation = 0;
  let isThere = false;
  const events = steps.flatMap((step, index) => {
    if (step === "delete" && !isThere) return [];
    if (step === "write" && !isThere) incarnation++;
    isThere = step === "write";
    return [{ version: item("a", String(index + 1), { uid: `uid-${incarnation}` }), isDeletion: step === "delete" }];
  });
  return { events };
}

describe("the store under late answers", () => {
  it("ends where the watch ends, whatever answers of own writes come in between, as long as they come before the end", () => {
    const stepsOf = fc.array(fc.constantFrom("write" as const, "write" as const, "delete" as const), { maxLength: 12 });
    fc.assert(
      fc.property(
        stepsOf,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        (steps, answers, when) => {
          const { events } = makeHistory(steps);
          const store = createObjectStore<Item>();
          let lastVersion = 0;
          const seen: StoreChange<Item>[] = [];
          const late = answers
            .map((choice) => events[choice % Math.max(1, events.length)])
            .filter((event) => event !== undefined && !event.isDeletion)
            .map((event) => ({ answer: event!.version, at: when.next().value % (events.length + 1) }));
          for (const [index, event] of events.entries()) {
            for (const { answer, at } of late) {
              // An answer cannot come before its write, nor is it given to the store once the watch has passed it.
              if (at === index && Number(answer.metadata.resourceVersion) > lastVersion)
                seen.push(...store.put(answer));
            }
            seen.push(...(event.isDeletion ? store.remove(event.version) : store.put(event.version)));
            lastVersion = Number(event.version.metadata.resourceVersion);
          }
          const last = events.at(-1);
          const want = last === undefined || last.isDeletion ? [] : [`a@${last.version.metadata.resourceVersion}`];
          expect(contents(store)).toEqual(want);
          // What handlers were told adds up: an object is only added when it is not there, and only deleted when it is.
          let isThere = false;
          for (const { type } of seen) {
            expect(type === "add" ? !isThere : isThere).toBe(true);
            isThere = type !== "delete";
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
