import { describe, expect, it } from "@jest/globals";
import { parseComponentLocation } from "./component-location.ts";

describe("where a component is", () => {
  it.each([
    { text: "ctf//example.com/app", location: { repository: "ctf", name: "example.com/app", version: undefined } },
    {
      text: "./a/ctf.tgz//example.com/app:1.0.0+b.1",
      location: { repository: "./a/ctf.tgz", name: "example.com/app", version: "1.0.0+b.1" },
    },
    {
      text: "/abs/ctf//example.com/app:v1",
      location: { repository: "/abs/ctf", name: "example.com/app", version: "v1" },
    },
    {
      text: "http://localhost:5000/team/x//example.com/app:1.0.0",
      location: { repository: "http://localhost:5000/team/x", name: "example.com/app", version: "1.0.0" },
    },
    {
      text: "registry.example:443//example.com/app",
      location: { repository: "registry.example:443", name: "example.com/app", version: undefined },
    },
  ])("is read from $text", ({ text, location }) => {
    expect(parseComponentLocation(text)).toEqual(location);
  });

  it.each([
    "",
    "example.com/app:1.0.0",
    "//example.com/app",
    "ctf//",
    "ctf//example.com/app:",
    "https://registry.example/x",
  ])("is not in %j", (text) => {
    expect(() => parseComponentLocation(text)).toThrow(
      `${JSON.stringify(text)}: expected REPOSITORY//COMPONENT[:VERSION], such as registry.example/team//example.com/app:1.0.0`,
    );
  });
});
