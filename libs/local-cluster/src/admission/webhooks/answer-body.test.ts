import { describe, expect, it } from "@jest/globals";
import { AnswerError, bodyOf } from "./answer-body.ts";

const answer = (code: number, text: string): string => bodyOf({ code, contentType: "text/plain", text });

// The e2e suite admission-webhooks-answers compares the most common of these messages with those of a real kube-apiserver.
describe("bodyOf", () => {
  it.each([200, 201, 299])("returns the body of an answer with the status code %d", (code) => {
    expect(answer(code, "body")).toBe("body");
  });

  it.each<[code: number, text: string, message: string]>([
    [200, "", "0-length response with status code: 200 and content type: text/plain"],
    [302, "x", "the server answered with a redirect (302), which this API server does not follow"],
    [404, "x", "the server could not find the requested resource"],
    [404, '{"kind":"Status","message":"gone"}', "gone"],
    [404, '{"kind":"Status","message":""}', "the server could not find the requested resource"],
    [404, '{"kind":"Other","message":"gone"}', "the server could not find the requested resource"],
    [500, "null", 'an error on the server ("unknown") has prevented the request from succeeding'],
    [418, "x", "the server responded with the status code 418 but did not return more information"],
  ])("rejects the status code %d with the body %j", (code, text, message) => {
    expect(() => answer(code, text)).toThrow(new AnswerError(message));
  });
});
