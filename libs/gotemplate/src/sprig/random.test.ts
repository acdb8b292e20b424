import { describe, expect, it } from "@jest/globals";
import { parseTemplate } from "../template-set.ts";
import { TemplateError } from "../template-error.ts";
import { sprigFunctions } from "./sprig-functions.ts";

/** Bytes of a small generator, so that results are the same each time. */
function seeded(seed: number): (bytes: number) => Uint8Array {
  let state = seed;
  return (bytes) =>
    Uint8Array.from({ length: bytes }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return state >>> 24;
    });
}

function run(
  text: string,
  options: { random?: (bytes: number) => Uint8Array; now?: () => Date } = { random: seeded(1) },
): string {
  return parseTemplate({ name: "t", text, functions: sprigFunctions }).execute({}, options);
}

describe("random functions", () => {
  it.each([
    ["randAlphaNum", /^[A-Za-z0-9]{40}$/],
    ["randAlpha", /^[A-Za-z]{40}$/],
    ["randNumeric", /^[0-9]{40}$/],
    ["randAscii", /^[ -~]{40}$/],
  ])("%s draws from its characters", (name, pattern) => {
    expect(run(`{{ ${name} 40 }}`)).toMatch(pattern);
  });

  it("gives the same text for the same bytes", () => {
    const text = "{{ randAlphaNum 16 }} {{ uuidv4 }} {{ shuffle `abcdef` }} {{ randInt 5 500 }} {{ randBytes 6 }}";
    expect(run(text, { random: seeded(7) })).toBe(run(text, { random: seeded(7) }));
    expect(run(text, { random: seeded(7) })).not.toBe(run(text, { random: seeded(8) }));
  });

  it("draws every character of its set, evenly", () => {
    const counts = new Map<string, number>();
    for (const char of run("{{ randNumeric 10000 }}")) counts.set(char, (counts.get(char) ?? 0) + 1);
    expect(counts.size).toBe(10);
    for (const count of counts.values()) expect(count).toBeGreaterThan(700);
  });

  it("keeps integers in their range", () => {
    const numbers = run("{{ range until 200 }}{{ randInt -3 4 }} {{ end }}").trim().split(" ").map(Number);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([-3, 3]);
  });

  it("gives version 4 UUIDs", () => {
    expect(run("{{ uuidv4 }}")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it("keeps the characters when it shuffles", () => {
    expect(Array.from(run("{{ shuffle `aéb😀c` }}")).toSorted().join("")).toBe(
      Array.from("aéb😀c").toSorted().join(""),
    );
  });

  it("gives base64 of random bytes", () => {
    expect(Buffer.from(run("{{ randBytes 12 }}"), "base64")).toHaveLength(12);
    expect(run("{{ randBytes 0 }}")).toBe("");
  });

  it("decrypts what it encrypted", () => {
    expect(run('{{ $c := encryptAES "pass word" "täxt" }}{{ decryptAES "pass word" $c }} {{ len (b64dec $c) }}')).toBe(
      "täxt 32",
    );
  });

  it.each([
    [
      "{{ randInt 5 5 }}",
      'template: t:1:3: executing "t" at <randInt 5 5>: error calling randInt: invalid argument to Intn',
    ],
    [
      "{{ randBytes -1 }}",
      'template: t:1:3: executing "t" at <randBytes -1>: error calling randBytes: runtime error: makeslice: len out of range',
    ],
    [
      '{{ decryptAES "k" "YWJj" }}',
      'template: t:1:3: executing "t" at <decryptAES "k" "YWJj">: error calling decryptAES: runtime error: slice bounds out of range [:16] with capacity 3',
    ],
  ])("refuses %s", (text, message) => {
    expect(() => run(text)).toThrow(message);
  });

  it("needs a source of random bytes", () => {
    expect(() => run("{{ randAlpha 1 }}", {})).toThrow(
      'template: t:1:3: executing "t" at <randAlpha 1>: error calling randAlpha: there is no source of random bytes',
    );
  });
});

describe("clock", () => {
  it("needs a clock", () => {
    expect(() => run("{{ now }}", {})).toThrow(TemplateError);
  });

  it("measures from the clock that it is given", () => {
    const now = (): Date => new Date("2024-05-06T07:08:09.600Z");
    expect(
      run(
        '{{ ago (toDate "2006-01-02" "2024-05-06") }} {{ ago now }} {{ ago 1714979289 }} {{ durationRound (toDate "2006-01-02" "2024-05-01") }}',
        { now },
      ),
    ).toBe("7h8m10s 0s 1s 5d");
  });

  it("takes what is no date for now", () => {
    const now = (): Date => new Date("2024-05-06T07:08:09Z");
    expect(run('{{ date "15:04" nil }} {{ date "15:04" 1.5 }} {{ htmlDate "x" }}', { now })).toBe(
      "07:08 07:08 2024-05-06",
    );
  });
});
