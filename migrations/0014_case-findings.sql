CREATE TABLE `case_findings` (
	`case_id` text NOT NULL,
	`field` text NOT NULL,
	`finding` text NOT NULL,
	`matches` text NOT NULL,
	`snapshot` text,
	`found_at` integer NOT NULL,
	PRIMARY KEY(`case_id`, `field`, `finding`),
	FOREIGN KEY (`case_id`) REFERENCES `report_cases`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "case_findings_finding" CHECK("case_findings"."finding" IN ('profanity', 'userinfo-link', 'lookalike-link', 'shortener', 'new-account-link')),
	CONSTRAINT "case_findings_matches" CHECK(length(matches) <= 4096),
	CONSTRAINT "case_findings_snapshot" CHECK(length(snapshot) <= 65536)
);
--> statement-breakpoint
CREATE INDEX `report_cases_by_subject` ON `report_cases` (`kind`,`subject_id`);