CREATE TABLE `user_feedback` (
	`id` text PRIMARY KEY NOT NULL,
	`reviewer_id` text,
	`reviewed_id` text NOT NULL,
	`rating` integer NOT NULL,
	`comment` text,
	`tags` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`revealed_at` integer,
	`hidden_at` integer,
	FOREIGN KEY (`reviewer_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`reviewed_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "user_feedback_rating" CHECK(rating BETWEEN 1 AND 5),
	CONSTRAINT "user_feedback_comment" CHECK(comment IS NULL OR length(comment) BETWEEN 1 AND 1000),
	CONSTRAINT "user_feedback_other" CHECK(reviewer_id IS NULL OR reviewer_id <> reviewed_id)
);
--> statement-breakpoint
CREATE INDEX `user_feedback_received` ON `user_feedback` (`reviewed_id`,revealed_at DESC,id DESC) WHERE revealed_at IS NOT NULL AND hidden_at IS NULL;--> statement-breakpoint
CREATE INDEX `user_feedback_counted` ON `user_feedback` (`reviewed_id`,`rating`) WHERE revealed_at IS NOT NULL AND hidden_at IS NULL;--> statement-breakpoint
CREATE INDEX `user_feedback_by_reviewed` ON `user_feedback` (`reviewed_id`);--> statement-breakpoint
CREATE INDEX `user_feedback_given` ON `user_feedback` (`reviewer_id`,`reviewed_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `user_feedback_due` ON `user_feedback` (`due_at`) WHERE revealed_at IS NULL;--> statement-breakpoint
CREATE TABLE `join_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text,
	`note` text,
	`state` text DEFAULT 'pending' NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`played_at` integer,
	FOREIGN KEY (`post_id`) REFERENCES `lfg_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "join_requests_state" CHECK("join_requests"."state" IN ('pending', 'accepted', 'declined', 'lapsed', 'withdrawn', 'left', 'removed')),
	CONSTRAINT "join_requests_role" CHECK("join_requests"."role" IN ('Duelist', 'Initiator', 'Controller', 'Sentinel')),
	CONSTRAINT "join_requests_note" CHECK(note IS NULL OR length(note) BETWEEN 1 AND 400)
);
--> statement-breakpoint
CREATE INDEX `join_requests_by_post` ON `join_requests` (`post_id`,`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `join_requests_by_player` ON `join_requests` (`user_id`,`state`,created_at DESC);--> statement-breakpoint
CREATE INDEX `join_requests_by_owner` ON `join_requests` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `join_requests_played` ON `join_requests` (`user_id`,`post_id`) WHERE played_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `join_requests_once` ON `join_requests` (`post_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `player_facets` (
	`facet` text NOT NULL,
	`user_id` text NOT NULL,
	`joined_at` integer NOT NULL,
	`ranking_score` real NOT NULL,
	PRIMARY KEY(`user_id`, `facet`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `player_facets_newest` ON `player_facets` (`facet`,joined_at DESC,user_id DESC);--> statement-breakpoint
CREATE INDEX `player_facets_by_reputation` ON `player_facets` (`facet`,ranking_score DESC,user_id DESC);--> statement-breakpoint
DROP INDEX `lfg_posts_by_players`;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `taken_spots` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `filled_at` integer;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `session_ended_at` integer;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `conversation_id` text REFERENCES conversations(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_conversation` ON `lfg_posts` (`conversation_id`) WHERE conversation_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `lfg_posts_playing` ON `lfg_posts` (`expires_at`) WHERE taken_spots > 0 AND session_ended_at IS NULL;--> statement-breakpoint
CREATE INDEX `lfg_posts_by_players` ON `lfg_posts` (needed_players - taken_spots,listed_at DESC,id DESC) WHERE is_active = 1;--> statement-breakpoint
ALTER TABLE `conversations` ADD `title` text;--> statement-breakpoint
ALTER TABLE `reports` ADD `feedback_id` text REFERENCES user_feedback(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE INDEX `reports_by_feedback` ON `reports` (`feedback_id`) WHERE feedback_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `time_zone` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `availability` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `languages` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `shares` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `avatar_id` text;--> statement-breakpoint
ALTER TABLE `profiles` ADD `is_listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `joined_at` integer;--> statement-breakpoint
ALTER TABLE `profiles` ADD `ranking_score` real DEFAULT 4 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `profiles_avatar_id_unique` ON `profiles` (`avatar_id`);--> statement-breakpoint
UPDATE `profiles` SET `joined_at` = (SELECT `created_at` FROM `users` WHERE `users`.`id` = `profiles`.`user_id`);--> statement-breakpoint
INSERT INTO `player_facets` (`facet`, `user_id`, `joined_at`, `ranking_score`)
SELECT DISTINCT facet, user_id, coalesce(joined_at, 0), 4 FROM (
	SELECT 'all' AS facet, user_id, joined_at FROM profiles
	UNION ALL SELECT 'verified', user_id, joined_at FROM profiles WHERE riot_verified_at IS NOT NULL
	UNION ALL SELECT 'role:' || preferred_role, user_id, joined_at FROM profiles WHERE preferred_role IS NOT NULL
	UNION ALL SELECT 'region:' || region, user_id, joined_at FROM profiles WHERE region IS NOT NULL
	UNION ALL SELECT 'voice:' || voice_comms_preference, user_id, joined_at FROM profiles WHERE voice_comms_preference IS NOT NULL
	UNION ALL SELECT 'agent:' || value, user_id, joined_at FROM profiles, json_each(main_agents) WHERE main_agents IS NOT NULL
	UNION ALL SELECT 'tag:' || lower(value), user_id, joined_at FROM profiles, json_each(personality_tags) WHERE personality_tags IS NOT NULL
);
