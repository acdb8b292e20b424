import { expect, it } from "@jest/globals";
import { describeFileFailure, identifyError } from "./file-failure.ts";

const failed = (fields: object): Error => Object.assign(new Error("words of Node.js"), fields);

it.each([
  [
    { code: "ENOENT", syscall: "open", path: "/a" },
    "cannot open /a: there is no such file or folder",
    "Correct the path",
  ],
  [
    { code: "ENOTDIR", syscall: "scandir", path: "/a" },
    "cannot list /a: a part of the path is not a folder",
    "Correct the path",
  ],
  [{ code: "EISDIR", syscall: "read" }, "cannot read b.yaml: it is a folder", "Name a file"],
  [
    { code: "EOTHER", syscall: "toString", path: "/a" },
    "cannot toString /a: the file system refuses the call (EOTHER)",
    "Check the path and its file system",
  ],
])("explains a failed call of the file system: %j", (fields, message, remedy) => {
  expect(describeFileFailure(failed(fields), "b.yaml")).toEqual({ message, remedy });
});

it("says that an unknown file cannot be read", () => {
  expect(describeFileFailure(failed({ code: "EIO", syscall: "read" }))?.message).toBe(
    "cannot read a file: the device reports an error",
  );
});

it.each([
  ["a call of the network", failed({ code: "EACCES", syscall: "connect", address: "10.0.0.1" })],
  ["a lookup in DNS", failed({ code: "ETIMEOUT", syscall: "queryA" })],
  ["a code of a library", failed({ code: "Z_DATA_ERROR", syscall: "read" })],
  ["an error without a call", failed({ code: "ENOENT" })],
  ["a text", "ENOENT"],
])("does not explain %s", (_, error) => {
  expect(describeFileFailure(error)).toBe(undefined);
});

it.each([
  [failed({ code: "UND_ERR_SOCKET" }), "UND_ERR_SOCKET"],
  [failed({ code: "a text of a library" }), "Error"],
  [failed({ name: "HTTPParserError" }), "HTTPParserError"],
  ["a text", "string"],
])("identifies an error by its code or type: %s", (error, identity) => {
  expect(identifyError(error)).toBe(identity);
});
