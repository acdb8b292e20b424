import { describe, expect, it } from "@jest/globals";
import { matchesLabels, parseLabelSelector } from "./label-selector.ts";

describe("parseLabelSelector", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["", []],
    ["  ", []],
    ["a", [{ key: "a", operator: "Exists", values: [] }]],
    ["!a", [{ key: "a", operator: "DoesNotExist", values: [] }]],
    ["! a", [{ key: "a", operator: "DoesNotExist", values: [] }]],
    ["a=b", [{ key: "a", operator: "In", values: ["b"] }]],
    ["a==b", [{ key: "a", operator: "In", values: ["b"] }]],
    ["a != b", [{ key: "a", operator: "NotIn", values: ["b"] }]],
    ["a=", [{ key: "a", operator: "In", values: [""] }]],
    ["a in (x,y)", [{ key: "a", operator: "In", values: ["x", "y"] }]],
    ["a in ()", [{ key: "a", operator: "In", values: [""] }]],
    ["a notin ( x , y )", [{ key: "a", operator: "NotIn", values: ["x", "y"] }]],
    ["a>1", [{ key: "a", operator: "GreaterThan", values: ["1"] }]],
    ["a<5", [{ key: "a", operator: "LessThan", values: ["5"] }]],
    ["example.com/a=b", [{ key: "example.com/a", operator: "In", values: ["b"] }]],
    [
      "b,a=1",
      [
        { key: "a", operator: "In", values: ["1"] },
        { key: "b", operator: "Exists", values: [] },
      ],
    ],
    ["in", [{ key: "in", operator: "Exists", values: [] }]],
  ];
  for (const [text, want] of cases) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parseLabelSelector(text)).toEqual(want);
    });
  }

  const problems: readonly (readonly [string, string])[] = [
    [",", "found ',', expected: !, identifier, or 'end of string'"],
    ["a=b,", "found '', expected: identifier after ','"],
    ["a=b,,c", "found ',', expected: identifier after ','"],
    ["a=b=c", "found '=', expected: ',' or 'end of string'"],
    ["!", "unable to parse requirement: found '', expected: identifier"],
    ["a in b", "unable to parse requirement: found 'b' expected: '('"],
    ["a in (", "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      "a>b",
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    [
      "a=b$",
      'unable to parse requirement: values[0][a]: Invalid value: "b$": a valid label must be an empty string or consist of alphanumeric ' +
        "characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or " +
        "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
    ],
    [
      "a/b/c=d",
      "unable to parse requirement: key: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or " +
        "'.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for " +
        "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. " +
        "'example.com/MyName')",
    ],
  ];
  for (const [text, message] of problems) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(() => parseLabelSelector(text)).toThrow(
        expect.objectContaining({ message, status: expect.objectContaining({ code: 400, reason: "BadRequest" }) }),
      );
    });
  }
});

describe("matchesLabels", () => {
  const labels = { a: "1", b: "x", empty: "" };
  const cases: readonly (readonly [string, boolean])[] = [
    ["", true],
    ["a", true],
    ["c", false],
    ["!c", true],
    ["!a", false],
    ["a=1", true],
    ["a=2", false],
    ["a!=1", false],
    ["c!=1", true],
    ["a in (0,1)", true],
    ["c in (0,1)", false],
    ["a notin (0,1)", false],
    ["c notin (0,1)", true],
    ["a>0", true],
    ["a>1", false],
    ["a<2", true],
    ["b>0", false],
    ["c<5", false],
    ["empty=", true],
    ["a=1,b=y", false],
    ["a=1,b=x", true],
    ["toString", false],
    ["!constructor", true],
  ];
  for (const [text, want] of cases) {
    it(`says ${want} to ${JSON.stringify(text)}`, () => {
      expect(matchesLabels(parseLabelSelector(text), labels)).toBe(want);
    });
  }

  it("treats an object without labels as one with none", () => {
    expect(matchesLabels(parseLabelSelector("a"), undefined)).toBe(false);
    expect(matchesLabels(parseLabelSelector("!a"), undefined)).toBe(true);
  });
});
