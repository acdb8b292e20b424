import type { CommandCensus } from "./check-commands.ts";
import { decideStart } from "./decide-start.ts";
import type { DocumentedCommand } from "./find-commands.ts";
import { scriptStarts } from "./script-starts.ts";

/** One call of a script of package.json. */
export interface PlannedStart {
  readonly script: string;
  readonly words: readonly string[];
  /** Whether the start only parses its words. */
  readonly isHelp: boolean;
}

/** Plans a start at the smallest size for each documented call of a script, and one that parses all its words if the smallest size drops some. Merges calls that differ only in names if the script accepts several names. Pure. */
export function planStarts(census: CommandCensus): readonly PlannedStart[] {
  const starts = census.commands.flatMap((command) => {
    const start = decideStart(command, census);
    return start.type === "script" ? [start] : [];
  });
  const planned = new Map<string, { script: string; words: Set<string> }>();
  for (const { script, words } of starts) {
    const merges = scriptStarts[script]?.merges;
    const isMerged = merges === "all" || (merges === "named" && words.some((word) => !word.startsWith("-")));
    const key = isMerged ? script : [script, ...words].join(" ");
    const found = planned.get(key) ?? { script, words: new Set() };
    planned.set(key, found);
    for (const word of words) found.words.add(word);
  }
  const parsed = new Map(
    starts.flatMap(({ script, parsed: words }) =>
      words === undefined ? [] : [[[script, ...words].join(" "), { script, words }]],
    ),
  );
  return [
    ...[...planned.values()].map(({ script, words }) => ({ script, words: [...words], isHelp: false })),
    ...[...parsed.values()].map((each) => ({ ...each, isHelp: true })),
  ];
}

/** Lines of one section of a page that run in a clone. */
export interface PlannedLines {
  readonly file: string;
  readonly heading: string;
  readonly commands: readonly DocumentedCommand[];
}

/** Plans, by section, the lines that need nothing of the reader's and that no suite reads from their page. Pure. */
export function planLines(census: CommandCensus): readonly PlannedLines[] {
  const sections = new Map<string, { file: string; heading: string; commands: DocumentedCommand[] }>();
  for (const command of census.commands) {
    if (decideStart(command, census).type !== "line") continue;
    const { file, heading } = command;
    const key = `${file}#${heading}`;
    const section = sections.get(key) ?? { file, heading, commands: [] };
    sections.set(key, section);
    section.commands.push(command);
  }
  return [...sections.values()];
}
