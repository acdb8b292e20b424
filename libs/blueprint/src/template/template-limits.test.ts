import { LandscaperError } from "@landscaper/api";
import { ContentBudget, processorClock } from "@landscaper/budget";
import { describe, expect, it } from "@jest/globals";
import { createBlueprint } from "../create-blueprint.ts";
import { startRenderBudget, type RenderContext } from "../render-context.ts";
import { executeGoTemplate } from "./execute-go-template.ts";
import { executeSpiff } from "./execute-spiff.ts";

/** Without a limit of memory, which a quick processor could reach first. */
function timed(): ContentBudget {
  return new ContentBudget({ timeMs: 100, memoryBytes: Number.MAX_SAFE_INTEGER, clock: processorClock });
}

function contextWith(content: ContentBudget): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": {} }),
    installation: { name: "i", namespace: "n", spec: { blueprint: {} } },
    now: () => new Date(0),
    random: (bytes) => new Uint8Array(bytes),
    budget: { content },
  };
}

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return error.message.split("\n")[0] ?? "";
    throw error;
  }
  return "ok";
}

function go(text: string, context: RenderContext): string {
  const imports = {
    yaml: "- a: b\n".repeat(20_000),
    list: Array.from({ length: 2000 }, (_, i) => `x${(i * 7919) % 2000}`),
    map: { a: Array.from({ length: 2000 }, (_, i) => ({ i })) },
  };
  return messageOf(() =>
    executeGoTemplate({ where: "d", template: { name: "d", text }, bindings: { imports }, context }),
  );
}

function spiff(expression: string, context: RenderContext): string {
  const text = `f: (( |x|->x <= 1 ? 1 :_(x - 1) + _(x - 2) ))\nl: (( [1..1000] ))\nr: (( ${expression} ))\n`;
  const template = { name: "d", text };
  const execution = { state: undefined };
  return messageOf(() =>
    executeSpiff({ where: "d", template, document: "template", bindings: {}, context, execution }),
  );
}

/** A loop whose rounds are cheap enough for a look at the clock between them. */
const forever = (body: string): string => `{{ range 1000000000 }}{{ $x := ${body} }}{{ end }}`;

describe("templates that take too long end at the function that they are at, whatever they count in steps", () => {
  it.each([
    ["fromYaml", forever("fromYaml $.imports.yaml")],
    ["toYaml", forever("toYaml $.imports.map")],
    ["toJson", forever("toJson $.imports.map")],
    ["sortAlpha", forever("sortAlpha $.imports.list")],
    ["deepEqual", forever("deepEqual $.imports.map $.imports.map")],
    ["genPrivateKey", forever('genPrivateKey "rsa"')],
    ["genCA", forever('genCA "a" 365')],
    ["bcrypt", forever('bcrypt "a"')],
    ["htpasswd", forever('htpasswd "a" "b"')],
    ["derivePassword", forever('derivePassword 1 "long" "password" "user" "example.com"')],
  ])("%s", (name, text) => {
    const message = go(text, contextWith(timed()));
    // The clock is looked at now and then: also at an argument of the function.
    expect(message.replace("$.imports", `${name} $.imports`)).toMatch(
      new RegExp(`^d: template: d:1:\\d+: executing "d" at <${name} .*>: budget exceeded: more than 100 ms$`),
    );
  });

  it.each([
    // The lists are made once, so that no processor is quick enough to reach the limit of results first.
    ["sum[l|0|s,e|-> sum[l|0|a,b|-> sum[l|0|c,d|-> c + d]]]", "d: template: r: more than 100 ms"],
    [".f(60)", "d: template: r: more than 100 ms"],
    ["map[[1..1000]|x|->x509genkey(4096)]", "d: template: r: x509genkey: more than 100 ms"],
    ['map[[1..1000]|x|->bcrypt("a", 20)]', "d: template: r: bcrypt with cost 20: more than 100 ms"],
  ])("%s", (expression, message) => {
    expect(spiff(expression, contextWith(timed()))).toBe(message);
  });
});

describe("templates that make too much end", () => {
  it.each([
    ["texts that are kept", '{{ $l := list }}{{ range 100000 }}{{ $l = append $l (repeat 1000000 "a") }}{{ end }}'],
    ["padding", '{{ range 1000000 }}{{ $x := printf "%1000000d" 1 }}{{ end }}'],
  ])("%s", (_, text) => {
    const message = go(text, contextWith(startRenderBudget(processorClock).content ?? new ContentBudget()));
    expect(message).toMatch(/: budget exceeded: more than 268435456 bytes of results$/);
  });
});

it("counts the templates of both languages of one job in one budget", () => {
  const context = contextWith(new ContentBudget({ memoryBytes: 3_000_000 }));
  const text = '{{ $x := repeat 1000000 "a" }}';
  expect(go(text, context)).toBe("ok");
  expect(go(text, context)).toBe(
    'd: template: d:1:9: executing "d" at <repeat 1000000 "a">: budget exceeded: more than 3000000 bytes of results',
  );
  expect(spiff("[1..10000]", context)).toBe("d: template: l: more than 3000000 bytes of results");
});
