// What a rendering gets from outside: bytes and keys drawn by chance, and answers of the host.
import { describe, expect, it } from "@jest/globals";
import type { KeyKind } from "@landscaper/x509";
import { createBlueprint } from "../create-blueprint.ts";
import { renderDeployItems, type RenderedDeployItems } from "../deploy-item/render-deploy-items.ts";
import type { RenderContext } from "../render-context.ts";
import { checkSecretNames } from "./check-secret-names.ts";
import { sensitiveConfigs } from "./sensitive-results.ts";
import { observeContext, replayContext, shadowContext } from "./shadow-context.ts";
import { traceImports, traceRendering } from "./trace-installation.ts";
import type { Traced } from "./trace-secrets.ts";

const key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
const ed25519: KeyKind = { type: "ed25519" };

interface Calls {
  readonly context: RenderContext;
  readonly calls: string[];
}

/** The job gives the same bytes and keys again and again, and tells what it has been asked for. */
function contextOf(template: string): Calls {
  const calls: string[] = [];
  const answer = (name: string): string => `kind: Config\ntoken: token-of-${name}\n`;
  const context: RenderContext = {
    source: createBlueprint({ "blueprint.yaml": { deployExecutions: [{ name: "d", type: "GoTemplate", template }] } }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => {
      calls.push("random");
      return new Uint8Array(bytes);
    },
    createKey: ({ type }) => {
      calls.push(`key ${type}`);
      return key;
    },
    host: {
      functions: {
        getServiceAccountKubeconfig: (name) => {
          calls.push(`account ${String(name)}`);
          return answer(String(name));
        },
        getOidcKubeconfig: (name) => {
          calls.push(`oidc ${String(name)}`);
          return `content ${String(name)}`;
        },
      },
    },
  };
  return { context, calls };
}

function deploy({ context }: Calls): Traced<RenderedDeployItems> {
  return traceRendering({
    context,
    imports: traceImports({ context, given: {} }),
    states: {},
    render: (inner, { imports }) => renderDeployItems({ context: inner, imports }),
  });
}

const itemOf = (name: string, value: string): string =>
  `deployItems: [{name: ${name}, type: mock, config: {apiVersion: v1, kind: M, value: ${value}}}]`;
const kubeconfigOf = (name: string): string => `getServiceAccountKubeconfig "${name}" "ns" 600 (dict "a" 1)`;
const token = `(${kubeconfigOf("one")} | fromYaml).token`;

describe("what of a configuration is secret, of what comes from outside", () => {
  it.each([
    [
      "an answer of the host, but not its frame",
      `{a: {{ ${token} }}, b: {{ (${kubeconfigOf("one")} | fromYaml).kind }}}`,
      ["/value/a"],
    ],
    ["what is made of an answer", `{{ upper ${token} }}`, ["/value"]],
    ["a private key of the job", '{{ genPrivateKey "ed25519" | quote }}', ["/value"]],
    ["a password of the job", "{{ randAlphaNum 20 }}", ["/value"]],
  ])("%s", (_, value, want) => {
    const { value: rendered, shadow } = deploy(contextOf(itemOf("item", value)));
    expect(sensitiveConfigs(rendered.deployItems, shadow?.deployItems)["item"]).toEqual(want);
  });

  it("is found without asking the host or the job for more", () => {
    const value = `[{{ ${token} }}, {{ genPrivateKey "ed25519" | quote }}, {{ randAlphaNum 1 }}]`;
    const given = contextOf(itemOf("item", value));
    deploy(given).confirm();
    expect(given.calls).toEqual(["account one", "key ed25519", "random"]);
  });
});

describe("names", () => {
  const check = (given: Calls): void => {
    const listsOf = ({ deployItems }: RenderedDeployItems) => ({ "deploy item": deployItems });
    checkSecretNames({ context: given.context, traced: deploy(given), listsOf, reason: "InvalidInput" });
  };

  it("that derive from an answer of the host are refused", () => {
    expect(() => check(contextOf(itemOf(`{{ ${token} }}`, "x")))).toThrow(
      "the name of deploy item number 1 derives from a secret",
    );
  });

  it("that derive from a private key may be shown, as all that is drawn by chance", () => {
    const name = '"i-{{ genPrivateKey "ed25519" | sha256sum | trunc 8 }}"';
    expect(() => check(contextOf(itemOf(name, "x")))).not.toThrow();
  });
});

describe("the replayed context", () => {
  const { context } = contextOf("");
  const { context: observed, drawn } = observeContext(
    { ...context, random: (bytes) => new Uint8Array(bytes).fill(7) },
    () => undefined,
  );
  observed.random(3);
  observed.random(2);
  observed.createKey?.(ed25519);
  observed.host?.functions?.getOidcKubeconfig?.("one");
  observed.host?.functions?.getServiceAccountKubeconfig?.("two");
  observed.host?.functions?.getOidcKubeconfig?.("three");

  it("gives bytes in their order, and others when other ones are asked for", () => {
    const { random } = replayContext(context, drawn);
    expect([...random(3)]).toEqual([7, 7, 7]);
    const other = random(4);
    expect([other.length, [...other.subarray(0, 2)]]).not.toEqual([4, [7, 7]]);
    expect(other).toHaveLength(4);
    expect(random(40)).toHaveLength(40);
  });

  it("gives keys in their order, then others of the kind", () => {
    const { createKey } = replayContext(context, drawn);
    expect(createKey?.(ed25519)).toBe(key);
    expect(createKey?.(ed25519)).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  });

  it("gives other answers, by function in their order, and none beyond", () => {
    const { host } = replayContext(context, drawn);
    const oidc = (): unknown => host?.functions?.getOidcKubeconfig?.("any");
    expect([oidc(), host?.functions?.getServiceAccountKubeconfig?.("any"), oidc(), oidc()]).toEqual([
      "pbagrag bar",
      "kind: Config\ntoken: gbxra-bs-gjb\n",
      "pbagrag guerr",
      undefined,
    ]);
  });
});

it("the shadow context has a key of each kind", () => {
  const { createKey } = shadowContext(contextOf("").context, { bytes: [], keys: [], answers: new Map() });
  const keys = (["P-224", "P-256", "P-224"] as const).map((curve) => createKey?.({ type: "ecdsa", curve }));
  expect(keys[0]).not.toBe(keys[1]);
  expect(keys[2]).toBe(keys[0]);
});
