// Who may take over what another item has marked (docs/reference/objects-on-targets.md#ownership).
import { describe, expect, it } from "@jest/globals";
import { judgeOwnership, type OwnerLabel, type OwnerMark } from "./owner-label.ts";
import {
  decideTakeOver,
  judgeTakeOver,
  ownedByOther,
  type OwnedByOther,
  type OwnerState,
  type TakeOver,
} from "./take-over.ts";

const owner: OwnerLabel = {
  key: "owner",
  value: "item",
  item: { namespace: "mine", name: "item", uid: "u-mine" },
  hub: "hub-1",
};
const gone: OwnerState = { type: "gone" };
const exists: OwnerState = { type: "exists" };
const deleting: OwnerState = { type: "deleting" };
const forbidden: OwnerState = { type: "unknown", why: "the landscaper cluster answers 403", isForbidden: true };
const silent: OwnerState = { type: "unknown", why: "the landscaper cluster does not answer", isForbidden: false };
const take = { type: "take" };
const refuse = { type: "refuse" };
const refuseUnless = (value: string) => ({ type: "refuse", value });
const leaving = { type: "wait", why: "is being deleted", hint: "the job continues when it is gone" };
const noRight = {
  type: "wait",
  why: "cannot be looked up: the landscaper cluster answers 403",
  hint: "grant the deployer the right to get DeployItems there",
};
const noAnswer = {
  type: "wait",
  why: "cannot be looked up: the landscaper cluster does not answer",
  hint: "the job tries again",
};

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
    ["hub-1:mine/other", deleting, undefined, leaving],
    ["hub-1:mine/other", forbidden, undefined, noRight],
    ["hub-1:mine/other", silent, undefined, noAnswer],
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
    ["hub-1:theirs/other", deleting, "hub-1/theirs", leaving],
    ["hub-1:theirs/other", forbidden, undefined, refuseUnless("hub-1/theirs")],
    ["hub-1:theirs/other", forbidden, "hub-1/theirs", noRight],
    ["hub-2:mine/item", gone, undefined, refuseUnless("hub-2/mine")],
    ["hub-2:mine/item", gone, "hub-2/mine", take],
    ["hub-2:theirs/other", gone, "hub-2", take],
    ["hub-2:theirs/other", gone, "hub-1, hub-2/theirs", take],
    ["hub-2:theirs/other", gone, "hub-1,hub-2/mine", refuseUnless("hub-2/theirs")],
    ["hub-2:theirs/other", silent, "hub-2", noAnswer],
    ["hub-2:theirs/other", forbidden, "hub-2", take],
    // Its Secret was lost: the landscaper cluster had this id before.
    ["hub-2:theirs/other", exists, "hub-2", refuse],
    [":mine/item", gone, undefined, refuseUnless("mine/item")],
    [":mine/item", gone, "mine/item", take],
    [":theirs/other", gone, "hub-1", refuseUnless("theirs/other")],
    [":theirs/other", exists, "theirs/other", refuse],
    [":theirs/other", deleting, "theirs/other", leaving],
    [":theirs/other", forbidden, "theirs/other", noRight],
    [":theirs/other", silent, "theirs/other", noAnswer],
    [":theirs/other", silent, undefined, refuseUnless("theirs/other")],
  ])("%s, whose owner %j, with %s: %j", (...[text, state, from, expected]) => {
    expect(decideTakeOver({ mark: markOf(text), owner, from, state })).toEqual(expected);
  });
});

describe("an item that does not know its own landscaper cluster", () => {
  const { hub: _hub, ...nowhere } = owner;
  it.each<[state: OwnerState, from: string | undefined, expected: object]>([
    [gone, undefined, refuseUnless("hub-1/mine")],
    [gone, "hub-1/mine", take],
    [exists, "hub-1/mine", refuse],
    [deleting, "hub-1/mine", leaving],
    [silent, "hub-1/mine", noAnswer],
    [forbidden, "hub-1/mine", noRight],
  ])("judges an owner that %j, with %s: %j", (state, from, expected) => {
    expect(decideTakeOver({ mark: markOf("hub-1:mine/other"), owner: nowhere, from, state })).toEqual(expected);
  });
});

describe("the owner of a mark", () => {
  // An item of our name may be one that was created after ours was given up.
  it.each(["hub-1:mine/other", "hub-1:theirs/other", "hub-2:theirs/other", ":theirs/other", "hub-1:mine/item"])(
    "%s is looked up",
    async (text) => {
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
      expect(await judgeTakeOver({ owner: "other", by: "annotation", mark }, owner, takeOver)).toEqual(refuse);
      expect(asked).toEqual([mark]);
    },
  );
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
    [{ "owned-by": "../a/u" }, { type: "unmarked" }],
    [{ "owned-by": "mine/./u" }, { type: "unmarked" }],
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

describe("the error of a job", () => {
  const message = "ConfigMap n/a belongs to deploy item other";
  const errorOf = (decision: OwnedByOther["decision"]) => {
    const { reason, retry, hint, message: text } = ownedByOther({ message, decision, hint: "set adopt" });
    return { reason, retry, hint, text };
  };
  const base = { reason: "TargetOwnedByOther", retry: "backoff", text: message };

  it("names the annotation that would help, with its value", () => {
    const hint =
      'if its former owner no longer exists, set the annotation landscaper.gardener.cloud/take-over-from: "hub-2/shops" on the Installation (or on the DeployItem, if it has no Installation), and trigger a new job';
    expect(errorOf({ type: "refuse", value: "hub-2/shops" })).toEqual({ ...base, hint });
  });

  it("names what else helps", () => {
    expect(errorOf({ type: "refuse" })).toEqual({ ...base, hint: "set adopt" });
  });

  it("says why it waits", () => {
    expect(errorOf({ type: "wait", why: "is being deleted", hint: "wait for it" })).toEqual({
      ...base,
      text: `${message}; the deploy item is being deleted`,
      hint: "wait for it",
    });
  });
});
