import { describe, expect, it } from "@jest/globals";
import { decodePem, decodePemBlocks, encodePem } from "./pem.ts";

const one = encodePem("SIGNATURE", Buffer.from("one"));
const two = encodePem("CERTIFICATE", Buffer.from("two"));

describe("blocks of PEM", () => {
  it("are read in their order, with text between", () => {
    const blocks = [...decodePemBlocks(`before\n${one}between\n${two}after`)];
    expect(blocks.map(({ type, der }) => [type, der.toString()])).toEqual([
      ["SIGNATURE", "one"],
      ["CERTIFICATE", "two"],
    ]);
    expect(decodePem(`${one}${two}`)?.type).toBe("SIGNATURE");
  });

  it("have headers", () => {
    const text = one.replace("\n", "\nSignature Algorithm: RSASSA-PSS\nOther:  x:y \n\n");
    expect(decodePem(text)).toEqual({
      type: "SIGNATURE",
      headers: { "Signature Algorithm": "RSASSA-PSS", Other: "x:y" },
      der: Buffer.from("one"),
    });
  });

  it.each([
    { name: "without an end", text: one.replace("-----END SIGNATURE-----", "") },
    { name: "with another end", text: one.replace("END SIGNATURE", "END CERTIFICATE") },
    { name: "with something else than base64", text: one.replace("b25l", "b25l?") },
  ])("are skipped $name", ({ text }) => {
    expect([...decodePemBlocks(`${text}${two}`)].map(({ type }) => type)).toEqual(["CERTIFICATE"]);
  });
});
