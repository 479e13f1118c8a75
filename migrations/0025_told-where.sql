CREATE TABLE `notification_switches` (
	`user_id` text NOT NULL,
	`news_group` text NOT NULL,
	`channel` text NOT NULL,
	`is_on` integer NOT NULL,
	PRIMARY KEY(`user_id`, `news_group`, `channel`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "notification_switches_group" CHECK("notification_switches"."news_group" IN ('messages', 'team', 'tournaments', 'account')),
	CONSTRAINT "notification_switches_channel" CHECK("notification_switches"."channel" IN ('bell', 'push', 'email'))
);
--> statement-breakpoint
ALTER TABLE `outbox` ADD `unsubscribe_url` text;--> statement-breakpoint
ALTER TABLE `users` ADD `news_emailed_at` integer;--> statement-breakpoint
ALTER TABLE `notifications` ADD `email_due_at` integer;--> statement-breakpoint
CREATE INDEX `notifications_to_email` ON `notifications` (`user_id`,`email_due_at`) WHERE email_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_email_due` ON `notifications` (`email_due_at`) WHERE email_due_at IS NOT NULL;