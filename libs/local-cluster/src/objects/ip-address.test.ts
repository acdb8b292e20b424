import { describe, expect, it } from "@jest/globals";
import { fromIpv4Number, hasLeadingZeros, parseIpAddress, parseIpRange, toIpv4Number } from "./ip-address.ts";

describe("parseIpAddress", () => {
  it.each<[text: string, family: 4 | 6, canonical: string]>([
    ["10.0.0.1", 4, "10.0.0.1"],
    ["010.00.0.001", 4, "10.0.0.1"],
    ["2001:DB8:0::1", 6, "2001:db8::1"],
    ["1:0:0:2:0:0:0:3", 6, "1:0:0:2::3"],
    ["::", 6, "::"],
    ["::1.2.3.4", 6, "::102:304"],
    ["64:ff9b::1.2.3.4", 6, "64:ff9b::102:304"],
  ])("reads %s", (text, family, canonical) => {
    expect(parseIpAddress(text)).toEqual({ family, text: canonical, isMapped: false });
  });

  it.each(["::ffff:10.0.0.1", "::ffff:010.0.0.1", "::FFFF:a00:1", "0:0:0:0:0:ffff:10.0.0.1"])(
    "reads the IPv4-mapped address %s as IPv4",
    (text) => {
      expect(parseIpAddress(text)).toEqual({ family: 4, text: "10.0.0.1", isMapped: true });
    },
  );

  it.each(["", "10.0.0", "10.0.0.256", "10.0.0.1%eth0", "fe80::1%eth0", "fe80::1%", "::g", "1::2::3", "[::1]", " ::1"])(
    "refuses %j",
    (text) => {
      expect(parseIpAddress(text)).toBeUndefined();
    },
  );

  it("refuses a text of a million zeros", () => {
    expect(parseIpAddress("0".repeat(1_000_000))).toBeUndefined();
    expect(parseIpAddress(`${"0:".repeat(500_000)}x`)).toBeUndefined();
  });
});

describe("hasLeadingZeros", () => {
  it.each<[text: string, has: boolean]>([
    ["10.0.0.1", false],
    ["10.0.0.01", true],
    ["::ffff:10.0.0.01", true],
    ["2001:0db8::0001", false],
  ])("%s: %p", (text, has) => {
    expect(hasLeadingZeros(text)).toBe(has);
  });
});

describe("parseIpRange", () => {
  it.each<[text: string, range: object]>([
    ["010.0.0.0/08", { address: "10.0.0.0", family: 4, bits: 8 }],
    ["2001:DB8::/64", { address: "2001:db8::", family: 6, bits: 64 }],
    ["::ffff:10.0.0.0/104", { address: "::ffff:10.0.0.0", family: 6, bits: 104 }],
  ])("reads %s", (text, range) => {
    expect(parseIpRange(text)).toEqual(range);
  });

  it.each(["10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/+8", "10.0.0.0/8/8", "fe80::%eth0/64", "10.0.0.0/8%eth0"])(
    "refuses %s",
    (text) => {
      expect(parseIpRange(text)).toBeUndefined();
    },
  );
});

it.each<[address: string, number: number]>([
  ["0.0.0.0", 0],
  ["10.96.0.1", 174_063_617],
  ["255.255.255.255", 2 ** 32 - 1],
])("toIpv4Number and fromIpv4Number convert %s to %d and back", (address, number) => {
  expect(toIpv4Number(address)).toBe(number);
  expect(fromIpv4Number(number)).toBe(address);
});
