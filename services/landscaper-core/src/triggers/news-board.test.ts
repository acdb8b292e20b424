import { describe, expect, it } from "@jest/globals";
import { createNewsBoard } from "./news-board.ts";

const key = { namespace: "ns", name: "root" };

describe("news of an Installation", () => {
  it("are due when nothing more has come for a second", () => {
    const board = createNewsBoard();
    board.note(key, 0);
    board.note(key, 900);
    board.note(key, 1_800);
    expect(board.get(key)).toEqual({ firstMs: 0, dueMs: 2_800 });
    expect(board.get({ ...key, name: "other" })).toBeUndefined();
  });

  it("are due after ten seconds, however many come", () => {
    const board = createNewsBoard();
    for (let nowMs = 0; nowMs < 10_000; nowMs += 500) board.note(key, nowMs);
    expect(board.get(key)).toEqual({ firstMs: 0, dueMs: 10_000 });
  });

  it("begin anew when they were due before", () => {
    const board = createNewsBoard();
    board.note(key, 0);
    board.note(key, 60_000);
    expect(board.get(key)).toEqual({ firstMs: 60_000, dueMs: 61_000 });
  });

  it("can be postponed, not brought forward", () => {
    const board = createNewsBoard();
    board.postpone(key, 5_000);
    expect(board.get(key)).toBeUndefined();
    board.note(key, 0);
    board.postpone(key, 5_000);
    board.postpone(key, 3_000);
    expect(board.get(key)).toEqual({ firstMs: 0, dueMs: 5_000 });
  });

  it("stay when they have come since it was looked", () => {
    const board = createNewsBoard();
    board.note(key, 0);
    const seen = board.get(key);
    board.note(key, 500);
    board.clear(key, seen);
    expect(board.get(key)).toEqual({ firstMs: 0, dueMs: 1_500 });
    board.clear(key, board.get(key));
    expect(board.get(key)).toBeUndefined();
  });

  it("come once by themselves, and again when the Installation was gone", () => {
    const board = createNewsBoard();
    board.noteFirst(key, 0);
    board.clear(key, board.get(key));
    board.noteFirst(key, 10);
    expect(board.get(key)).toBeUndefined();
    board.forget(key);
    board.noteFirst(key, 20);
    expect(board.get(key)).toEqual({ firstMs: 20, dueMs: 1_020 });
  });
});
