import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

  it.each(names)("has nothing called %s behind any function, map or object", (name) => {
    for (const start of [
      "$",
      ".map",
      ".list",
      "now",
      '(semver "1.2.3")',
      "(dict)",
      "(list)",
      "(until 3)",
      '(split "," "a")',
    ]) {
      const outcome = run(`{{ ${start === "$" ? "$" : start}.${name} }}`);
      expect(outcome).toMatch(/^<no value>$|can't evaluate field|^$/);
    }
  });

  it("lets no function be taken as a value", () => {
    for (const text of [
      "{{ $f := upper }}",
      "{{ list upper | toString }}",
      "{{ (upper).constructor }}",
      "{{ call upper 1 }}",
    ]) {
      expect(run(text)).toMatch(/wrong number of args for upper/);
    }
    for (const value of ['"upper"', ".map", ".list", "now", '(dict "call" 1)', "1"]) {
      expect(run(`{{ call ${value} "x" }}`)).toMatch(/error calling call: (non-function|call of nil)/);
    }
  });

  it("runs no text as code", () => {
    const attempts = [
      "process.exit(1)",
      "${process.env.HOME}",
      "{{ env }}",
      "$(id)",
      "`id`",
      '(( exec(\\"id\\") ))',
      "%!s",
    ];
    for (const attempt of attempts) {
      expect(run(`{{ "${attempt}" }}`)).toBe(attempt.replaceAll("\\", ""));
      expect(run(`{{ printf "%s" "${attempt}" | toString | trim }}`)).toBe(attempt.replaceAll("\\", ""));
      expect(run(`{{ regexReplaceAll "x" "x" "${attempt.replaceAll("$", "$$$$")}" }}`)).toBe(
        attempt.replaceAll("\\", ""),
      );
    }
  });

  it("gives nothing but results and template errors, whatever functions are called with", () => {
    const hostile = [
      "nil",
      ".map",
      ".list",
      ".missing",
      '"__proto__"',
      '"constructor"',
      '"../../../../etc/passwd"',
      '"file:///etc/passwd"',
      '"http://127.0.0.1/"',
      '"\\x00\\xff"',
      "-9223372036854775808",
      "1e308",
      "$",
      "now",
      '(dict "__proto__" (dict "x" 1))',
    ];
    const environment = JSON.stringify(process.env);
    for (const [name, fn] of Object.entries({ ...builtins, ...sprigFunctions })) {
      if (/^(gen|bcrypt|htpasswd|buildCustomCert|derivePassword)/.test(name)) continue;
      const counts = [fn.params.length, fn.params.length + (fn.rest === undefined ? 0 : 1)];
      for (const count of counts) {
        for (let i = 0; i < hostile.length; i++) {
          const args = Array.from({ length: count }, (_, j) => hostile[(i + j * 7) % hostile.length]);
          const outcome = run(`{{ ${name} ${args.join(" ")} }}`);
          expect(outcome).not.toMatch(/root:x:|native code|\[object |at .*\.[tj]s:/);
        }
      }
    }
    expect(JSON.stringify(process.env)).toBe(environment);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("has no function that reaches the host", () => {
    for (const name of ["env", "expandenv", "getHostByName", "readFile", "exec", "lookup", "tpl", "include"]) {
      expect(Object.hasOwn(sprigFunctions, name) || Object.hasOwn(builtins, name)).toBe(false);
    }
  });

  it("has no code that could reach the host", () => {
    const libraries = ["gotemplate", "golang", "goyaml", "x509"].map((name) =>
      join(import.meta.dirname, "../../..", name, "src"),
    );
    const files = libraries.flatMap((cwd) => globSync("**/*.ts", { cwd }).map((file) => join(cwd, file)));
    const sources = files.filter((file) => !/\.test\.ts$|testing\.ts$|-worker\.ts$/.test(file));
    expect(sources.length).toBeGreaterThan(80);
    for (const file of sources) {
      const text = readFileSync(file, "utf8");
      const imports = [...text.matchAll(/(?:from|import\()\s*"(node:[^"]+)"/g)].map(([, name]) => name);
      // Of net only what reads addresses.
      expect(text).not.toMatch(/import \{[^}]*\b(?!isIP)\w+[^}]*\} from "node:net"/);
      expect([file, imports.filter((name) => name !== "node:crypto" && name !== "node:net")]).toEqual([file, []]);
      expect([
        file,
        /(?<![.#\w])(process\.|globalThis|eval\(|new Function\(|fetch\(|require\()/.exec(text)?.[0],
      ]).toEqual([file, undefined]);
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
    const started = processorClock();
    expect(
      run(
        '{{ regexMatch "^(a+)+$" (print (repeat 5000 "a") "b") }}{{ regexReplaceAll "(x*)*y" (repeat 5000 "x") "" | len }}',
      ),
    ).toBe("false5000");
    expect(processorClock() - started).toBeLessThan(3000);
  });
});
