import { describe, expect, it } from "@jest/globals";
import { createSpiff, SpiffError, type UnresolvedNode } from "@landscaper/spiff";
import { showPlaces } from "./show-places.ts";

function failedNodes(text: string, stub: string): readonly UnresolvedNode[] {
  try {
    createSpiff().merge({ template: { name: "t.yaml", text }, stubs: [{ name: "s.yaml", text: stub }] });
  } catch (error) {
    if (error instanceof SpiffError) return error.nodes;
  }
  return [];
}

const show = (text: string, stub = "{}"): string =>
  showPlaces(failedNodes(text, stub), [
    { name: "t.yaml", text },
    { name: "s.yaml", text: stub },
  ]);

describe("showPlaces", () => {
  it("marks the node in its line", () => {
    expect(show("a: 1\nlist:\n- name: x\n  v: (( 1 / 0 ))\n")).toBe(
      "t.yaml:4:6: list.[0].v\n4 |   v: (( 1 / 0 ))\n  |      ^\n",
    );
  });

  it("names the stub that the node is in", () => {
    expect(show("a: 1\n", "a: (( nosuch ))\n")).toBe("s.yaml:1:4: a\n1 | a: (( nosuch ))\n  |    ^\n");
  });

  it("keeps tabs, so that the mark stands below the node", () => {
    expect(show("a:\t(( nosuch ))\n")).toBe("t.yaml:1:4: a\n1 | a:\t(( nosuch ))\n  |   \t^\n");
  });

  it("shows a part of long lines", () => {
    const text = `{"long": "${"x".repeat(300)}", "a": "(( nosuch ))"}`;
    const [place, source = "", mark = ""] = show(text).split("\n");
    expect(place).toBe(`t.yaml:1:${text.indexOf('"((') + 1}: a`);
    expect(source.length).toBe("1 | ".length + 120);
    expect(source.slice(mark.indexOf("^"))).toBe('"(( nosuch ))"}');
  });

  it("says nothing on nodes of documents that are not at hand", () => {
    expect(showPlaces(failedNodes("a: (( nosuch ))", "{}"), [])).toBe("");
  });
});
