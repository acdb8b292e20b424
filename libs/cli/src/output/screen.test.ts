import { describe, expect, it } from "@jest/globals";
import { createScreen } from "./screen.ts";
import { plainLines } from "./styled-text.ts";

describe("createScreen", () => {
  const draw = (rows: number | undefined, texts: readonly string[]): readonly string[] => {
    const written: string[] = [];
    const screen = createScreen({
      draw: (text) => written.push(text),
      hasColor: false,
      terminal: rows === undefined ? undefined : { rows: () => rows },
      heading: () => "---",
    });
    for (const text of texts) screen.show(plainLines(text));
    return written;
  };

  it("prints what has changed by more than its age", () => {
    expect(draw(undefined, ["a  Init  1s\n", "a  Init  2s\n", "a  Failed  3s\n"])).toEqual([
      "---\na  Init\n",
      "---\na  Failed\n",
    ]);
  });

  it("draws over the last text on a terminal, without wrapping long lines", () => {
    expect(draw(24, ["a\nb\n", "c\n", ""])).toEqual([
      "\u001B[0J\u001B[?7la\nb\n\u001B[?7h",
      "\u001B[2A\r\u001B[0J\u001B[?7lc\n\u001B[?7h",
      "\u001B[1A\r\u001B[0J\u001B[?7l\n\u001B[?7h",
    ]);
  });

  it("cuts at the height of the terminal, so that the cursor finds back", () => {
    const text = "1\n2\n3\n4\n";
    expect(draw(4, [text, text])).toEqual([
      "\u001B[0J\u001B[?7l1\n2\n... 2 more lines\n\u001B[?7h",
      "\u001B[3A\r\u001B[0J\u001B[?7l1\n2\n... 2 more lines\n\u001B[?7h",
    ]);
  });
});
