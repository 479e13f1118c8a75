CREATE TABLE `calendar_feeds` (
	`user_id` text PRIMARY KEY NOT NULL,
	`token` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_token_unique` ON `calendar_feeds` (`token`);--> statement-breakpoint
CREATE TABLE `tournament_brackets` (
	`tournament_id` text PRIMARY KEY NOT NULL,
	`snapshot` text NOT NULL,
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `tournament_events` (
	`id` text PRIMARY KEY NOT NULL,
	`tournament_id` text NOT NULL,
	`match_id` integer,
	`actor_id` text,
	`action` text NOT NULL,
	`details` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`actor_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `tournament_events_newest` ON `tournament_events` (`tournament_id`,id DESC);--> statement-breakpoint
CREATE INDEX `tournament_events_by_match` ON `tournament_events` (`tournament_id`,`match_id`,`id`) WHERE match_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tournament_events_by_actor` ON `tournament_events` (`actor_id`) WHERE actor_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tournament_invitations` (
	`team_id` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `user_id`),
	FOREIGN KEY (`team_id`) REFERENCES `tournament_teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tournament_invitations_by_player` ON `tournament_invitations` (`user_id`);--> statement-breakpoint
CREATE TABLE `tournament_matches` (
	`tournament_id` text NOT NULL,
	`id` integer NOT NULL,
	`part` text NOT NULL,
	`group_number` integer NOT NULL,
	`round` integer NOT NULL,
	`rounds` integer NOT NULL,
	`number` integer NOT NULL,
	`best_of` integer NOT NULL,
	`source1` text,
	`source2` text,
	`team1_id` text,
	`team2_id` text,
	`score1` integer,
	`score2` integer,
	`winner` integer,
	`forfeit` integer,
	`state` text NOT NULL,
	`ready_at` integer,
	`deadline_at` integer,
	`overdue_told_at` integer,
	`checked_in1_at` integer,
	`checked_in2_at` integer,
	`reporter` integer,
	`report` text,
	`reported_at` integer,
	`confirm_by` integer,
	`disputer` integer,
	`dispute` text,
	`maps` text,
	`finished_at` integer,
	`conversation_id` text,
	PRIMARY KEY(`tournament_id`, `id`),
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team1_id`) REFERENCES `tournament_teams`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`team2_id`) REFERENCES `tournament_teams`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`conversation_id`) REFERENCES `conversations`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "tournament_matches_state" CHECK("tournament_matches"."state" IN ('waiting', 'ready', 'reported', 'disputed', 'finished', 'bye', 'idle')),
	CONSTRAINT "tournament_matches_best_of" CHECK(best_of IN (1, 3, 5)),
	CONSTRAINT "tournament_matches_dispute" CHECK(dispute IS NULL OR length(dispute) BETWEEN 1 AND 2000)
);
--> statement-breakpoint
CREATE INDEX `tournament_matches_team1` ON `tournament_matches` (`team1_id`);--> statement-breakpoint
CREATE INDEX `tournament_matches_team2` ON `tournament_matches` (`team2_id`);--> statement-breakpoint
CREATE INDEX `tournament_matches_to_confirm` ON `tournament_matches` (`confirm_by`) WHERE state = 'reported';--> statement-breakpoint
CREATE INDEX `tournament_matches_overdue` ON `tournament_matches` (`deadline_at`) WHERE state = 'ready' AND overdue_told_at IS NULL;--> statement-breakpoint
CREATE INDEX `tournament_matches_by_conversation` ON `tournament_matches` (`conversation_id`) WHERE conversation_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `tournament_organisers` (
	`tournament_id` text NOT NULL,
	`user_id` text NOT NULL,
	`added_at` integer NOT NULL,
	PRIMARY KEY(`tournament_id`, `user_id`),
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tournament_organisers_by_player` ON `tournament_organisers` (`user_id`,`tournament_id`);--> statement-breakpoint
CREATE TABLE `tournament_players` (
	`tournament_id` text NOT NULL,
	`user_id` text NOT NULL,
	`team_id` text NOT NULL,
	`is_substitute` integer DEFAULT false NOT NULL,
	`joined_at` integer NOT NULL,
	PRIMARY KEY(`tournament_id`, `user_id`),
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `tournament_teams`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tournament_players_by_team` ON `tournament_players` (`team_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `tournament_players_by_player` ON `tournament_players` (`user_id`,tournament_id DESC);--> statement-breakpoint
CREATE TABLE `tournament_seekers` (
	`tournament_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text,
	`note` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`tournament_id`, `user_id`),
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "tournament_seekers_role" CHECK("tournament_seekers"."role" IN ('Duelist', 'Initiator', 'Controller', 'Sentinel')),
	CONSTRAINT "tournament_seekers_note" CHECK(note IS NULL OR length(note) BETWEEN 1 AND 400)
);
--> statement-breakpoint
CREATE INDEX `tournament_seekers_listed` ON `tournament_seekers` (`tournament_id`,created_at DESC);--> statement-breakpoint
CREATE INDEX `tournament_seekers_by_player` ON `tournament_seekers` (`user_id`);--> statement-breakpoint
CREATE TABLE `tournament_teams` (
	`id` text PRIMARY KEY NOT NULL,
	`tournament_id` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`captain_id` text,
	`invite_token` text NOT NULL,
	`state` text NOT NULL,
	`listed_at` integer NOT NULL,
	`checked_in_at` integer,
	`seed` integer,
	`place` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`tournament_id`) REFERENCES `tournaments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`captain_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "tournament_teams_name_length" CHECK(length(name) BETWEEN 1 AND 100),
	CONSTRAINT "tournament_teams_state" CHECK("tournament_teams"."state" IN ('entered', 'waiting', 'absent'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tournament_teams_invite_token_unique` ON `tournament_teams` (`invite_token`);--> statement-breakpoint
CREATE INDEX `tournament_teams_listed` ON `tournament_teams` (`tournament_id`,`state`,`listed_at`);--> statement-breakpoint
CREATE INDEX `tournament_teams_by_captain` ON `tournament_teams` (`captain_id`,`tournament_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tournament_teams_name` ON `tournament_teams` (`tournament_id`,`name_key`);--> statement-breakpoint
CREATE TABLE `tournaments` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`rules` text,
	`entry_fee` integer NOT NULL,
	`prize_pool` integer NOT NULL,
	`max_participants` integer NOT NULL,
	`current_participants` integer DEFAULT 0 NOT NULL,
	`min_rank` integer,
	`max_rank` integer,
	`region` text,
	`format` text NOT NULL,
	`team_size` integer NOT NULL,
	`best_of` integer NOT NULL,
	`final_best_of` integer NOT NULL,
	`group_size` integer NOT NULL,
	`check_in_minutes` integer NOT NULL,
	`seeding` text NOT NULL,
	`tournament_date` integer NOT NULL,
	`registration_deadline` integer NOT NULL,
	`time_zone` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`cancel_reason` text,
	`check_in_told_at` integer,
	`start_told_at` integer,
	`started_at` integer,
	`ended_at` integer,
	`winner_team_id` text,
	`version` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`winner_team_id`) REFERENCES `tournament_teams`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "tournaments_title" CHECK(length(title) BETWEEN 1 AND 200),
	CONSTRAINT "tournaments_description" CHECK(length(description) BETWEEN 1 AND 4000),
	CONSTRAINT "tournaments_rules" CHECK(rules IS NULL OR length(rules) BETWEEN 1 AND 20000),
	CONSTRAINT "tournaments_money" CHECK(entry_fee BETWEEN 0 AND 10000000 AND prize_pool BETWEEN 0 AND 10000000),
	CONSTRAINT "tournaments_participants" CHECK(max_participants BETWEEN 2 AND 256 AND current_participants >= 0),
	CONSTRAINT "tournaments_ranks" CHECK((min_rank IS NULL OR min_rank BETWEEN 0 AND 24)
        AND (max_rank IS NULL OR max_rank BETWEEN 0 AND 24)
        AND (min_rank IS NULL OR max_rank IS NULL OR max_rank >= min_rank)),
	CONSTRAINT "tournaments_region" CHECK("tournaments"."region" IN ('North America', 'Europe', 'Asia Pacific', 'Korea', 'Brazil', 'Latin America')),
	CONSTRAINT "tournaments_format" CHECK("tournaments"."format" IN ('single_elimination', 'double_elimination', 'round_robin')),
	CONSTRAINT "tournaments_team_size" CHECK(team_size IN (1, 2, 3, 5)),
	CONSTRAINT "tournaments_best_of" CHECK(best_of IN (1, 3, 5) AND final_best_of IN (1, 3, 5)),
	CONSTRAINT "tournaments_group_size" CHECK(group_size BETWEEN 3 AND 16),
	CONSTRAINT "tournaments_check_in" CHECK(check_in_minutes BETWEEN 0 AND 1440),
	CONSTRAINT "tournaments_seeding" CHECK("tournaments"."seeding" IN ('random', 'rank', 'manual')),
	CONSTRAINT "tournaments_dates" CHECK(registration_deadline < tournament_date),
	CONSTRAINT "tournaments_state" CHECK("tournaments"."state" IN ('open', 'running', 'finished', 'cancelled')),
	CONSTRAINT "tournaments_cancel_reason" CHECK(cancel_reason IS NULL OR length(cancel_reason) BETWEEN 1 AND 1000)
);
--> statement-breakpoint
CREATE INDEX `tournaments_open` ON `tournaments` (`registration_deadline`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tournaments_by_region` ON `tournaments` (`region`,id DESC);--> statement-breakpoint
CREATE INDEX `tournaments_free` ON `tournaments` (id DESC) WHERE entry_fee = 0;--> statement-breakpoint
CREATE INDEX `tournaments_by_date` ON `tournaments` (`tournament_date`,`id`);--> statement-breakpoint
CREATE INDEX `tournaments_by_host` ON `tournaments` (`user_id`,id DESC);--> statement-breakpoint
CREATE INDEX `tournaments_by_winner` ON `tournaments` (`winner_team_id`) WHERE winner_team_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tournaments_to_check_in` ON `tournaments` (`tournament_date`) WHERE state = 'open' AND check_in_told_at IS NULL;--> statement-breakpoint
ALTER TABLE `lfg_posts` ADD `closed_at` integer;--> statement-breakpoint
CREATE INDEX `profiles_by_riot_id` ON `profiles` (riot_id COLLATE NOCASE);--> statement-breakpoint
INSERT INTO `player_facets` (`facet`, `user_id`, `joined_at`, `ranking_score`)
SELECT 'peer:' || p.region || ':' || substr(f.facet, 10) || ':' || p.current_rank, f.user_id, f.joined_at, f.ranking_score
FROM player_facets AS f JOIN profiles AS p ON p.user_id = f.user_id
WHERE f.facet LIKE 'language:%' AND p.region IS NOT NULL AND p.current_rank IS NOT NULL;
