-- Written by hand: drizzle-kit would build the tables anew for the checks.
ALTER TABLE `profiles` ADD `presence_policy` text DEFAULT 'everyone' NOT NULL CONSTRAINT "profiles_presence_policy" CHECK("presence_policy" IN ('everyone', 'known', 'nobody'));--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `author_state` text CONSTRAINT "lfg_posts_author_state" CHECK("author_state" IN ('online', 'away', 'offline'));--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `author_seen_at` integer;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `author_slot` integer;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_slot` ON `lfg_posts` (`author_slot`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `presence_online` ON `presence` (seen_at DESC,`user_id`) WHERE state = 'online';
