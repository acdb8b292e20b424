/** Languages of shells other than `sh`, whose blocks `findCommands` does not read. */
const shells: ReadonlySet<string> = new Set(["bash", "fish", "powershell", "shell", "zsh"]);
/** Lines that a reader would take for a command. */
const looksLikeCommand = /^\$ |^(?:bin\/landscaper|helm|kubectl|npm (?:run|test)) /;

/** Returns a problem for each block of code whose commands would not be found: `sh` marks lines to paste, `console` lines after "$ ". Pure. */
export function checkFences(file: string, text: string): readonly string[] {
  const problems: string[] = [];
  let language: string | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const at = `${file}:${index + 1}`;
    const [, fence = "", info = ""] = /^\s*(```+|~~~+)(.*)$/.exec(line) ?? [];
    if (/^\s*>[\s>]*(?:```|~~~)/.test(line)) problems.push(`${at}: expected a block outside of quotations`);
    if (fence !== "" && language !== undefined) language = undefined;
    else if (fence !== "") {
      language = info.trim().split(/\s/)[0] ?? "";
      if (shells.has(language)) problems.push(`${at}: expected a block of sh or console, found ${language}`);
      if (fence !== "```" || /^\s/.test(info))
        problems.push(`${at}: expected "\`\`\`LANGUAGE", found "${line.trim()}"`);
    } else if (language === "" && looksLikeCommand.test(line)) {
      problems.push(`${at}: a command in a block without a language; expected sh or console: ${line}`);
    }
  }
  return problems;
}
