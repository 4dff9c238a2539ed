import { describe, expect, test } from "vitest";
import { planPictures } from "./picture-plan.ts";

const MiB = 1024 * 1024;
const plain = (...sizes: number[]) => sizes.map((bytes) => ({ bytes, mustConvert: false }));
const forms = (sizes: number[], budget: number) =>
  planPictures(plain(...sizes), budget).map(({ form }) => form);

describe("planning pictures", () => {
  test("all are given as they are while they fit", () => {
    expect(forms([MiB, 2 * MiB, 3 * MiB], 6 * MiB)).toEqual(["original", "original", "original"]);
  });

  test("only the large ones are scaled, to an equal share of what the small ones leave", () => {
    const plans = planPictures(plain(MiB, 20 * MiB, 9 * MiB), 5 * MiB);
    expect(plans).toEqual([
      { form: "original" },
      { form: "jpeg", maxBytes: 2 * MiB, reason: "size" },
      { form: "jpeg", maxBytes: 2 * MiB, reason: "size" },
    ]);
  });

  test("when many are too large, the first fit and the others are links: scaling a hundred takes too long", () => {
    const all = forms(Array(100).fill(MiB), 8 * MiB);
    expect(all.filter((form) => form === "original")).toHaveLength(8);
    expect(all.slice(8)).toEqual(Array(92).fill("link"));
  });

  test("a picture every client should see is converted even when there is room", () => {
    expect(planPictures([{ bytes: 100_000, mustConvert: true }], 8 * MiB)).toEqual([
      { form: "jpeg", maxBytes: 300_000, reason: "format" },
    ]);
  });

  test("conversions in one answer are bounded", () => {
    const plans = planPictures(Array(40).fill({ bytes: 1000, mustConvert: true }), 8 * MiB);
    expect(plans.filter(({ form }) => form === "jpeg")).toHaveLength(24);
    expect(plans.at(-1)).toEqual({ form: "link", reason: "count" });
  });

  test("no room at all gives links, and the sum never passes the budget", () => {
    expect(forms([1000, 2000], 0)).toEqual(["link", "link"]);
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    for (let round = 0; round < 500; round += 1) {
      const pictures = Array.from({ length: 1 + Math.floor(random() * 40) }, () => ({
        bytes: Math.floor(random() ** 3 * 4 * MiB),
        mustConvert: random() < 0.2,
      }));
      const budget = Math.floor(random() * 8 * MiB);
      const sum = planPictures(pictures, budget).reduce(
        (total, plan, index) =>
          total +
          (plan.form === "original"
            ? (pictures[index]?.bytes ?? 0)
            : plan.form === "jpeg"
              ? plan.maxBytes
              : 0),
        0,
      );
      expect(sum).toBeLessThanOrEqual(budget);
    }
  });
});
