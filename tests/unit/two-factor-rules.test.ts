import { decodeBase32IgnorePadding, encodeBase32NoPadding } from "@oslojs/encoding";
import { generateHOTP } from "@oslojs/otp";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawQrCode } from "../../app/features/auth/two-factor/qr-code.server";
import { hashRecoveryCode } from "../../app/features/auth/two-factor/recovery-code-hash.server";
import {
  createRecoveryCodes,
  RECOVERY_CODE_COUNT,
  readRecoveryCode,
} from "../../app/features/auth/two-factor/recovery-codes";
import { secondFactorAnswer } from "../../app/features/auth/two-factor/second-factor";
import {
  createTotpSecret,
  enrolmentUri,
  matchingStep,
  secretInGroups,
  stepAt,
} from "../../app/features/auth/two-factor/totp";

const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 });
const moments = fc.integer({ min: 60_000, max: 4_000_000_000_000 }).map((time) => new Date(time));
const codeOf = (secret: Uint8Array, step: number) => generateHOTP(secret, BigInt(step), 6);

describe("an authenticator code", () => {
  it("matches RFC 6238 (appendix B, the last six digits)", () => {
    const secret = new TextEncoder().encode("12345678901234567890");
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_111_111_111, "050471"],
      [1_234_567_890, "005924"],
      [2_000_000_000, "279037"],
    ] as const) {
      const now = new Date(seconds * 1000);
      expect(matchingStep(secret, code, now, 0), code).toBe(stepAt(now));
    }
  });

  it("is accepted up to one 30-second step early or late, but no further off", () => {
    fc.assert(
      fc.property(secrets, moments, fc.integer({ min: -6, max: 6 }), (secret, now, drift) => {
        const step = stepAt(now) + drift;
        fc.pre(step > 0);
        const matched = matchingStep(secret, codeOf(secret, step), now, 0);
        if (Math.abs(drift) <= 1) expect(matched).toBeGreaterThanOrEqual(step);
        // There are only a million codes, so the code of a distant step may equal that of an accepted one by chance.
        else if (matched !== null) expect(Math.abs(matched - stepAt(now))).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("is never accepted twice or after a later one, however the clock advances", () => {
    fc.assert(
      fc.property(
        secrets,
        moments,
        fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.integer({ min: -2, max: 2 })), { maxLength: 20 }),
        (secret, start, tries) => {
          let now = start;
          let lastStep = 0;
          for (const [passed, drift] of tries) {
            now = new Date(now.getTime() + passed);
            const code = codeOf(secret, Math.max(1, stepAt(now) + drift));
            const step = matchingStep(secret, code, now, lastStep);
            if (step === null) continue;
            expect(step).toBeGreaterThan(lastStep);
            lastStep = step;
            expect(matchingStep(secret, code, now, lastStep)).toBeNull();
          }
        },
      ),
    );
  });

  it("of one secret doesn't match another secret", () => {
    fc.assert(
      fc.property(secrets, secrets, moments, (one, other, now) => {
        const code = codeOf(one, stepAt(now));
        const own = [-1, 0, 1].map((drift) => codeOf(other, stepAt(now) + drift));
        expect(matchingStep(other, code, now, 0) !== null).toBe(own.includes(code));
      }),
    );
  });
});

describe("setting up two-factor", () => {
  it("gives a secret of 160 bits, a URI for apps, and a key to type in", () => {
    const secret = createTotpSecret();
    expect(secret).toHaveLength(20);
    const uri = new URL(enrolmentUri(secret, "mira+five@example.com"));
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Lineup:mira%2Bfive%40example\.com\?/);
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: "Lineup",
      algorithm: "SHA1",
      secret: encodeBase32NoPadding(secret),
      period: "30",
      digits: "6",
    });
    expect(secretInGroups(secret)).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
    expect(decodeBase32IgnorePadding(secretInGroups(secret).replaceAll(" ", ""))).toEqual(secret);
  });

  it("draws the QR code as a square with a margin of four modules", () => {
    const { size, path } = drawQrCode(enrolmentUri(createTotpSecret(), "mira@example.com"));
    const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)].map((run) => run.slice(1).map(Number));
    expect(runs.map(([x, y, width]) => `M${x} ${y}h${width}v1h-${width}z`).join("")).toBe(path);
    expect(Math.min(...runs.map(([x]) => x as number))).toBe(4);
    expect(Math.min(...runs.map(([, y]) => y as number))).toBe(4);
    expect(Math.max(...runs.map(([x, , width]) => (x as number) + (width as number)))).toBe(size - 4);
    // The code's top row begins with the seven dark modules of a finder pattern.
    expect(runs[0]).toEqual([4, 4, 7, 7]);
  });
});

describe("recovery codes", () => {
  it("come in sets of ten, all different, each of ten letters and digits in two groups", () => {
    const codes = createRecoveryCodes();
    expect(codes).toHaveLength(RECOVERY_CODE_COUNT);
    expect(new Set(codes).size).toBe(RECOVERY_CODE_COUNT);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  });

  it("are read in any case, with spaces and any dashes, and with look-alike letters", () => {
    const [code] = createRecoveryCodes() as [string];
    const bare = code.replace("-", "");
    for (const typed of [code, bare, code.toLowerCase(), ` ${code.replace("-", " – ")} `, [...bare].join(" ")]) {
      expect(readRecoveryCode(typed), typed).toBe(bare);
    }
    expect(readRecoveryCode("o0iL1-ABCDE")).toBe("00111ABCDE");
    for (const typed of ["", "ABCDE", "ABCDE-FGHJ", "ABCDE-FGHJKM", "ABCDE-FGHJU", "ABCDE_FGHJK", "123456"]) {
      expect(readRecoveryCode(typed), typed).toBeNull();
    }
  });

  it("are stored as hashes that depend on the code, the player and the player's secret", () => {
    const [one, other] = [createTotpSecret(), createTotpSecret()];
    const hash = hashRecoveryCode(one, "mira", "ABCDEFGHJK");
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashRecoveryCode(one, "mira", "ABCDEFGHJK")).toBe(hash);
    expect(hashRecoveryCode(one, "mira", "ABCDEFGHJM")).not.toBe(hash);
    expect(hashRecoveryCode(one, "sol", "ABCDEFGHJK")).not.toBe(hash);
    expect(hashRecoveryCode(other, "mira", "ABCDEFGHJK")).not.toBe(hash);
  });
});

describe("the field for the second factor", () => {
  it("distinguishes authenticator codes from recovery codes, and refuses anything else", () => {
    for (const typed of [" 123 456 ", "123-456", "123–456"]) {
      expect(secondFactorAnswer.parse(typed), typed).toEqual({ kind: "totp", code: "123456" });
    }
    expect(secondFactorAnswer.parse("abcde-fghjk")).toEqual({ kind: "recovery", code: "ABCDEFGHJK" });
    for (const typed of ["12345", "1234567", "abcdef", "<b>", "1".repeat(10_000)]) {
      expect(secondFactorAnswer.safeParse(typed).success, typed.slice(0, 20)).toBe(false);
    }
    expect(secondFactorAnswer.safeParse(undefined).error?.issues[0]?.message).toBe("Enter the code.");
  });
});
