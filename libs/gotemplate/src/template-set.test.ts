import { FunctionError, type GoFunction, GoObject, type Value, define, defineVariadic } from "@landscaper/golang";
import { describe, expect, it } from "@jest/globals";
import { TemplateError } from "./template-error.ts";
import { parseTemplate, TemplateCache, TemplateSet } from "./template-set.ts";

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return "no error";
}

describe("TemplateSet", () => {
  it("lets files call each other's definitions", () => {
    const set = new TemplateSet();
    set.parse("a", '{{ define "x" }}X{{ . }}{{ end }}');
    set.parse("b", '{{ template "x" 1 }}{{ template "a" }}');
    expect(set.execute("b", undefined)).toBe("X1");
  });

  it("takes the last definition that is not empty", () => {
    const set = new TemplateSet();
    set.parse("a", '{{ define "x" }}1{{ end }}');
    set.parse("b", '{{ define "x" }}2{{ end }}');
    set.parse("c", '{{ define "x" }}  {{ end }}');
    expect(set.execute("x", undefined)).toBe("2");
  });

  it("gives methods with arguments the variables of the place where they are called", () => {
    const upper = { ...define(["string"], ([text]) => text.toUpperCase()) };
    class Words extends GoObject {
      readonly typeName = "Words";
      override method(name: string): GoFunction | undefined {
        return name === "Upper" ? upper : undefined;
      }
    }
    const data = new Map<string, Value>([["words", new Words()]]);
    const text = '{{ range $i, $w := list "a" "b" }}{{ $.words.Upper $w }}{{ end }}';
    const functions = { list: defineVariadic([], "any", (_, items) => items) };
    expect(parseTemplate({ name: "t", text, functions }).execute(data)).toBe("AB");
  });

  it("forgets templates", () => {
    const set = new TemplateSet();
    set.parse("a", "text");
    set.remove("a");
    expect(set.lookup("a")).toBeUndefined();
  });

  it("keeps clones apart", () => {
    const set = new TemplateSet({ delimiters: { left: "<<", right: ">>" } });
    set.parse("a", "<< 1 >>");
    const clone = set.clone();
    clone.parse("a", "<< 2 >>");
    expect([set.execute("a", undefined), clone.execute("a", undefined)]).toEqual(["1", "2"]);
    expect(set.lookup("b")).toBeUndefined();
  });

  it("names a template that does not exist", () => {
    expect(messageOf(() => new TemplateSet().execute("nope", {}))).toBe('TemplateError: template: no template "nope"');
  });

  it("does not compile a text twice with a cache", () => {
    const cache = new TemplateCache(2);
    const functions = { f: define([], () => "f") };
    const first = new TemplateSet({ functions, cache });
    first.parse("t", "{{ f }}");
    const second = new TemplateSet({ functions, cache });
    second.parse("t", "{{ f }}");
    expect(second.lookup("t")).toBe(first.lookup("t"));
    const other = new TemplateSet({ functions: { ...functions }, cache });
    other.parse("t", "{{ f }}");
    expect(other.lookup("t")).not.toBe(first.lookup("t"));
    for (const name of ["u", "v"]) second.parse(name, "{{ f }}");
    const third = new TemplateSet({ functions, cache });
    third.parse("t", "{{ f }}");
    expect(third.lookup("t")).not.toBe(first.lookup("t"));
  });

  it("hides built-in functions behind its own", () => {
    const functions = { len: define(["any"], () => "mine"), and: defineVariadic([], "any", () => "also mine") };
    expect(parseTemplate({ name: "t", text: "{{ len 1 2 }}", functions }).name).toBe("t");
    expect(parseTemplate({ name: "t", text: "{{ len 1 }} {{ and 0 1 }}", functions }).execute({})).toBe(
      "mine also mine",
    );
  });
});

