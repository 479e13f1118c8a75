CREATE TABLE `report_cases` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`player_id` text,
	`state` text DEFAULT 'open' NOT NULL,
	`report_count` integer DEFAULT 0 NOT NULL,
	`is_flagged` integer DEFAULT false NOT NULL,
	`snapshot` text NOT NULL,
	`picture` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`closed_at` integer,
	CONSTRAINT "report_cases_kind" CHECK("report_cases"."kind" IN ('post', 'player', 'message', 'review', 'team', 'tournament')),
	CONSTRAINT "report_cases_state" CHECK("report_cases"."state" IN ('open', 'closed')),
	CONSTRAINT "report_cases_closed_state" CHECK((state = 'closed') = (closed_at IS NOT NULL)),
	CONSTRAINT "report_cases_snapshot" CHECK(length(snapshot) <= 65536)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_cases_one_open` ON `report_cases` (`kind`,`subject_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_open` ON `report_cases` (`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_closed` ON `report_cases` (`closed_at`) WHERE closed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_by_picture` ON `report_cases` (`picture`) WHERE picture IS NOT NULL;--> statement-breakpoint
CREATE TABLE `__new_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`case_id` text NOT NULL,
	`reporter_id` text,
	`reporter_name` text,
	`reporter_email` text,
	`reason` text NOT NULL,
	`details` text,
	`snapshot` text,
	`picture` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`case_id`) REFERENCES `report_cases`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "reports_reason" CHECK("__new_reports"."reason" IN ('harassment', 'hate', 'threats', 'sexual', 'child-abuse', 'illegal', 'cheating', 'spam', 'other')),
	CONSTRAINT "reports_details" CHECK(details IS NULL OR length(details) BETWEEN 1 AND 2000),
	CONSTRAINT "reports_guest" CHECK(length(reporter_name) <= 100 AND length(reporter_email) <= 254),
	CONSTRAINT "reports_snapshot" CHECK(length(snapshot) <= 65536)
);
--> statement-breakpoint
-- Existing reports become cases, one for each message, review or player. A report whose subject is gone is a case of
-- its own. A case takes the id of its first report, and keeps what that report quoted.
CREATE TABLE `__old_reports` AS SELECT r.*, r.rowid AS place,
	CASE WHEN message_id IS NOT NULL THEN 'message' WHEN feedback_id IS NOT NULL THEN 'review'
		WHEN quoted_content IS NOT NULL THEN 'message' ELSE 'player' END AS kind,
	coalesce(message_id, feedback_id, iif(quoted_content IS NULL, reported_id, NULL), id) AS subject_id
FROM `reports` AS r;--> statement-breakpoint
INSERT INTO `report_cases` (`id`, `kind`, `subject_id`, `player_id`, `report_count`, `snapshot`, `created_at`, `updated_at`)
SELECT first.id, first.kind, first.subject_id, first.reported_id, 0, json_object('quoted', first.quoted_content),
	first.created_at, first.created_at
FROM `__old_reports` AS first
WHERE first.place = (
	SELECT min(other.place) FROM `__old_reports` AS other
	WHERE other.kind = first.kind AND other.subject_id = first.subject_id
);--> statement-breakpoint
-- Several reports of one thing by the same player become one, the newest with the words of all.
INSERT INTO `__new_reports` (`id`, `case_id`, `reporter_id`, `reason`, `details`, `created_at`)
SELECT old.id, c.id, old.reporter_id, old.reason, iif(old.reporter_id IS NULL, old.details, (
	SELECT substr(group_concat(own.details, char(10) || char(10)), 1, 2000) FROM (
		SELECT details FROM `__old_reports`
		WHERE reporter_id = old.reporter_id AND kind = old.kind AND subject_id = old.subject_id ORDER BY place
	) AS own
)), old.created_at
FROM `__old_reports` AS old JOIN `report_cases` AS c ON c.kind = old.kind AND c.subject_id = old.subject_id
WHERE old.reporter_id IS NULL OR NOT EXISTS (
	SELECT 1 FROM `__old_reports` AS later
	WHERE later.reporter_id = old.reporter_id AND later.kind = old.kind AND later.subject_id = old.subject_id
		AND later.place > old.place
);--> statement-breakpoint
UPDATE `report_cases` SET
	`report_count` = (SELECT count(*) FROM `__new_reports` AS r WHERE r.case_id = report_cases.id),
	`updated_at` = (SELECT max(r.created_at) FROM `__new_reports` AS r WHERE r.case_id = report_cases.id);--> statement-breakpoint
DROP TABLE `__old_reports`;--> statement-breakpoint
DROP TABLE `reports`;--> statement-breakpoint
ALTER TABLE `__new_reports` RENAME TO `reports`;--> statement-breakpoint
CREATE INDEX `reports_by_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_by_email` ON `reports` (`reporter_email`) WHERE reporter_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reports_by_picture` ON `reports` (`picture`) WHERE picture IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once` ON `reports` (`case_id`,`reporter_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once_by_email` ON `reports` (`case_id`,`reporter_email`);