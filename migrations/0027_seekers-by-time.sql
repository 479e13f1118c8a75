DROP INDEX `tournament_seekers_listed`;--> statement-breakpoint
CREATE INDEX `tournament_seekers_listed` ON `tournament_seekers` (`tournament_id`,created_at DESC,user_id DESC);