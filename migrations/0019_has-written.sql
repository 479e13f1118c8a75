CREATE TABLE `__new_audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`details` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "audit_log_actor" CHECK("__new_audit_log"."actor" IN ('player', 'moderator', 'operator', 'system'))
);
--> statement-breakpoint
INSERT INTO `__new_audit_log`("id", "user_id", "actor", "action", "details", "created_at") SELECT "id", "user_id", "actor", "action", "details", "created_at" FROM `audit_log`;--> statement-breakpoint
DROP TABLE `audit_log`;--> statement-breakpoint
ALTER TABLE `__new_audit_log` RENAME TO `audit_log`;--> statement-breakpoint
CREATE INDEX `audit_log_by_user` ON `audit_log` (`user_id`,id DESC);--> statement-breakpoint
CREATE INDEX `audit_log_by_age` ON `audit_log` (`created_at`);--> statement-breakpoint
ALTER TABLE `conversation_members` ADD `has_written` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `conversation_members` SET `has_written` = 1
WHERE (`conversation_id`, `user_id`) IN (SELECT `conversation_id`, `sender_id` FROM `messages`);