describe("functions", () => {
  it("get the environment and can execute templates", () => {
    const functions = {
      include: define(["string", "any"], ([name, data], context) => context.executeTemplate(name, data)),
      env: define([], (_, context) => String(context.environment)),
    };
    const text = '{{ define "x" }}<{{ .a }}{{ env }}>{{ end }}{{ include "x" . | printf "%s!" }}';
    expect(parseTemplate({ name: "t", text, functions }).execute({ a: 1 }, { environment: "E" })).toBe("<1E>!");
  });

  it("can execute templates of another set", () => {
    const inner = new TemplateSet();
    inner.parse("i", "in {{ . }}");
    const functions = { other: define(["any"], ([data], context) => context.executeIn(inner, "i", data)) };
    expect(parseTemplate({ name: "t", text: "{{ other 5 }}", functions }).execute({})).toBe("in 5");
  });

  it("nest their errors with positions", () => {
    const functions = {
      include: define(["string", "any"], ([name, data], context) => context.executeTemplate(name, data)),
    };
    const text = '{{ define "x" }}\n{{ .a.b }}{{ end }}{{ include "x" . }}';
    expect(messageOf(() => parseTemplate({ name: "t", text, functions }).execute({ a: "s" }))).toBe(
      'TemplateError: template: t:2:22: executing "t" at <include "x" .>: error calling include: template: t:2:5: executing "x" at <.a.b>: can\'t evaluate field b in type interface {}',
    );
    expect(messageOf(() => parseTemplate({ name: "t", text: '{{ include "y" . }}', functions }).execute({}))).toBe(
      'TemplateError: template: t:1:3: executing "t" at <include "y" .>: error calling include: template: no template "y" associated with template "t"',
    );
  });

  it("let errors that are not theirs pass", () => {
    class NeedsInput extends Error {}
    const functions = {
      wait: define([], () => {
        throw new NeedsInput("later");
      }),
      wrong: define([], () => {
        throw new FunctionError("wrong", { cause: "why" });
      }),
    };
    expect(() => parseTemplate({ name: "t", text: "{{ wait }}", functions }).execute({})).toThrow(NeedsInput);
    try {
      parseTemplate({ name: "t", text: "a\n {{ wrong }}", functions }).execute({});
      throw new Error("no error");
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateError);
      expect(error).toMatchObject({
        message: 'template: t:2:4: executing "t" at <wrong>: error calling wrong: wrong',
        kind: "execution",
        position: { templateName: "t", line: 2, column: 4 },
        cause: { message: "wrong" },
      });
    }
  });
});

class Person extends GoObject {
  readonly typeName = "*test.Person";
  override readonly goKind = "ptr";
  override field(name: string): Value {
    return name === "Name" ? "Ann" : undefined;
  }
  override fields(): readonly (readonly [string, Value])[] {
    return [["Name", "Ann"]];
  }
  override method(name: string): GoFunction | undefined {
    if (name === "Greet") return define(["string"], ([word]) => `${word}, Ann`);
    if (name === "Join")
      return defineVariadic(["string"], "any", ([separator], items) =>
        items.map((item) => (typeof item === "string" ? item : "?")).join(separator),
      );
    return name === "Self" ? define([], () => this) : undefined;
  }
}

describe("objects with fields and methods", () => {
  const run = (text: string): string =>
    parseTemplate({ name: "t", text, missingKey: "zero" }).execute(new Map<string, Value>([["p", new Person()]]));

  it.each([
    ["{{ .p.Name }}", "Ann"],
    ['{{ .p.Greet "Hi" }}', "Hi, Ann"],
    ['{{ "Hi" | .p.Greet }}', "Hi, Ann"],
    ['{{ .p.Self.Self.Name }} {{ (.p.Self).Greet "Yo" }}', "Ann Yo, Ann"],
    ['{{ .p.Join "-" "a" "b" }}', "a-b"],
    ['{{ $p := .p }}{{ $p.Greet "Hey" }}', "Hey, Ann"],
    ["{{ with .p }}{{ .Greet .Name }}{{ end }}", "Ann, Ann"],
    ["{{ .p }}", "&{Ann}"],
    ['{{ printf "%+v %T" .p .p }}', "&{Name:Ann} *test.Person"],
    ["{{ if .p }}yes{{ end }}", "yes"],
  ])("evaluates %s", (text, output) => {
    expect(run(text)).toBe(output);
  });

  it.each([
    ["{{ .p.Nope }}", 't:1:5: executing "t" at <.p.Nope>: can\'t evaluate field Nope in type interface {}'],
    ["{{ .p.Greet }}", 't:1:5: executing "t" at <.p.Greet>: wrong number of args for Greet: want 1 got 0'],
    ["{{ .p.Greet 1 }}", 't:1:12: executing "t" at <1>: expected string; found 1'],
    ['{{ .p.Greet "a" "b" }}', 't:1:5: executing "t" at <.p.Greet>: wrong number of args for Greet: want 1 got 2'],
    ['{{ .p.Name "x" }}', 't:1:5: executing "t" at <.p.Name>: Name has arguments but cannot be invoked as function'],
    ["{{ .p.Greet.X }}", 't:1:5: executing "t" at <.p.Greet.X>: wrong number of args for Greet: want 1 got 0'],
  ])("refuses %s", (text, message) => {
    expect(messageOf(() => run(text))).toBe(`TemplateError: template: ${message}`);
  });
});

it("lists the templates of a set and of the sets that it was copied from, without removed ones", () => {
  const set = new TemplateSet();
  set.parse("a", '{{ define "b" }}text{{ end }}');
  const copy = set.clone();
  copy.parse("c", "text");
  copy.remove("b");
  expect([set.names.toSorted(), copy.names.toSorted()]).toEqual([
    ["a", "b"],
    ["a", "c"],
  ]);
});
