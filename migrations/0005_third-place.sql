ALTER TABLE `tournament_teams` ADD `last_place` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `third_place` text DEFAULT 'automatic' NOT NULL;
--> statement-breakpoint
UPDATE `tournaments` SET `third_place` = 'no' WHERE `state` <> 'open';
