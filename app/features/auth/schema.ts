import * as z from "zod";
import { fits } from "~/platform/forms/text";
import { passwordWeakness } from "./passwords/password-strength.server";
import { MAX_PASSWORD_LENGTH } from "./rules";
import { secondFactorAnswer } from "./two-factor/second-factor";

const email = z
  .string({ error: "Enter your email address." })
  .trim()
  .toLowerCase()
  .check(fits({ max: 254, name: "email address" }))
  .pipe(z.email("Enter a full email address, like name@example.com."));

const password = z.string({ error: "Enter a password." }).check(fits({ max: MAX_PASSWORD_LENGTH, name: "password" }));

/** Six digits from an email or an authenticator app, with any spacing. */
const oneTimeCode = z
  .string({ error: "Enter the code." })
  .max(50, "Enter all six digits.")
  .transform((code) => code.normalize("NFKC").replace(/[\s-]/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "Enter all six digits."));

/** The sign-in form. It doesn't check the password's format: such an error would help only attackers. */
export const signInSchema = z.object({
  email,
  password: z.string({ error: "Enter your password." }).max(MAX_PASSWORD_LENGTH, "Wrong email or password."),
});

/** The fields with which a signed-in player authenticates again. Which of them are required depends on the account. */
export const reauthenticationSchema = z.object({
  password: z.string().max(MAX_PASSWORD_LENGTH, "That's not your password.").optional(),
  emailCode: oneTimeCode.optional(),
  code: secondFactorAnswer.optional(),
});

/** The code that proves that the authenticator app has the account's secret. */
export const enrolmentSchema = z.object({ code: oneTimeCode });

/** Step 1 of the sign-up. */
export const signUpSchema = z.object({ email, password }).superRefine(refuseWeakPassword);

function refuseWeakPassword(value: { email: string; password: string }, context: z.RefinementCtx): void {
  const weakness = passwordWeakness(value.password, value.email);
  if (weakness) context.addIssue({ code: "custom", path: ["password"], message: weakness });
}

/** A form that asks for the address to send a code to. */
export const addressSchema = z.object({ email });

/** A form that asks for a code. */
export const codeSchema = z.object({ code: oneTimeCode });

/**
 * The new password of an account. The form includes the address for password managers, and so that the address itself
 * is refused as a password.
 */
export const newPasswordSchema = z
  .object({ email: z.string().max(254).default(""), password })
  .superRefine(refuseWeakPassword);

/** A new password together with the code that authorises the change. */
export const resetSchema = z
  .object({ code: oneTimeCode, email: z.string().max(254).default(""), password })
  .superRefine(refuseWeakPassword);
