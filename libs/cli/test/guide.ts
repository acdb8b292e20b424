// The examples of a page: files in fences like "yaml title=NAME", commands with what they print in "console" fences.
const fence = /^```(\S+)(?: title=(\S+))?\n([^]*?)^```$/gm;

export interface GuideExamples {
  /** Texts by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Words behind "$ landscaper", in their order. */
  readonly commands: readonly string[];
}

const prompt = "$ landscaper ";

export function readExamples(page: string): GuideExamples {
  const blocks = [...page.matchAll(fence)];
  return {
    files: Object.fromEntries(
      blocks.flatMap(([, , title, text]) => (title === undefined ? [] : [[title, text ?? ""]])),
    ),
    commands: blocks.flatMap(([, language, , text = ""]) => (language === "console" ? commandsIn(text) : [])),
  };
}

function commandsIn(text: string): readonly string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(prompt))
    .map((line) => line.slice(prompt.length));
}

/** The page as it would be if it showed these outputs, in the order of the commands. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const left = [...outputs];
  return page.replaceAll(/(?<=^```console\n)[^]*?(?=^```$)/gm, (text) =>
    commandsIn(text)
      .map((command) => `${prompt}${command}\n${left.shift() ?? ""}`)
      .join(""),
  );
}
