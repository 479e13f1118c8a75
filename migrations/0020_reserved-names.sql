PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_case_findings` (
	`case_id` text NOT NULL,
	`field` text NOT NULL,
	`finding` text NOT NULL,
	`matches` text NOT NULL,
	`snapshot` text,
	`found_at` integer NOT NULL,
	PRIMARY KEY(`case_id`, `field`, `finding`),
	FOREIGN KEY (`case_id`) REFERENCES `report_cases`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "case_findings_finding" CHECK("__new_case_findings"."finding" IN ('profanity', 'userinfo-link', 'lookalike-link', 'shortener', 'new-account-link', 'reserved-name')),
	CONSTRAINT "case_findings_matches" CHECK(length(matches) <= 4096),
	CONSTRAINT "case_findings_snapshot" CHECK(length(snapshot) <= 65536)
);
--> statement-breakpoint
INSERT INTO `__new_case_findings`("case_id", "field", "finding", "matches", "snapshot", "found_at") SELECT "case_id", "field", "finding", "matches", "snapshot", "found_at" FROM `case_findings`;--> statement-breakpoint
DROP TABLE `case_findings`;--> statement-breakpoint
ALTER TABLE `__new_case_findings` RENAME TO `case_findings`;--> statement-breakpoint
PRAGMA foreign_keys=ON;