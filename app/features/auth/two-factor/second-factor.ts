import * as z from "zod";
import { readRecoveryCode, withoutSeparators } from "./recovery-codes";

/** An answer to the second factor: six digits from the authenticator app, or a recovery code. */
export interface SecondFactorAnswer {
  kind: "totp" | "recovery";
  code: string;
}

const TYPED = /^\d{6}$/;

/**
 * Parses either kind of answer from one field; no recovery code has only six characters. Spaces and dashes are ignored.
 */
export const secondFactorAnswer = z
  .string({ error: "Enter the code." })
  .max(50, "Enter six digits, or a recovery code of ten letters and digits.")
  .transform((text, context): SecondFactorAnswer => {
    const digits = withoutSeparators(text);
    if (TYPED.test(digits)) return { kind: "totp", code: digits };
    const recoveryCode = readRecoveryCode(text);
    if (recoveryCode) return { kind: "recovery", code: recoveryCode };
    context.addIssue({ code: "custom", message: "Enter six digits, or a recovery code of ten letters and digits." });
    return z.NEVER;
  });

/** The second step of the sign-in. */
export const challengeSchema = z.object({ code: secondFactorAnswer, remember: z.literal("on").optional() });

/** The error for a wrong answer. It doesn't distinguish a used answer from an invalid one. */
export const wrongAnswer = ({ kind }: SecondFactorAnswer): string =>
  kind === "totp"
    ? "That code is wrong or has been used. Your app shows a new one every 30 seconds."
    : "That's not one of your unused recovery codes.";
