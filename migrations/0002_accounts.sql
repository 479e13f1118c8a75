CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`details` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "audit_log_actor" CHECK("audit_log"."actor" IN ('player', 'operator', 'system'))
);
--> statement-breakpoint
CREATE INDEX `audit_log_by_user` ON `audit_log` (`user_id`,id DESC);--> statement-breakpoint
CREATE INDEX `audit_log_by_age` ON `audit_log` (`created_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider` text NOT NULL,
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "identities_provider" CHECK("identities"."provider" IN ('discord', 'riot'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_one_owner` ON `identities` (`provider`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `identities_one_each` ON `identities` (`user_id`,`provider`);--> statement-breakpoint
CREATE TABLE `pending_sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `pending_sign_ins_by_user` ON `pending_sign_ins` (`user_id`);--> statement-breakpoint
CREATE INDEX `pending_sign_ins_by_expiry` ON `pending_sign_ins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recovery_codes_once` ON `recovery_codes` (`user_id`,`code_hash`);--> statement-breakpoint
CREATE TABLE `totp_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `trusted_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `trusted_devices_by_user` ON `trusted_devices` (`user_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `trusted_devices_by_expiry` ON `trusted_devices` (`expires_at`);--> statement-breakpoint
CREATE TABLE `verifications` (
	`id` text PRIMARY KEY NOT NULL,
	`link_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text NOT NULL,
	`redirect_to` text,
	`tries` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "verifications_purpose" CHECK("verifications"."purpose" IN ('confirm-email', 'change-email', 'reset-password', 'sign-in', 'reauthenticate'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verifications_link_hash_unique` ON `verifications` (`link_hash`);--> statement-breakpoint
CREATE INDEX `verifications_by_user` ON `verifications` (`user_id`) WHERE user_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `verifications_by_expiry` ON `verifications` (`expires_at`);--> statement-breakpoint
DROP TABLE `email_tokens`;--> statement-breakpoint
DROP INDEX `sessions_by_user`;--> statement-breakpoint
ALTER TABLE `sessions` ADD `place` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer;--> statement-breakpoint
ALTER TABLE `sessions` ADD `authenticated_at` integer;--> statement-breakpoint
CREATE INDEX `sessions_newest` ON `sessions` (`user_id`,created_at DESC);--> statement-breakpoint
ALTER TABLE `outbox` ADD `html` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `outbox_by_recipient` ON `outbox` (`recipient`);--> statement-breakpoint
ALTER TABLE `pending_signups` ADD `identity` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email_failed_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_reason` text;--> statement-breakpoint
ALTER TABLE `users` ADD `deletion_due_at` integer;--> statement-breakpoint
CREATE INDEX `users_to_delete` ON `users` (`deletion_due_at`) WHERE deletion_due_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `riot_proven_at` integer;--> statement-breakpoint
ALTER TABLE `profiles` ADD `discord_verified_at` integer;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_owner` ON `lfg_posts` (`user_id`,`id`);