// Who may take over what another item has marked (docs/reference/objects-on-targets.md#whose-an-object-is).
import { describe, expect, it } from "@jest/globals";
import { judgeOwnership, type OwnerLabel, type OwnerMark } from "./owner-label.ts";
import { decideTakeOver, findOwnerState, takeOverHint, type OwnerState, type TakeOver } from "./take-over.ts";

const owner: OwnerLabel = {
  key: "owner",
  value: "item",
  item: { namespace: "mine", name: "item", uid: "u-mine" },
  hub: "hub-1",
};
const gone: OwnerState = { type: "gone" };
const exists: OwnerState = { type: "exists" };
const deleting: OwnerState = { type: "deleting" };
const unknown: OwnerState = { type: "unknown", why: "the landscaper cluster answers 403" };
const take = { type: "take" };
const refuse = { type: "refuse" };
const refuseUnless = (value: string) => ({ type: "refuse", value });
const wait = (why: string) => ({ type: "wait", why });
const cannotAsk = "cannot be looked up: the landscaper cluster answers 403";

/** HUB:NAMESPACE/NAME; an empty HUB: a mark of earlier releases. */
function markOf(text: string): OwnerMark {
  const [hub = "", key = ""] = text.split(":");
  const [namespace = "", name = ""] = key.split("/");
  return { namespace, name, uid: "u-other", ...(hub === "" ? {} : { hub }) };
}

describe("an object with the mark", () => {
  it.each<[mark: string, state: OwnerState, from: string | undefined, expected: object]>([
    ["hub-1:mine/other", gone, undefined, take],
    ["hub-1:mine/other", exists, undefined, refuse],
    ["hub-1:mine/other", deleting, undefined, wait("is being deleted")],
    ["hub-1:mine/other", unknown, undefined, wait(cannotAsk)],
    ["hub-1:mine/other", exists, "hub-1", refuse],
    ["hub-1:mine/other", exists, "hub-1/mine", refuse],
    ["hub-1:theirs/other", gone, undefined, refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", gone, "hub-1/theirs", take],
    ["hub-1:theirs/other", gone, "hub-1", take],
    ["hub-1:theirs/other", gone, "hub-1/mine", refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", gone, "theirs/other", refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", exists, "hub-1/theirs", refuse],
    ["hub-1:theirs/other", exists, undefined, refuse],
    ["hub-1:theirs/other", deleting, undefined, refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", deleting, "hub-1/theirs", wait("is being deleted")],
    ["hub-1:theirs/other", unknown, undefined, refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", unknown, "hub-1/theirs", wait(cannotAsk)],
    ["hub-2:mine/item", gone, undefined, refuseUnless("hub-2/mine")],
    ["hub-2:mine/item", gone, "hub-2/mine", take],
    ["hub-2:theirs/other", gone, "hub-2", take],
    ["hub-2:theirs/other", gone, "hub-1, hub-2/theirs", take],
    ["hub-2:theirs/other", gone, "hub-1,hub-2/mine", refuseUnless("hub-2/theirs")],
    [":mine/item", gone, undefined, refuseUnless("mine/item")],
    [":mine/item", gone, "mine/item", take],
    [":theirs/other", gone, "hub-1", refuseUnless("theirs/other")],
    [":theirs/other", exists, "theirs/other", refuse],
    [":theirs/other", deleting, "theirs/other", wait("is being deleted")],
    [":theirs/other", unknown, "theirs/other", take],
    [":theirs/other", unknown, undefined, refuseUnless("theirs/other")],
  ])("%s, whose owner %j, with %s: %j", (...[text, state, from, expected]) => {
    expect(decideTakeOver({ mark: markOf(text), owner, from, state })).toEqual(expected);
  });

  it("of any landscaper cluster is that of another one for an item that does not know its own", () => {
    const { hub: _hub, ...nowhere } = owner;
    const input = { mark: markOf("hub-1:mine/other"), owner: nowhere, state: gone };
    expect(decideTakeOver({ ...input, from: undefined })).toEqual(refuseUnless("hub-1/mine"));
    expect(decideTakeOver({ ...input, from: "hub-1/mine" })).toEqual(take);
  });
});

describe("the owner of a mark", () => {
  it.each([
    ["hub-1:mine/other", true],
    ["hub-1:theirs/other", true],
    [":theirs/other", true],
    ["hub-2:theirs/other", false],
    // An item of our name that is not ours is gone: we are the one of that name.
    ["hub-1:mine/item", false],
    [":mine/item", false],
  ])("%s is looked up: %s", async (text, isAsked) => {
    const asked: unknown[] = [];
    const takeOver: TakeOver = {
      from: undefined,
      stateOf: (found) => {
        asked.push(found);
        return Promise.resolve(exists);
      },
      onTaken: () => {},
    };
    const mark = markOf(text);
    expect(await findOwnerState(mark, owner, takeOver)).toEqual(isAsked ? exists : gone);
    expect(asked).toEqual(isAsked ? [mark] : []);
  });
});

describe("the text of annotations", () => {
  const prefix = "landscaper.gardener.cloud/";
  const judge = (marks: Record<string, string>) =>
    judgeOwnership(
      {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: {
          annotations: Object.fromEntries(Object.entries(marks).map(([key, value]) => [prefix + key, value])),
        },
      },
      owner,
    );

  it.each<[marks: Record<string, string>, expected: object]>([
    [{ "owned-by": "mine/item/u-mine" }, { type: "ours" }],
    [{ "owned-by": "mine/item/u-mine", "owned-by-hub": "hub-2" }, { type: "ours" }],
    [{ "owned-by": "mine/a/u" }, { type: "other", owner: "a" }],
    [{ "owned-by": "theirs/a/u" }, { type: "other", owner: "theirs/a" }],
    [{ "owned-by": "mine/item/u" }, { type: "other", owner: "mine/item" }],
    [{ "owned-by": "mine/a/u", "owned-by-hub": "hub-1", "owned-by-item": "blog/web" }, { owner: "a (blog/web)" }],
    [{ "owned-by": "mine/a/u", "owned-by-hub": "hub-2" }, { owner: "mine/a of landscaper cluster hub-2" }],
    [{ "owned-by": "mine/a" }, { type: "unmarked" }],
    [{ "owned-by": "mine/a b/u" }, { type: "unmarked" }],
    [{ "owned-by": `mine/${"a".repeat(300)}/u` }, { type: "unmarked" }],
    [{ "owned-by": "mine/a/u", "owned-by-hub": "two words", "owned-by-item": "a/b/c" }, { owner: "a" }],
  ])("%j", (marks, expected) => {
    expect(judge(marks)).toMatchObject(expected);
  });

  it("is never more than names", () => {
    const found = judge({
      "owned-by": "mine/a/u",
      "owned-by-hub": `x"\n${"y".repeat(70_000)}`,
      "owned-by-item": "a/<b>",
    });
    expect(found).toEqual({
      type: "other",
      owner: "a",
      by: "annotation",
      mark: { namespace: "mine", name: "a", uid: "u" },
    });
  });
});

it("the hint prints the value to set", () => {
  expect(takeOverHint("hub-2/shops")).toBe(
    'if nobody else manages it any more, set the annotation landscaper.gardener.cloud/take-over-from: "hub-2/shops" on the Installation, or on a deploy item that has none',
  );
});
