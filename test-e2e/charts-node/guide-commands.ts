// The commands of a page of the guide, one after the other, as a user runs them who reads it from its beginning to its end.
import type { CommandResult } from "../src/examples/user-shell.ts";
import type { GuideExamples } from "../src/examples/guide-examples.ts";

/** What a command of the page says, what it says here, and why it cannot be the same. */
export interface Substitution {
  readonly heading: string;
  readonly text: string;
  readonly by: string;
  readonly reason: string;
}

export interface GuideCommands {
  /** Runs the next block of the page below this heading. Returns what it prints; throws with its output when it fails, and when no such block follows. */
  run(heading: string): Promise<string>;
  /** Headings of the blocks that have not run: those that were passed over can run no more. */
  left(): readonly string[];
}

/** Throws for a substitution whose text the block does not have. Pure. */
export function substitute(
  { heading, script }: GuideExamples["blocks"][number],
  substitutions: readonly Substitution[],
): string {
  return substitutions
    .filter((each) => each.heading === heading)
    .reduce((text, each) => {
      if (!text.includes(each.text)) throw new Error(`the block below "${heading}" does not have: ${each.text}`);
      return text.replaceAll(each.text, each.by);
    }, script);
}

/** `shell` runs the lines of a block. */
export function createGuideCommands(
  blocks: GuideExamples["blocks"],
  substitutions: readonly Substitution[],
  shell: (script: string) => Promise<CommandResult>,
): GuideCommands {
  let next = 0;
  const passedOver: string[] = [];
  return {
    async run(heading) {
      const at = blocks.findIndex((each, index) => index >= next && each.heading === heading);
      const block = blocks[at];
      if (block === undefined) throw new Error(`the page has no further commands below "${heading}"`);
      passedOver.push(...blocks.slice(next, at).map((each) => each.heading));
      next = at + 1;
      const script = substitute(block, substitutions);
      const { status, stdout, stderr } = await shell(script);
      if (status !== 0) throw new Error(`exit code ${status} of\n${script}\n${stdout}${stderr}`);
      return stdout;
    },
    left: () => [...passedOver, ...blocks.slice(next).map(({ heading }) => heading)],
  };
}
