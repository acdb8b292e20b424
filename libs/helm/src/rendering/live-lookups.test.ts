import { describe, expect, it } from "@jest/globals";
import { type GoMap, encodeUtf8 } from "@landscaper/golang";
import type { Chart } from "../chart/chart.ts";
import type { LookupQuery } from "../functions/helm-environment.ts";
import { type LiveLookupOptions, renderWithLookups } from "./live-lookups.ts";
import { renderFiles } from "./render-chart.ts";

function chartOf(text: string): Chart {
  const data = encodeUtf8(text);
  const values: GoMap = new Map();
  const templates = [{ name: "templates/a.yaml", data }];
  return { metadata: { name: "c", version: "1.0.0" }, values, templates, files: [], raw: [], dependencies: [] };
}

let bytes = 0;

async function render(
  text: string,
  options: Partial<LiveLookupOptions> & Pick<LiveLookupOptions, "fetch">,
): Promise<string> {
  const chart = chartOf(text);
  const sources = {
    now: () => new Date(0),
    random: (count: number) => new Uint8Array(count).fill(bytes++),
    createKey: () => `key ${bytes++}`,
  };
  return renderWithLookups(
    (attempt) =>
      renderFiles(chart, { ...attempt, values: new Map(), release: { name: "r", namespace: "n" } }).get(
        "c/templates/a.yaml",
      ) ?? "",
    { ...sources, ...options },
  );
}

describe("renderWithLookups", () => {
  it("fetches together what templates ask for, then what they ask for because of it", async () => {
    const asked: string[][] = [];
    let round: string[] = [];
    const fetch = async ({ kind, name }: LookupQuery): Promise<unknown> => {
      if (round.length === 0) queueMicrotask(() => (asked.push(round), (round = [])));
      round.push(`${kind}/${name}`);
      return Promise.resolve(name === "gone" ? undefined : { next: "b" });
    };
    const text =
      '{{ $a := lookup "v1" "A" "" "a" }}{{ $g := lookup "v1" "A" "" "gone" }}{{ with $a.next }}{{ (lookup "v1" "B" "" .).next }}' +
      "{{ end }}{{ len $g }}";
    expect(await render(text, { fetch })).toBe("b0");
    expect(asked).toEqual([["A/a", "A/gone"], ["B/b"]]);
  });

  it("keeps chance and keys from attempt to attempt", async () => {
    let first: string | undefined;
    const text =
      '{{ $r := randBytes 4 }}{{ $s := lookup "v1" "Secret" "" "s" }}{{ $s.data | default $r }} {{ $r }} {{ genPrivateKey "ecdsa" }}';
    const fetch = async (): Promise<unknown> => {
      first = String(bytes);
      return Promise.resolve(undefined);
    };
    const [used, drawn] = (await render(text, { fetch })).split(" ");
    expect(used).toBe(drawn);
    expect(first).toBe(String(bytes));
  });

  it("does not tell of errors that come from not knowing the cluster", async () => {
    const text = '{{ if not (lookup "v1" "A" "" "a") }}{{ fail "there is no a" }}{{ end }}fine';
    expect(await render(text, { fetch: async () => Promise.resolve({ a: 1 }) })).toBe("fine");
    await expect(render(text, { fetch: async () => Promise.resolve(undefined) })).rejects.toThrow(
      "execution error at (c/templates/a.yaml:1:40): there is no a",
    );
  });

  it("gives an error of the cluster to the template that asks", async () => {
    const fetch = async (): Promise<unknown> => Promise.reject(new Error("a is forbidden"));
    await expect(render('{{ lookup "v1" "A" "" "a" }}', { fetch })).rejects.toThrow(
      'template: c/templates/a.yaml:1:3: executing "c/templates/a.yaml" at <lookup "v1" "A" "" "a">: error calling lookup: ' +
        "a is forbidden",
    );
  });

  it("ends when templates never stop asking", async () => {
    const fetch = async (): Promise<unknown> => Promise.resolve({ next: "b" });
    const text = '{{ $a := lookup "v1" "A" "" "a" }}{{ with $a.next }}{{ lookup "v1" "A" "" . }}{{ end }}';
    expect(await render(text, { fetch, maxAttempts: 3 })).toBe("map[next:b]");
    await expect(render(text, { fetch, maxAttempts: 2 })).rejects.toThrow(
      "templates still look up new objects after 2 attempts",
    );
  });

  it("stops when it is told to", async () => {
    const controller = new AbortController();
    const fetch = async (): Promise<unknown> => {
      controller.abort(new Error("stopped"));
      return Promise.reject(new Error("the request was cancelled"));
    };
    await expect(render('{{ lookup "v1" "A" "" "a" }}', { fetch, signal: controller.signal })).rejects.toThrow(
      "stopped",
    );
  });
});
