PRAGMA foreign_keys=OFF;--> statement-breakpoint
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
	CONSTRAINT "reports_reason" CHECK("__new_reports"."reason" IN ('harassment', 'hate', 'threats', 'sexual', 'intimate', 'child-abuse', 'illegal', 'cheating', 'spam', 'other')),
	CONSTRAINT "reports_details" CHECK(details IS NULL OR length(details) BETWEEN 1 AND 2000),
	CONSTRAINT "reports_guest" CHECK(length(reporter_name) <= 100 AND length(reporter_email) <= 254),
	CONSTRAINT "reports_snapshot" CHECK(length(snapshot) <= 65536)
);
--> statement-breakpoint
INSERT INTO `__new_reports`("id", "case_id", "reporter_id", "reporter_name", "reporter_email", "reason", "details", "snapshot", "picture", "created_at") SELECT "id", "case_id", "reporter_id", "reporter_name", "reporter_email", "reason", "details", "snapshot", "picture", "created_at" FROM `reports` ORDER BY rowid;--> statement-breakpoint
DROP TABLE `reports`;--> statement-breakpoint
ALTER TABLE `__new_reports` RENAME TO `reports`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `reports_by_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_by_email` ON `reports` (`reporter_email`) WHERE reporter_email IS NOT NULL;--> statement-breakpoint
CREATE INDEX `reports_by_picture` ON `reports` (`picture`) WHERE picture IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once` ON `reports` (`case_id`,`reporter_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `reports_once_by_email` ON `reports` (`case_id`,`reporter_email`);--> statement-breakpoint
DROP INDEX `report_cases_open_by_kind`;--> statement-breakpoint
DROP INDEX `report_cases_open_flagged`;--> statement-breakpoint
DROP INDEX `report_cases_open_for_admin`;--> statement-breakpoint
DROP INDEX `report_cases_assigned`;--> statement-breakpoint
ALTER TABLE `report_cases` ADD `is_urgent` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Open cases that were reported for a grave reason are urgent from now on.
UPDATE `report_cases` SET `is_urgent` = 1 WHERE `state` = 'open' AND EXISTS (
	SELECT 1 FROM `reports` WHERE `reports`.`case_id` = `report_cases`.`id` AND `reports`.`reason` IN ('threats', 'child-abuse')
);--> statement-breakpoint
CREATE INDEX `report_cases_open_by_urgency` ON `report_cases` (is_urgent DESC,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_open_by_kind` ON `report_cases` (`kind`,is_urgent DESC,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `report_cases_open_flagged` ON `report_cases` (is_urgent DESC,`id`) WHERE state = 'open' AND is_flagged = 1;--> statement-breakpoint
CREATE INDEX `report_cases_open_for_admin` ON `report_cases` (is_urgent DESC,`id`) WHERE state = 'open' AND is_for_admin = 1;--> statement-breakpoint
CREATE INDEX `report_cases_assigned` ON `report_cases` (`assigned_to`,is_urgent DESC,`id`) WHERE state = 'open' AND assigned_to IS NOT NULL;
