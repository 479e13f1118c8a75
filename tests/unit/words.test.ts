import { expect, expectTypeOf, test } from "vitest";
import type { auditLog, notifications, tournamentEvents } from "#db/schema";
import { AUDIT_ACTIONS, type AuditAction } from "#db/words/audit-actions";
import { EVENT_ACTIONS, type EventAction } from "#db/words/event-actions";
import { NEWS_KINDS, type NewsKind } from "#db/words/news-kinds";
import { NOTIFICATION_KINDS } from "~/features/notifications/kinds";
import type { News } from "~/features/notifications/shared/notify.server";
import type { logEvent } from "~/features/tournaments/shared/changes.server";
import type { AuditEntry } from "~/platform/audit.server";

test("Each kind of notification has its texts, in the order of the list", () => {
  expect(NOTIFICATION_KINDS.map(({ name }) => name)).toEqual(NEWS_KINDS);
});

test("The words of each list need no escaping in SQL literals", () => {
  for (const word of [...NEWS_KINDS, ...AUDIT_ACTIONS, ...EVENT_ACTIONS]) expect(word).toMatch(/^[a-z-]+$/);
});

test("Notifications, audit entries and tournament events accept only the words in their lists", () => {
  expectTypeOf<News["kind"]>().toEqualTypeOf<NewsKind>();
  expectTypeOf<(typeof notifications.$inferInsert)["kind"]>().toEqualTypeOf<NewsKind>();
  expectTypeOf<AuditEntry["action"]>().toEqualTypeOf<AuditAction>();
  expectTypeOf<(typeof auditLog.$inferInsert)["action"]>().toEqualTypeOf<AuditAction>();
  expectTypeOf<Parameters<typeof logEvent>[2]>().toEqualTypeOf<EventAction>();
  expectTypeOf<(typeof tournamentEvents.$inferInsert)["action"]>().toEqualTypeOf<EventAction>();
  // @ts-expect-error A typo does not compile.
  const typo: NewsKind = "join-reqest";
  expect(NEWS_KINDS).not.toContain(typo);
});
