import { describe, expect, it } from "@jest/globals";
import { hasFormat } from "./string-formats.ts";

// Answers of a real kube-apiserver v1.34.1 to custom resources with these formats.
describe("hasFormat", () => {
  const accepted: Readonly<Record<string, readonly string[]>> = {
    ipv4: ["10.0.0.1", "010.0.0.1", "::ffff:1.2.3.4", "::1.2.3.4", "::ffff:01.2.3.4"],
    ipv6: ["fe80::1", "::ffff:1.2.3.4", "::ffff:102:304", "2001:db8::1"],
    cidr: ["10.0.0.0/8", "01.2.3.4/32", "::ffff:01.2.3.4/32", "2001:db8::1/32"],
  };
  const refused: Readonly<Record<string, readonly string[]>> = {
    ipv4: ["fe80::1", "::ffff:102:304", "1.2.3.4%eth0", "2001:db8::1"],
    ipv6: ["fe80::1%eth0", "01.2.3.4", "1.2.3.4", "::ffff:01.2.3.4"],
    cidr: ["fe80::1%eth0/32", "1.2.3.4%eth0/32", "10.0.0.0/33", "10.0.0.0"],
  };
  for (const [format, texts] of Object.entries(accepted)) {
    it.each(texts)(`accepts %s as ${format}`, (text) => {
      expect(hasFormat(text, format)).toBe(true);
    });
  }
  for (const [format, texts] of Object.entries(refused)) {
    it.each(texts)(`refuses %s as ${format}`, (text) => {
      expect(hasFormat(text, format)).toBe(false);
    });
  }
});
