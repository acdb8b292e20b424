/** The terminal that a command writes to. */
export interface Terminal {
  /** Height in lines, now. */
  readonly rows: () => number;
}

export interface ScreenOptions {
  readonly write: (text: string) => void;
  /** Undefined when the output is a file or a pipe: then each change is printed below the last. */
  readonly terminal?: Terminal | undefined;
  /** Line above each change that is printed below the last. */
  readonly heading: () => string;
}

/** Shows one text that changes. */
export interface Screen {
  show(text: string): void;
}

const noWrap = "\u001B[?7l";
const wrap = "\u001B[?7h";
const clearBelow = "\u001B[0J";
const age = / +[0-9]+[smhd]$/gm;

/** On a terminal the text is drawn over the last one, cut at the edges; elsewhere only what differs by more than ages is printed. */
export function createScreen({ write, terminal, heading }: ScreenOptions): Screen {
  let drawnLines = 0;
  let last: string | undefined;
  return {
    show: (text) => {
      if (terminal === undefined) {
        const shape = text.replaceAll(age, "");
        if (shape !== last) write(`${heading()}\n${shape}`);
        last = shape;
        return;
      }
      const lines = cutLines(text, terminal.rows() - 1);
      const up = drawnLines === 0 ? "" : `\u001B[${drawnLines}A\r`;
      write(`${up}${clearBelow}${noWrap}${lines.map((line) => `${line}\n`).join("")}${wrap}`);
      drawnLines = lines.length;
    },
  };
}

/** At most `room` lines; the last one says how many are missing. */
function cutLines(text: string, room: number): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length <= room || room < 2) return lines;
  return [...lines.slice(0, room - 1), `... ${lines.length - room + 1} more lines`];
}
