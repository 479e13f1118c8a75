ALTER TABLE `tournament_matches` ADD `rounds1` integer;--> statement-breakpoint
ALTER TABLE `tournament_matches` ADD `rounds2` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `tie_breaks` text DEFAULT 'head-to-head,map-difference,round-difference' NOT NULL;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `last_tie_break` text DEFAULT 'match' NOT NULL;--> statement-breakpoint
UPDATE `tournaments` SET `tie_breaks` = 'legacy', `last_tie_break` = 'draw' WHERE `state` <> 'open';
