import { expect, it } from "@jest/globals";
import { packFiles } from "./pack-files.ts";

async function pack(size: number, text: string): Promise<number> {
  let length = 0;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  };
  for await (const part of packFiles([{ name: "a.txt", size, content }])) length += part.length;
  return length;
}

it("packs a file of the given size", async () => {
  expect(await pack(4, "text")).toBe(2048);
});

it.each([
  [3, "expected 3 bytes, found more"],
  [5, "expected 5 bytes, found 4"],
])("refuses a file of four bytes whose size was %d before", async (size, problem) => {
  await expect(pack(size, "text")).rejects.toMatchObject({
    reason: "InvalidComponent",
    message: expect.stringContaining(`"a.txt": the file changed while it was packed: ${problem}`),
  });
});
