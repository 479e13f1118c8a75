CREATE TABLE `blocks` (
	`blocker_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blocker_id`, `blocked_id`),
	FOREIGN KEY (`blocker_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blocked_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "blocks_other" CHECK(blocker_id <> blocked_id)
);
--> statement-breakpoint
CREATE INDEX `blocks_by_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
CREATE TABLE `conversation_members` (
	`conversation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`listed_at` integer NOT NULL,
	`unread_count` integer DEFAULT 0 NOT NULL,
	`last_read_seq` integer DEFAULT 0 NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`),
	FOREIGN KEY (`conversation_id`) REFERENCES `conversations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "conversation_members_unread_count" CHECK(unread_count >= 0)
);
--> statement-breakpoint
CREATE INDEX `conversation_members_listed` ON `conversation_members` (`user_id`,listed_at DESC,conversation_id DESC);--> statement-breakpoint
CREATE INDEX `conversation_members_unread` ON `conversation_members` (`user_id`,`unread_count`) WHERE unread_count > 0;--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`pair_key` text,
	`last_seq` integer DEFAULT 0 NOT NULL,
	`last_preview` text,
	`last_sender_id` text,
	`last_message_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_pair_key_unique` ON `conversations` (`pair_key`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`seq` integer NOT NULL,
	`sender_id` text,
	`receiver_id` text,
	`content` text NOT NULL,
	`post_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`sender_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`post_id`) REFERENCES `lfg_posts`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "messages_content" CHECK(length(content) BETWEEN 1 AND 2000)
);
--> statement-breakpoint
CREATE INDEX `messages_by_sender` ON `messages` (`sender_id`);--> statement-breakpoint
CREATE INDEX `messages_by_post` ON `messages` (`post_id`) WHERE post_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_order` ON `messages` (`conversation_id`,`seq`);--> statement-breakpoint
CREATE TABLE `presence` (
	`user_id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`seen_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "presence_state" CHECK(state IN ('online', 'away', 'offline'))
);
--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`reporter_id` text,
	`reported_id` text,
	`message_id` text,
	`reason` text NOT NULL,
	`details` text,
	`quoted_content` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`reporter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`reported_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`message_id`) REFERENCES `messages`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "reports_reason" CHECK("reports"."reason" IN ('harassment', 'hate', 'threats', 'cheating', 'spam', 'other')),
	CONSTRAINT "reports_details" CHECK(details IS NULL OR length(details) BETWEEN 1 AND 2000)
);
--> statement-breakpoint
CREATE INDEX `reports_by_age` ON `reports` (`created_at`);--> statement-breakpoint
CREATE INDEX `reports_by_reported` ON `reports` (`reported_id`);--> statement-breakpoint
CREATE INDEX `reports_by_reporter` ON `reports` (`reporter_id`);--> statement-breakpoint
CREATE INDEX `reports_by_message` ON `reports` (`message_id`) WHERE message_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `muted_notifications` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notifications_newest` ON `notifications` (`user_id`,created_at DESC,id DESC);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`subject`) WHERE read_at IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_once` ON `notifications` (`user_id`,`kind`,`subject`);