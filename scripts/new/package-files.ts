import type { NewPackage, Workspace } from "./plan-addition.ts";

/** A package without dependencies. */
const model = { dir: "libs/budget", name: "@landscaper/budget" };
/** Packages of its layer may import from those of API and budgets. */
const beside = { dir: "libs/egress", name: "@landscaper/egress" };

/** A library with one function and its test. It may import from libs/api and libs/budget until it is moved to another layer. */
export function packageFiles(name: string, workspace: Workspace): readonly NewPackage[] {
  const dir = `libs/${name}`;
  const manifest = JSON.parse(workspace.read(`${model.dir}/package.json`)) as object;
  const own = { name: `@landscaper/${name}`, description: `What ${name} does` };
  return [
    {
      dir,
      name: own.name,
      like: model,
      beside,
      files: [
        { path: `${dir}/package.json`, content: `${JSON.stringify({ ...manifest, ...own }, null, 2)}\n` },
        { path: `${dir}/README.md`, content: readme(name) },
        { path: `${dir}/src/index.ts`, content: 'export { greet } from "./greet.ts";\n' },
        { path: `${dir}/src/greet.ts`, content: code },
        { path: `${dir}/src/greet.test.ts`, content: tests },
      ],
    },
  ];
}

const code = `/** Says hello; nobody is greeted as the world. */
export function greet(name: string): string {
  return \`Hello, \${name === "" ? "world" : name}!\`;
}
`;

const tests = `import { describe, expect, it } from "@jest/globals";
import { greet } from "./greet.ts";

describe("greet", () => {
  it.each([
    ["Ada", "Hello, Ada!"],
    ["", "Hello, world!"],
  ])("says to %j: %s", (name, greeting) => {
    expect(greet(name)).toBe(greeting);
  });
});
`;

function readme(name: string): string {
  return `# @landscaper/${name}

What ${name} does, and why it is a package of its own.

| export | what it does |
|---|---|
| \`greet(name)\` | says hello |

To extend: one function per file in \`src\`, its tests beside it, what others use in \`src/index.ts\`.
`;
}
