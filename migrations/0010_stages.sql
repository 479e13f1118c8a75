ALTER TABLE `tournament_matches` ADD `advantage` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `quarter_best_of` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `semi_best_of` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `lower_final_best_of` integer;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `grand_final` text DEFAULT 'reset' NOT NULL;