CREATE TABLE `appeals` (
	`id` text PRIMARY KEY NOT NULL,
	`decision_id` text NOT NULL,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	`outcome` text,
	`answer` text,
	`answered_by` text,
	`answerer` text,
	`answered_at` integer,
	FOREIGN KEY (`decision_id`) REFERENCES `decisions`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "appeals_words" CHECK(length(words) BETWEEN 1 AND 4000),
	CONSTRAINT "appeals_outcome" CHECK("appeals"."outcome" IN ('granted', 'rejected')),
	CONSTRAINT "appeals_answer" CHECK((outcome IS NULL) = (answer IS NULL) AND (outcome IS NULL) = (answered_at IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `appeals_decision_id_unique` ON `appeals` (`decision_id`);--> statement-breakpoint
CREATE INDEX `appeals_waiting` ON `appeals` (`id`) WHERE outcome IS NULL;--> statement-breakpoint
CREATE TABLE `case_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`author_id` text,
	`author` text NOT NULL,
	`words` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `report_cases`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "case_notes_words" CHECK(length(words) BETWEEN 1 AND 4000)
);
--> statement-breakpoint
CREATE INDEX `case_notes_by_case` ON `case_notes` (`case_id`,`id`);--> statement-breakpoint
CREATE TABLE `decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`follows` text DEFAULT '' NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`player_id` text,
	`action` text NOT NULL,
	`rule` text,
	`reason` text NOT NULL,
	`scopes` text,
	`until` integer,
	`is_flagged` integer NOT NULL,
	`decided_by` text,
	`decider` text NOT NULL,
	`created_at` integer NOT NULL,
	`undone_by` text,
	CONSTRAINT "decisions_kind" CHECK("decisions"."kind" IN ('post', 'player', 'message', 'review', 'team', 'tournament')),
	CONSTRAINT "decisions_action" CHECK("decisions"."action" IN ('dismiss', 'hide', 'restore', 'warn', 'limit', 'suspend', 'ban', 'hand-over', 'undo')),
	CONSTRAINT "decisions_reason" CHECK(length(reason) BETWEEN 1 AND 4000),
	CONSTRAINT "decisions_until" CHECK(action <> 'limit' OR (until IS NOT NULL AND scopes IS NOT NULL))
);
--> statement-breakpoint
CREATE INDEX `decisions_by_case` ON `decisions` (`case_id`,id DESC);--> statement-breakpoint
CREATE INDEX `decisions_by_player` ON `decisions` (`player_id`,id DESC);--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_one_at_a_time` ON `decisions` (`case_id`,`follows`);--> statement-breakpoint
CREATE TABLE `hidden_originals` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`original` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`)
);
--> statement-breakpoint
CREATE INDEX `hidden_originals_by_age` ON `hidden_originals` (`created_at`);--> statement-breakpoint
CREATE TABLE `moderation_log` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`case_id` text,
	`decision_id` text,
	`player_id` text,
	`details` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "moderation_log_action" CHECK(length(action) BETWEEN 1 AND 40)
);
--> statement-breakpoint
CREATE INDEX `moderation_log_by_player` ON `moderation_log` (`player_id`,id DESC) WHERE player_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `moderation_log_by_case` ON `moderation_log` (`case_id`,id DESC) WHERE case_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `restrictions` (
	`user_id` text NOT NULL,
	`scope` text NOT NULL,
	`until` integer NOT NULL,
	`decision_id` text NOT NULL,
	PRIMARY KEY(`user_id`, `scope`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "restrictions_scope" CHECK("restrictions"."scope" IN ('posting', 'messaging', 'hosting', 'joining'))
);
--> statement-breakpoint
CREATE INDEX `restrictions_by_end` ON `restrictions` (`until`);--> statement-breakpoint
CREATE TABLE `upheld_suspensions` (
	`hash` text PRIMARY KEY NOT NULL,
	`until` integer,
	`decision_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `upheld_suspensions_by_end` ON `upheld_suspensions` (`until`) WHERE until IS NOT NULL;--> statement-breakpoint
-- By hand: rebuilding the table would delete, by cascade, everything that players own.
ALTER TABLE `users` ADD `suspended_until` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `role` text CONSTRAINT "users_role" CHECK(role IN ('moderator', 'admin'));--> statement-breakpoint
CREATE INDEX `users_suspended_until` ON `users` (`suspended_until`) WHERE suspended_until IS NOT NULL;--> statement-breakpoint
CREATE INDEX `users_staff` ON `users` (`role`) WHERE role IS NOT NULL;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `hidden_at` integer;--> statement-breakpoint
ALTER TABLE `messages` ADD `hidden_at` integer;--> statement-breakpoint
ALTER TABLE `report_cases` ADD `assigned_to` text;--> statement-breakpoint
ALTER TABLE `report_cases` ADD `is_for_admin` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_open_by_kind` ON `report_cases` (`kind`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_open_flagged` ON `report_cases` (`id`) WHERE state = 'open' AND is_flagged = 1;--> statement-breakpoint
CREATE INDEX `report_cases_open_for_admin` ON `report_cases` (`id`) WHERE state = 'open' AND is_for_admin = 1;--> statement-breakpoint
CREATE INDEX `report_cases_open_by_reports` ON `report_cases` (report_count DESC,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_assigned` ON `report_cases` (`assigned_to`,`id`) WHERE state = 'open' AND assigned_to IS NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_by_player` ON `report_cases` (`player_id`,id DESC) WHERE player_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_newest_closed` ON `report_cases` (id DESC) WHERE state = 'closed';--> statement-breakpoint
ALTER TABLE `tournaments` ADD `hidden_at` integer;--> statement-breakpoint
CREATE TRIGGER `moderation_log_keeps_entries` BEFORE DELETE ON `moderation_log` BEGIN
	SELECT RAISE(ABORT, 'The moderation log is only ever added to.');
END;--> statement-breakpoint
CREATE TRIGGER `moderation_log_keeps_words` BEFORE UPDATE ON `moderation_log` BEGIN
	SELECT RAISE(ABORT, 'The moderation log is only ever added to.');
END;--> statement-breakpoint
-- REPLACE deletes a row without calling its triggers.
CREATE TRIGGER `moderation_log_keeps_ids` BEFORE INSERT ON `moderation_log`
WHEN EXISTS (SELECT 1 FROM `moderation_log` WHERE `id` = NEW.`id`) BEGIN
	SELECT RAISE(ABORT, 'The moderation log is only ever added to.');
END;
