CREATE TABLE `hiding_follow_ups` (
	`kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`picture` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`kind`, `subject_id`, `picture`),
	CONSTRAINT "hiding_follow_ups_kind" CHECK("hiding_follow_ups"."kind" IN ('post', 'player', 'message', 'review', 'team', 'tournament'))
);
--> statement-breakpoint
CREATE INDEX `hiding_follow_ups_by_age` ON `hiding_follow_ups` (`created_at`);