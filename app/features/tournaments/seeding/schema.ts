import * as z from "zod";

const MOST_TEAMS = 256;

const team = z.uuid().toLowerCase();

/** The forms of the seeding page: the seeding method, moving one team up or down, and the whole order. */
export const seedingSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("seeding"), seeding: z.enum(["random", "rank", "manual"]) }),
  z.object({ intent: z.literal("up"), team }),
  z.object({ intent: z.literal("down"), team }),
  z.object({
    intent: z.literal("order"),
    order: z
      .array(team)
      .min(1)
      .max(MOST_TEAMS)
      .refine((teams) => new Set(teams).size === teams.length),
  }),
]);

export type SeedingChange = z.output<typeof seedingSchema>;

/**
 * Parses a form that one of the page's buttons has submitted. The buttons `up` and `down` carry the team's id.
 * @returns null if it is none of the page's forms
 */
export function readSeedingForm(form: FormData): SeedingChange | null {
  const up = form.get("up");
  const down = form.get("down");
  const parsed = seedingSchema.safeParse(
    up || down
      ? { intent: up ? "up" : "down", team: up ?? down }
      : { intent: form.get("intent"), seeding: form.get("seeding"), order: form.getAll("team") },
  );
  return parsed.success ? parsed.data : null;
}
