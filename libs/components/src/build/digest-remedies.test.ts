import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { withDigestRemedies } from "./digest-remedies.ts";

const skip = "To create the component without this digest, use --skip-external-digests.";
const plain = Object.assign(new Error("wrong version number"), { code: "ERR_SSL_WRONG_VERSION_NUMBER" });

function failure(reason: string, cause?: Error): LandscaperError {
  return new LandscaperError({ reason, message: "it failed", codes: [], retry: "never", cause });
}

describe("withDigestRemedies", () => {
  it.each<[string, string, LandscaperError, string | undefined]>([
    ["the registry cannot be reached", "localhost:5000/web:1", failure("RegistryUnreachable"), skip],
    ["the registry wants a login", "localhost:5000/web:1", failure("RegistryUnauthorized"), skip],
    [
      "the registry has no TLS",
      "localhost:5000/web:1",
      failure("RegistryUnreachable", plain),
      `If the registry has no TLS, write http://localhost:5000/web:1. ${skip}`,
    ],
    ["the reference has a scheme", "https://localhost:5000/web:1", failure("RegistryUnreachable", plain), skip],
    // The reference is wrong, or the artifact is not pushed yet.
    ["there is no artifact", "localhost:5000/web:1", failure("RegistryNotFound"), undefined],
    ["the answer is invalid", "localhost:5000/web:1", failure("InvalidRegistryAnswer"), undefined],
  ])("names the place, and only the remedies that help if %s", async (...[, reference, error, hint]) => {
    const work = async (): Promise<never> => await Promise.reject(error);
    await expect(withDigestRemedies(reference, "file: access", work)).rejects.toMatchObject({
      message: "file: access: it failed",
      hint,
    });
  });
});
