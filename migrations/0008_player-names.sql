CREATE TABLE `player_names` (
	`word` text NOT NULL,
	`user_id` text NOT NULL,
	PRIMARY KEY(`user_id`, `word`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `player_names_by_word` ON `player_names` (`word`,`user_id`);--> statement-breakpoint
ALTER TABLE `profiles` ADD `found_by` text;--> statement-breakpoint
CREATE INDEX `profiles_without_words` ON `profiles` (`user_id`) WHERE found_by IS NULL;--> statement-breakpoint
INSERT INTO `player_facets` (`facet`, `user_id`, `joined_at`, `ranking_score`)
SELECT 'peer:::' || p.current_rank, f.user_id, f.joined_at, f.ranking_score
FROM player_facets AS f JOIN profiles AS p ON p.user_id = f.user_id
WHERE f.facet = 'all' AND p.current_rank IS NOT NULL
UNION ALL SELECT 'peer:' || p.region || '::' || p.current_rank, f.user_id, f.joined_at, f.ranking_score
FROM player_facets AS f JOIN profiles AS p ON p.user_id = f.user_id
WHERE f.facet = 'all' AND p.current_rank IS NOT NULL AND p.region IS NOT NULL
UNION ALL SELECT 'peer::' || substr(f.facet, 10) || ':' || p.current_rank, f.user_id, f.joined_at, f.ranking_score
FROM player_facets AS f JOIN profiles AS p ON p.user_id = f.user_id
WHERE f.facet LIKE 'language:%' AND p.current_rank IS NOT NULL;
