CREATE TABLE `push_deliveries` (
	`subscription_id` text NOT NULL,
	`notification_id` text NOT NULL,
	`news_at` integer NOT NULL,
	PRIMARY KEY(`notification_id`, `subscription_id`),
	FOREIGN KEY (`subscription_id`) REFERENCES `push_subscriptions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`notification_id`) REFERENCES `notifications`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `push_deliveries_by_device` ON `push_deliveries` (`subscription_id`);--> statement-breakpoint
CREATE TABLE `push_settings` (
	`user_id` text PRIMARY KEY NOT NULL,
	`lock_screen` text NOT NULL,
	`quiet_from` integer,
	`quiet_until` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "push_settings_lock_screen" CHECK("push_settings"."lock_screen" IN ('text', 'name', 'nothing')),
	CONSTRAINT "push_settings_quiet" CHECK((quiet_from IS NULL) = (quiet_until IS NULL))
);
--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`session_id` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint_unique` ON `push_subscriptions` (`endpoint`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_user` ON `push_subscriptions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_by_session` ON `push_subscriptions` (`session_id`);--> statement-breakpoint
ALTER TABLE `notifications` ADD `push_due_at` integer;--> statement-breakpoint
ALTER TABLE `notifications` ADD `push_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `notifications` ADD `pushed_at` integer;--> statement-breakpoint
CREATE INDEX `notifications_to_push` ON `notifications` (`user_id`,`push_due_at`) WHERE push_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `notifications_push_due` ON `notifications` (`push_due_at`) WHERE push_due_at IS NOT NULL;