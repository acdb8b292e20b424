import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { warmUp } from "./warm-up.ts";

describe("the warm-up of a thread", () => {
  it("renders what templates of both languages make", async () => {
    const { execution } = await warmUp();
    const items = "execution" in execution ? (execution.execution.spec.deployItemsCompressed ?? "") : "";
    const text = gunzipSync(Buffer.from(items, "base64")).toString("utf8");
    expect(text).toContain('"go-x"');
    expect(text).toContain('"spiff-x"');
  });
});
