import { describe, expect, it } from "@jest/globals";
import { findCommands } from "./find-commands.ts";
import { splitWords } from "./split-words.ts";

const page = `# Title

Run \`npm run lint\` or \`npm test -- --profile\`; \`npm\`, \`helm template\` and \`npm running\` are names. \`kubectl get x\` is one, too.

| a | \`npm run fuzz -- gotemplate\\|helm --minutes 10\` |
| b | \`LANDSCAPER_SAMPLES=FOLDER npm run e2e -- samples\` |

## Paste

\`\`\`sh
npm run build   # once
cat > a.yaml <<'EOF'
kind: A
EOF
docker build \\
  --tag x .
echo 'a # b' | bin/landscaper gotemplate -f -
\`\`\`

\`\`\`yaml
# no heading
run: npm run nothing
\`\`\`

### Look

\`\`\`console
$ landscaper tree
Installation a
\`\`\`
`;

describe("findCommands", () => {
  it("finds lines of shell blocks, lines after prompts, and calls in sentences, each with its heading", () => {
    const found = findCommands("page.md", page).map(({ line, heading, kind, text }) => [line, heading, kind, text]);
    expect(found).toEqual([
      [3, "Title", "inline", "npm run lint"],
      [3, "Title", "inline", "npm test -- --profile"],
      [5, "Title", "inline", "npm run fuzz -- gotemplate --minutes 10"],
      [5, "Title", "inline", "npm run fuzz -- helm --minutes 10"],
      [6, "Title", "inline", "LANDSCAPER_SAMPLES=FOLDER npm run e2e -- samples"],
      [11, "Paste", "shell", "npm run build"],
      [12, "Paste", "shell", "cat > a.yaml <<'EOF'"],
      [16, "Paste", "shell", "docker build --tag x ."],
      [17, "Paste", "shell", "echo 'a # b' | bin/landscaper gotemplate -f -"],
      [28, "Look", "console", "landscaper tree"],
    ]);
  });
});

describe("a block of commands", () => {
  const textsOf = (...lines: readonly string[]): string[] =>
    findCommands("page.md", ["```sh", ...lines, "```"].join("\n")).map(({ text }) => text);

  it("has the command after a comment about a here-document", () => {
    expect(textsOf("# see <<EOF", "npm test # markers: <<HEAD", "npm run lint")).toEqual(["npm test", "npm run lint"]);
  });

  it("may be indented in a list", () => {
    const list = "1. Run this:\n\n   ```console\n   $ npm test\n   1 passed\n   ```\n";
    expect(findCommands("page.md", list).map(({ text }) => text)).toEqual(["npm test"]);
  });

  it.each<readonly string[]>([
    ['echo "a << b"'],
    ["echo '<<EOF'"],
    ["cat <<< word"],
    ["echo $((1 << n))"],
    ["(( x = 1 << n ))"],
    ["cat <<EOF"],
    ["cat <<-'EOF'"],
  ])("has the command after %s", (line) => {
    const ends = line.startsWith("cat <<-")
      ? ["\tno command", "\tEOF"]
      : line === "cat <<EOF"
        ? ["no command", "EOF"]
        : [];
    expect(textsOf(line, ...ends, "npm run lint")).toEqual([line, "npm run lint"]);
  });
});

describe("splitWords", () => {
  it.each<[line: string, programs: string[][]]>([
    ['npm run e2e -- a -t "scenario 8"', [["npm", "run", "e2e", "--", "a", "-t", "scenario 8"]]],
    [
      "echo '{{ a | b }}' | bin/landscaper gotemplate",
      [
        ["echo", "{{ a | b }}"],
        ["bin/landscaper", "gotemplate"],
      ],
    ],
    ["A=1 B=$(node --print x) npm test", [["npm", "test"]]],
    ["VERSION=$(node --print 'x')", []],
    ["node a.mjs > a.log 2>&1 &", [["node", "a.mjs"]]],
    ["a && b; c || d", [["a"], ["b"], ["c"], ["d"]]],
    ["cat > f <<'EOF'", [["cat"]]],
    ["x --set 'a={b,c}' c#d # e", [["x", "--set", "a={b,c}", "c#d"]]],
  ])("splits %s", (line, programs) => {
    expect(splitWords(line).programs).toEqual(programs);
  });
});
