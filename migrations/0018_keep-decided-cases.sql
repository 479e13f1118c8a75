DROP INDEX `report_cases_closed`;--> statement-breakpoint
ALTER TABLE `report_cases` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `report_cases_due` ON `report_cases` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `report_cases_closed` ON `report_cases` (`closed_at`) WHERE closed_at IS NOT NULL AND due_at IS NULL;--> statement-breakpoint
CREATE INDEX `upheld_suspensions_by_decision` ON `upheld_suspensions` (`decision_id`) WHERE decision_id IS NOT NULL;