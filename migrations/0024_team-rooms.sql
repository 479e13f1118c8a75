CREATE TABLE `team_details` (
	`post_id` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`set_by` text NOT NULL,
	`set_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `kind`),
	FOREIGN KEY (`post_id`) REFERENCES `lfg_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`set_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "team_details_kind" CHECK("team_details"."kind" IN ('party-code', 'voice-link')),
	CONSTRAINT "team_details_value" CHECK(iif(kind = 'party-code', length(value) = 6 AND value NOT GLOB '*[^A-Z0-9]*',
        length(value) <= 120 AND (value GLOB 'https://discord.gg/?*' OR value GLOB 'https://discord.com/?*')))
);
--> statement-breakpoint
CREATE INDEX `team_details_by_player` ON `team_details` (`set_by`);--> statement-breakpoint
CREATE TABLE `team_ready` (
	`post_id` text NOT NULL,
	`user_id` text NOT NULL,
	`ready_at` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`),
	FOREIGN KEY (`post_id`) REFERENCES `lfg_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `team_ready_by_player` ON `team_ready` (`user_id`);