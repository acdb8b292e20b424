import { describe, expect, it } from "@jest/globals";
import { builtins } from "../builtins/builtins.ts";
import { sprigFunctions } from "../sprig/sprig-functions.ts";
import { TemplateError } from "../template-error.ts";
import { parseTemplate } from "../template-set.ts";

function run(text: string, data: unknown = { map: { a: 1 }, list: [1], text: "x", number: 1 }): string {
  try {
    return parseTemplate({ name: "t", text, functions: sprigFunctions, missingKey: "zero" }).execute(data, {
      now: () => new Date(0),
      random: (bytes) => new Uint8Array(bytes),
    });
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

describe("isolation", () => {
  const names = [
    "constructor",
    "__proto__",
    "prototype",
    "toString",
    "valueOf",
    "hasOwnProperty",
    "then",
    "length",
    "size",
    "get",
    "toJSON",
  ];

  it.each(names)("shows no property %s of the objects that hold the data", (name) => {
    expect(
      run(
        `{{ .${name} }}|{{ .map.${name} }}|{{ index .map "${name}" }}|{{ get .map "${name}" }}|{{ hasKey .map "${name}" }}`,
      ),
    ).toBe("<no value>|<no value>|<no value>||false");
  });

  it.each(names)("has no field %s on lists, texts and numbers", (name) => {
    for (const value of ["list", "text", "number"]) {
      expect(run(`{{ .${value}.${name} }}`)).toBe(
        `template: t:1:${4 + value.length}: executing "t" at <.${value}.${name}>: can't evaluate field ${name} in type interface {}`,
      );
    }
  });

  it.each(names.filter((name) => !["get", "toString"].includes(name)))("has no function %s", (name) => {
    expect(run(`{{ ${name} . }}`)).toBe(`template: t:1: function "${name}" not defined`);
  });

  it("has no function that reaches the host", () => {
    for (const name of ["env", "expandenv", "getHostByName", "readFile", "exec", "lookup", "tpl", "include"]) {
      expect(Object.hasOwn(sprigFunctions, name) || Object.hasOwn(builtins, name)).toBe(false);
    }
  });

  it("cannot change what prototypes give", () => {
    run(
      '{{ $_ := set .map "__proto__" (dict "polluted" 1) }}{{ $_ := merge .map (fromJson "{\\"__proto__\\":{\\"polluted\\":1}}") }}{{ $_ := set (dict) "constructor" 1 }}',
    );
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
    expect("polluted" in {}).toBe(false);
  });

  it("keeps keys with special names as keys", () => {
    expect(
      run(
        "{{ range $k, $v := . }}{{ $k }}={{ $v }};{{ end }}{{ toJson . }}",
        JSON.parse('{"__proto__":1,"constructor":2}'),
      ),
    ).toBe('__proto__=1;constructor=2;{"__proto__":1,"constructor":2}');
  });

  it("does not change the data that the caller gave", () => {
    const data = { map: { a: 1, in: { b: 2 } }, list: [1, 2] };
    run('{{ $_ := set .map "a" 9 }}{{ $_ := unset .map.in "b" }}{{ $_ := mergeOverwrite .map (dict "x" 1) }}', data);
    expect(data).toEqual({ map: { a: 1, in: { b: 2 } }, list: [1, 2] });
  });

  it("replaces what is no text in the output", () => {
    expect(run('{{ "\\xff" }}{{ trunc 1 "é" }}{{ b64dec "/w==" }}')).toBe("\ufffd\ufffd\ufffd");
  });

  it("matches regular expressions in linear time", () => {
    const started = performance.now();
    expect(
      run(
        '{{ regexMatch "^(a+)+$" (print (repeat 5000 "a") "b") }}{{ regexReplaceAll "(x*)*y" (repeat 5000 "x") "" | len }}',
      ),
    ).toBe("false5000");
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
