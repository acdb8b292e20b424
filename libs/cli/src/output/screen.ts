import { paintLines, type StyledLine } from "./styled-text.ts";

/** The terminal that a command writes to. */
export interface Terminal {
  /** Height in lines, now. */
  readonly rows: () => number;
}

export interface ScreenOptions {
  /** Writes to stdout without cleaning: the text contains control sequences of the screen. */
  readonly draw: (text: string) => void;
  /** Undefined when the output is a file or a pipe: then each change is printed below the last. */
  readonly terminal?: Terminal | undefined;
  readonly hasColor: boolean;
  /** Line above each change that is printed below the last. */
  readonly heading: () => string;
}

/** Shows one text that changes. */
export interface Screen {
  show(lines: readonly StyledLine[]): void;
}

const noWrap = "\u001B[?7l";
const wrap = "\u001B[?7h";
const clearBelow = "\u001B[0J";
const age = / +[0-9]+[smhd]$/gm;

/** On a terminal the text is drawn over the last one, cut at the edges; elsewhere only what differs by more than ages is printed. */
export function createScreen({ draw, terminal, hasColor, heading }: ScreenOptions): Screen {
  let drawnLines = 0;
  let last: string | undefined;
  return {
    show: (lines) => {
      const painted = paintLines(lines, hasColor);
      if (terminal === undefined) {
        const shape = endLines(painted).replaceAll(age, "");
        if (shape !== last) draw(`${heading()}\n${shape}`);
        last = shape;
        return;
      }
      const shown = cutLines(painted, terminal.rows() - 1);
      const up = drawnLines === 0 ? "" : `\u001B[${drawnLines}A\r`;
      draw(`${up}${clearBelow}${noWrap}${endLines(shown)}${wrap}`);
      drawnLines = shown.length;
    },
  };
}

function endLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** At most `room` lines; the last one says how many are missing. */
function cutLines(lines: readonly string[], room: number): readonly string[] {
  if (lines.length <= room || room < 2) return lines;
  return [...lines.slice(0, room - 1), `... ${lines.length - room + 1} more lines`];
}
