import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { redactAnswerInTurns, redactLeaves } from "./redaction.ts";

const sentinel = "S3NTINEL-value/with+all";

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

describe("redactLeaves", () => {
  it.each([
    ["as it is", sentinel, "[...]"],
    ["several times", `${sentinel} and ${sentinel}`, "[...] and [...]"],
    ["inside of a word", `x${sentinel}y`, "x[...]y"],
    ["in base64", base64(sentinel), "[...]"],
    ["in URL-safe base64", Buffer.from(sentinel).toString("base64url"), "[...]"],
    ["in a URL", `https://host/?a=${encodeURIComponent(sentinel)}`, "https://host/?a=[...]"],
  ])("masks a secret %s", (_, message, want) => {
    expect(redactLeaves(message, { a: { b: [sentinel] } })).toBe(want);
  });

  it.each([0, 1, 2])("masks a secret in base64 of a longer text, %i characters behind a boundary", (offset) => {
    const text = `${"x".repeat(offset)}${sentinel}yyy`;
    const redacted = redactLeaves(`data: ${base64(text)}`, [sentinel]);
    expect(redacted).toMatch(/^data: [A-Za-z0-9]{0,3}\[\.\.\.\][A-Za-z0-9+/=]{0,8}$/);
  });

  it("masks a secret with quotes, backslashes and line ends in its JSON form, once and twice escaped", () => {
    const secret = 'pass"word\\with\nlines & <tags>';
    const once = JSON.stringify(secret);
    expect(redactLeaves(`got ${once}`, { secret })).toBe('got "[...]"');
    expect(redactLeaves(`got ${JSON.stringify(once)}`, { secret })).toBe(String.raw`got "\"[...]\""`);
    expect(redactLeaves(String.raw`got "pass\"word\\with\nlines \u0026 \u003ctags\u003e"`, { secret })).toBe(
      'got "[...]"',
    );
  });

  it("masks a secret with quotes in base64 of a JSON text, escaped once and twice", () => {
    const secret = 'top "secret of all" <&>';
    const once = JSON.stringify({ secret });
    for (const document of [once, JSON.stringify({ once })]) {
      const redacted = redactLeaves(`got ${base64(document)}`, { secret });
      expect(redacted).toMatch(/^got [A-Za-z0-9+/]+\[\.\.\.\][A-Za-z0-9+/=]{0,8}$/);
    }
  });

  it("masks numbers of four digits and more, as words", () => {
    expect(redactLeaves("pin 123456, port 80, id 91234567", { pin: 123_456, port: 80, part: 1234 })).toBe(
      "pin [...], port 80, id 91234567",
    );
  });

  it("masks short secrets as words only, so that the message stays readable", () => {
    expect(redactLeaves("test: the latest test, mytest", { a: "test" })).toBe("[...]: the latest [...], mytest");
  });

  it("does not mask texts of three characters, booleans, null and names of fields", () => {
    const values = { password: "abc", yes: true, no: false, nothing: null, empty: "" };
    const message = "abc: password true false null yes";
    expect(redactLeaves(message, values)).toBe(message);
  });

  it("masks the longer secret when one contains the other", () => {
    expect(redactLeaves("secret-one-two secret-one", ["secret-one", "secret-one-two"])).toBe("[...] [...]");
  });

  it("masks the lines and values of a document that was given as one text", () => {
    const kubeconfig = [
      "users:",
      "- name: admin",
      "  user:",
      '    token: "abcdef.0123456789"',
      "    password: hunter2hunter2",
    ];
    const message = 'user "abcdef.0123456789" with hunter2hunter2 was refused';
    expect(redactLeaves(message, { kubeconfig: kubeconfig.join("\n") })).toBe("user [...] with [...] was refused");
  });

  it("masks the values of JSON that was given as one text", () => {
    expect(redactLeaves("login with hunter2hunter2 failed", { auth: '{"password":"hunter2hunter2"}' })).toBe(
      "login with [...] failed",
    );
  });

  it("masks the text behind a base64 value, such as the data of a Secret", () => {
    expect(redactLeaves(`${sentinel} is wrong`, { data: { password: base64(sentinel) } })).toBe("[...] is wrong");
  });

  it("takes texts with special characters of regular expressions literally", () => {
    expect(redactLeaves("a.*b(c)[d] axxb", ["a.*b(c)[d]", "$&$1"])).toBe("[...] axxb");
  });

  it("changes nothing when there is nothing to mask", () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom({}, [], null, undefined, "", true, [[{}]], { a: "abc" }),
        (text, values) => {
          fc.pre(!text.includes("abc"));
          expect(redactLeaves(text, values)).toBe(text);
        },
      ),
    );
  });

  it("never lets a secret pass, in whatever form and place", () => {
    const secret = fc
      .string({ minLength: 8, maxLength: 40, unit: "grapheme-ascii" })
      .filter((text) => text.trim() === text);
    const around = fc.constantFrom("", "x", "-", " ", "\n", '"', "ab");
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const text = before + value + after;
        const forms = [text, JSON.stringify({ text }), base64(text), base64(JSON.stringify({ text }))];
        const redacted = redactLeaves(forms.join(" | "), { deep: [{ value }] });
        expect(redacted).not.toContain(value);
        expect(redacted).not.toContain(JSON.stringify(value).slice(1, -1));
        for (const word of redacted.split(/[ |]+/)) {
          expect(Buffer.from(word, "base64").toString("utf8")).not.toContain(value);
        }
      }),
    );
  });
});

const redactAnswer = async (message: string, values: readonly unknown[]): Promise<string> =>
  await redactAnswerInTurns(message, values, async () => undefined);

describe("redactAnswerInTurns", () => {
  const values = ["number", "ConfigMap", "ConfigMap.metadata", "field", "invalid", "object", "must be", "kind: Config"];
  it.each([
    "json: cannot unmarshal number into Go struct field ConfigMap.metadata of type v1.ObjectMeta",
    "json: cannot unmarshal object into Go value of type string",
    'ConfigMap "a" is invalid: field.object[0]: Invalid value: 1: must be greater than or equal to 0',
    'configmaps "a" is forbidden: no',
    'a: Unsupported value: 1: supported values: "ConfigMap", "field"',
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ])("leaves the words of the server: %s", async (message) => {
    expect(await redactAnswer(message, [...values, "alphanumeric", "label"])).toBe(message);
  });

  it.each([
    ["a value beside them", "cannot unmarshal number: the number is bad", "cannot unmarshal number: the [...] is bad"],
    [
      "a value that only begins as they do",
      "kind: ConfigMap.metadata of type cannot unmarshal numbers",
      "[...]Map.metadata of type cannot unmarshal numbers",
    ],
    ["a value that they are a part of", 'got "cannot unmarshal number for us"', 'got "[...]"'],
  ])("masks %s", async (_, message, want) => {
    expect(await redactAnswer(message, ["number", "kind: Config", "cannot unmarshal number for us"])).toBe(want);
  });

  it("takes time in proportion to the length of hostile messages", async () => {
    const parts = [
      "a.",
      "a",
      "supported values: ",
      "must consist of alphanumeric characters (e.g. ",
      "cannot unmarshal ",
    ];
    for (const part of parts) {
      const message = part.repeat(Math.ceil(1_000_000 / part.length));
      expect(await redactAnswer(`${message}  number`, ["number"])).toBe(`${message}  [...]`);
    }
  });
});
