import { describe, expect, it } from "@jest/globals";
import { sprigFunctions } from "../sprig/sprig-functions.ts";
import { TemplateError } from "../template-error.ts";
import { parseTemplate } from "../template-set.ts";
import type { Budget } from "./budget.ts";

function failure(text: string, budget?: Budget): TemplateError {
  try {
    parseTemplate({ name: "t", text, functions: sprigFunctions }).execute(
      { list: Array.from({ length: 1000 }, (_, i) => i), text: "x".repeat(100_000) },
      budget === undefined ? {} : { budget },
    );
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("the template came to an end");
}

describe("budgets", () => {
  it.each([
    ["range over a huge number", "{{ range 1000000000 }}x{{ end }}"],
    ["range over a huge number without output", "{{ range 1000000000 }}{{ end }}"],
    [
      "nested ranges",
      "{{ range $.list }}{{ range $.list }}{{ range $.list }}{{ range $.list }}{{ end }}{{ end }}{{ end }}{{ end }}",
    ],
    ["a template that calls itself", '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}'],
    [
      "templates that call each other",
      '{{ define "a" }}{{ template "b" . }}{{ end }}{{ define "b" }}x{{ template "a" . }}{{ end }}{{ template "a" . }}',
    ],
    [
      "branching recursion",
      '{{ define "r" }}{{ template "s" . }}{{ template "s" . }}{{ end }}{{ define "s" }}{{ template "r" . }}{{ end }}{{ template "r" . }}',
    ],
    ["repeat", '{{ repeat 1000000000 "x" }}'],
    ["repeat of repeat", '{{ $x := "aaaaaaaaaa" }}{{ range until 30 }}{{ $x = repeat 10 $x }}{{ end }}'],
    ["a text that doubles", '{{ $x := "x" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}'],
    ["a list that doubles", "{{ $l := list 1 2 }}{{ range until 60 }}{{ $l = concat $l $l }}{{ end }}"],
    ["until", "{{ until 2000000000 }}"],
    ["seq", "{{ seq 1 2000000000 }}"],
    ["untilStep", "{{ untilStep 0 2000000000 1 }}"],
    ["replace that multiplies", '{{ $x := replace "x" .text .text }}{{ len $x }}'],
    ["replace of nothing", '{{ replace "" (repeat 1000 "y") .text }}'],
    ["join that multiplies", "{{ join .text (until 100000) }}"],
    ["random text", "{{ randAlphaNum 2000000000 }}"],
    ["derived passwords", '{{ range until 100 }}{{ derivePassword 1 "long" "p" "u" "s" }}{{ end }}'],
    ["a map that contains itself", '{{ $m := dict }}{{ $_ := set $m "x" $m }}{{ $m }}'],
    ["toJson of a map that contains itself", '{{ $m := dict }}{{ $_ := set $m "x" $m }}{{ toJson $m }}'],
    ["append, which copies its list", "{{ $l := list }}{{ range until 100000 }}{{ $l = append $l 1 }}{{ end }}"],
    ["uniq of numbers", "{{ until 200000 | uniq | len }}"],
    ["has in a loop", "{{ $l := until 100000 }}{{ range $l }}{{ $_ := has -1 $l }}{{ end }}"],
    [
      "a hash of a large text in a loop",
      '{{ $x := repeat 1000000 "x" }}{{ range until 100000 }}{{ $_ := sha256sum $x }}{{ end }}',
    ],
    ["a regular expression of many states", '{{ regexMatch "(x{0,30}){0,30}y" (repeat 1000000 "x") }}'],
    ["a wide printf", '{{ $x := printf "%1000000d" 1 }}{{ range until 100 }}{{ $x = printf "%s%s" $x $x }}{{ end }}'],
    ...[
      "$d",
      "print $d",
      "toJson $d",
      "toPrettyJson $d",
      "deepCopy $d",
      "merge (dict) $d",
      "deepEqual $d $e",
      "list $d $e | uniq",
      "has $d (list $e)",
      "without (list $d) $e",
      "eq $d $e",
      "dict $d 1",
      'join "," (list $d)',
    ].map((action): [string, string] => [
      `${action} of maps that hold the next one twice`,
      `{{ $d := dict }}{{ $e := dict }}{{ range until 40 }}{{ $d = dict "a" $d "b" $d }}{{ $e = dict "a" $e "b" $e }}{{ end }}{{ ${action} }}`,
    ]),
  ])("ends %s before long", (_, text) => {
    const started = process.cpuUsage();
    // Walks of large values are slow in Jest: those tests have less to spend.
    const error = failure(text, text.includes("$d") ? { maxSteps: 200_000, maxOutput: 1_000_000 } : undefined);
    expect(error.kind).toBe("budget");
    expect(error.message).toMatch(/^template: t:1:\d+: executing ".+" at <.+>: .*budget exceeded: /s);
    // Other programs on the machine do not count.
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });

  it("says which limit it was", () => {
    expect(failure("{{ range 100 }}{{ end }}", { maxSteps: 50 }).message).toBe(
      'template: t:1:9: executing "t" at <100>: budget exceeded: more than 50 steps',
    );
    expect(failure("{{ range 100 }}0123456789{{ end }}", { maxOutput: 500 }).message).toBe(
      'template: t:1:9: executing "t" at <100>: budget exceeded: output of more than 500 characters',
    );
    expect(failure('{{ define "r" }}{{ template "r" }}{{ end }}{{ template "r" }}', { maxDepth: 5 }).message).toBe(
      'template: t:1:28: executing "r" at <{{template "r"}}>: budget exceeded: templates nested deeper than 5',
    );
  });

  it("counts time on the clock that it is given", () => {
    let now = 0;
    const budget: Budget = { timeoutMs: 1000, clock: () => (now += 100) };
    expect(failure("{{ range 1000000000 }}{{ end }}", budget).message).toBe(
      'template: t:1:9: executing "t" at <1000000000>: budget exceeded: more than 1000 ms',
    );
  });

  it("ends a 10 MB template of nested blocks with an error", () => {
    const error = failure("{{ if 1 }}".repeat(1_000_000));
    expect(error.message).toMatch(/^template: t:?1?: (unexpected EOF|budget exceeded: nested too deeply)$/);
  });

  it("reads 10 MB of text", () => {
    const text = "0123456789".repeat(1_000_000);
    expect(parseTemplate({ name: "t", text }).execute({})).toHaveLength(10_000_000);
  });
});
