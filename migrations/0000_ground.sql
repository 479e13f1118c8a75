CREATE TABLE `email_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`purpose` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "email_tokens_purpose" CHECK(purpose IN ('confirm-email'))
);
--> statement-breakpoint
CREATE INDEX `email_tokens_by_user` ON `email_tokens` (`user_id`);--> statement-breakpoint
CREATE INDEX `email_tokens_by_expiry` ON `email_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`body` text,
	`created_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`sent_at` integer,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`) WHERE due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `outbox_by_age` ON `outbox` (`created_at`);--> statement-breakpoint
CREATE TABLE `pending_signups` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`game_name` text,
	`tag_line` text,
	`region` text,
	`account_data` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_signups_by_expiry` ON `pending_signups` (`expires_at`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `rate_limits_by_end` ON `rate_limits` (`window_ends_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`user_agent` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_confirmed_at` integer,
	`password_hash` text NOT NULL,
	`riot_game_name` text,
	`riot_tag_line` text,
	`riot_region` text,
	`riot_account_data` text,
	`created_at` integer NOT NULL,
	CONSTRAINT "users_email_length" CHECK(length(email) BETWEEN 3 AND 254)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_unique` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `lfg_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`title` text NOT NULL,
	`message` text,
	`needed_players` integer NOT NULL,
	`required_rank` integer,
	`required_role` text,
	`region` text,
	`voice_comms` text,
	`search_text` text NOT NULL,
	`is_active` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`listed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "lfg_posts_title" CHECK(length(title) BETWEEN 1 AND 200),
	CONSTRAINT "lfg_posts_message" CHECK(message IS NULL OR length(message) BETWEEN 1 AND 4000),
	CONSTRAINT "lfg_posts_players" CHECK(needed_players BETWEEN 1 AND 4),
	CONSTRAINT "lfg_posts_rank" CHECK(required_rank BETWEEN 0 AND 24),
	CONSTRAINT "lfg_posts_role" CHECK("lfg_posts"."required_role" IN ('Duelist', 'Initiator', 'Controller', 'Sentinel')),
	CONSTRAINT "lfg_posts_region" CHECK("lfg_posts"."region" IN ('North America', 'Europe', 'Asia Pacific', 'Korea', 'Brazil', 'Latin America')),
	CONSTRAINT "lfg_posts_voice" CHECK("lfg_posts"."voice_comms" IN ('required', 'preferred', 'optional', 'none'))
);
--> statement-breakpoint
CREATE INDEX `lfg_posts_newest` ON `lfg_posts` (listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_role` ON `lfg_posts` (`required_role`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_region` ON `lfg_posts` (`region`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_voice` ON `lfg_posts` (`voice_comms`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_players` ON `lfg_posts` (`needed_players`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_author` ON `lfg_posts` (`user_id`,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_expiry` ON `lfg_posts` (`expires_at`) WHERE is_active = 1;--> statement-breakpoint
CREATE TABLE `profiles` (
	`user_id` text PRIMARY KEY NOT NULL,
	`riot_id` text,
	`riot_game_name` text,
	`riot_tag_line` text,
	`riot_region` text,
	`riot_puuid` text,
	`riot_verified_at` integer,
	`riot_claim_lapses_at` integer,
	`last_rank_sync` integer,
	`current_rank` integer,
	`main_agents` text,
	`personality_tags` text,
	`preferred_role` text,
	`region` text,
	`discord_tag` text,
	`description` text,
	`play_times` text,
	`voice_comms_preference` text,
	`feedback_score` real,
	`total_ratings` integer DEFAULT 0 NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "profiles_rank" CHECK(current_rank BETWEEN 0 AND 24),
	CONSTRAINT "profiles_role" CHECK("profiles"."preferred_role" IN ('Duelist', 'Initiator', 'Controller', 'Sentinel')),
	CONSTRAINT "profiles_region" CHECK("profiles"."region" IN ('North America', 'Europe', 'Asia Pacific', 'Korea', 'Brazil', 'Latin America')),
	CONSTRAINT "profiles_riot_region" CHECK("profiles"."riot_region" IN ('americas', 'europe', 'asia')),
	CONSTRAINT "profiles_voice" CHECK("profiles"."voice_comms_preference" IN ('required', 'preferred', 'optional', 'none')),
	CONSTRAINT "profiles_main_agents" CHECK(main_agents IS NULL OR json_array_length(main_agents) <= 3),
	CONSTRAINT "profiles_verified" CHECK((riot_puuid IS NULL) = (riot_verified_at IS NULL))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_riot_puuid_unique` ON `profiles` (`riot_puuid`);--> statement-breakpoint
CREATE INDEX `profiles_lapsing` ON `profiles` (`riot_claim_lapses_at`) WHERE riot_claim_lapses_at IS NOT NULL;