ALTER TABLE `conversations` ADD `team1_id` text REFERENCES tournament_teams(id) ON DELETE SET NULL;--> statement-breakpoint
ALTER TABLE `conversations` ADD `team2_id` text REFERENCES tournament_teams(id) ON DELETE SET NULL;--> statement-breakpoint
-- Chats whose matches were undone before have nothing that leads to their teams, so they stay without.
UPDATE `conversations` SET `team1_id` = `match`.`team1_id`, `team2_id` = `match`.`team2_id`
FROM `tournament_matches` AS `match` WHERE `match`.`conversation_id` = `conversations`.`id`;--> statement-breakpoint
CREATE INDEX `conversations_team1` ON `conversations` (`team1_id`) WHERE team1_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `conversations_team2` ON `conversations` (`team2_id`) WHERE team2_id IS NOT NULL;