import { describe, expect, it } from "@jest/globals";
import { UsageError } from "../../usage-error.ts";
import { expandVariables } from "./expand-variables.ts";

const values: Readonly<Record<string, string>> = { NAME: "Web-App", EMPTY: "", path: "a/b/c.tar.gz", ö: "umlaut" };
const expand = (text: string) => expandVariables(text, (name) => values[name], "file");

describe("expandVariables", () => {
  it.each([
    ["name: ${NAME}, ${NAME}", "name: Web-App, Web-App"],
    ["${ö}", "umlaut"],
    // Only the form with braces is a variable.
    ["$NAME $(NAME) $ $$ 5$", "$NAME $(NAME) $ $$ 5$"],
    ["$${NAME} $$${NAME}", "${NAME} $${NAME}"],
    ["${#NAME}", "7"],
    ["${NAME^^} ${NAME,,} ${NAME,}", "WEB-APP web-app web-App"],
    ["${path^}", "A/b/c.tar.gz"],
    ["${NAME:4} ${NAME:0:3} ${NAME: -3} ${NAME:1:-1}", "App Web App "],
    ["${path#*/} ${path##*/} ${path%.*} ${path%%.*}", "b/c.tar.gz c.tar.gz a/b/c.tar a/b/c"],
    ["${path#?} ${path#x}", "/b/c.tar.gz a/b/c.tar.gz"],
    ["${path#} ${path##} ${path%} ${path%%}", "a/b/c.tar.gz a/b/c.tar.gz a/b/c.tar.gz a/b/c.tar.gz"],
    ["${path#*} ${path##*}|${path%*} ${path%%*}|", "a/b/c.tar.gz |a/b/c.tar.gz |"],
    ["${path##*a?} ${path##*.?a} ${path%?*/*.gz} ${path%%?*/*.gz}", ".gz r.gz a/ "],
    ["${path##a*b*c*z} ${path##*z*z} ${path#a/b/c.tar.gz?}", " a/b/c.tar.gz a/b/c.tar.gz"],
    ["${NAME/-/_} ${NAME//p/q} ${NAME/#Web/Net} ${NAME/%App/Api} ${NAME/-}", "Web_App Web-Aqq Net-App Web-Api WebApp"],
    ["${NAME/-/$&}", "Web$&App"],
    ["${GONE:-x} ${GONE=x} ${GONE:=x} ${EMPTY:-x} ${NAME:-x}", "x x x x Web-App"],
    ["${GONE:-${NAME}} ${GONE:-${OTHER:-deep}}", "Web-App deep"],
  ])("makes of %s: %s", (text, want) => {
    expect(expand(text).text).toBe(want);
  });

  it("names variables without a value once, with their first place", () => {
    expect(expand("a: ${NAME}\nb: ${GONE}\nc: ${GONE} ${EMPTY} ${GONE:-x} ${#OTHER}")).toEqual({
      text: "a: Web-App\nb: \nc:   x 0",
      undefinedNames: [
        { name: "GONE", line: 2, column: 4 },
        { name: "OTHER", line: 3, column: 32 },
      ],
    });
  });

  it.each([
    ["a\n${", "file: line 2, column 1: expected a name after ${"],
    ["a: x\nb: ${}", "file: line 2, column 4: expected a name after ${"],
    ["${}", "file: line 1, column 1: expected a name after ${"],
    ["${NAME", "file: line 1, column 1: expected } or a known operator after the name of the variable"],
    ["${NAME[@]}", "file: line 1, column 1: expected } or a known operator after the name of the variable"],
    ["${NAME+x}", "file: line 1, column 1: expected } or a known operator after the name of the variable"],
    [
      "${NAME:x}",
      "file: line 1, column 1: expected ${NAME:OFFSET} or ${NAME:OFFSET:LENGTH} with numbers, or ${NAME:-DEFAULT}",
    ],
  ])("refuses %j", (text, message) => {
    const hint = ". Write $${ for text that is not a variable, or use --templater none";
    expect(() => expand(text)).toThrow(new UsageError(`${message}${hint}`));
  });

  it("names the remedy of each limit", () => {
    const nested = "file: line 1, column 161: more than 20 variables inside each other. Nest fewer variables";
    expect(() => expand("${GONE:-".repeat(21))).toThrow(new UsageError(nested));
    const long = (): string => "x".repeat(1_000_000);
    const steps =
      "line 1, column 1: evaluating the variables takes more than 268435456 steps. Use shorter values or patterns";
    expect(() => expandVariables(`\${A#${"?".repeat(1_000)}}`, long, "file")).toThrow(steps);
    expect(() => expandVariables(`\${A//a/${"b".repeat(1_000)}}`, long, "file")).toThrow(steps);
    const bomb = (): string => "x".repeat(40_000_000);
    expect(() => expandVariables("${A}${A}", bomb, "file")).toThrow(
      /more than 67108864 characters. Shorten the values of the variables$/,
    );
  });

  // Far more than linear work takes; quadratic work takes minutes.
  it("evaluates 100,000 variables in linear time", () => {
    const count = 100_000;
    const text = Array.from({ length: count }, (_, at) => `a: \${N${at}} \${NAME}`).join("\n");
    const { undefinedNames } = expand(text);
    expect(undefinedNames).toHaveLength(count);
    expect(undefinedNames.at(-1)).toEqual({ name: `N${count - 1}`, line: count, column: 4 });
  });

  it("trims a long value in linear time", () => {
    const long = "x".repeat(1_000_000);
    expect(expandVariables("${A#*y} ${A%%y*}", () => long, "file").text).toBe(`${long} ${long}`);
  });

  it("takes linear time for a long text", () => {
    const long = "$".repeat(1_000_000);
    expect(expand(long).text).toBe(long);
  });
});
