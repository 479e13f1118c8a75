DROP INDEX `tournaments_by_region`;--> statement-breakpoint
DROP INDEX `tournaments_free`;--> statement-breakpoint
DROP INDEX `tournaments_by_date`;--> statement-breakpoint
ALTER TABLE `tournaments` ADD `is_listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE `tournaments` SET `is_listed` = 0 WHERE `user_id` IS NOT NULL AND NOT EXISTS (
	SELECT 1 FROM `profiles` WHERE `profiles`.`user_id` = `tournaments`.`user_id` AND `riot_verified_at` IS NOT NULL
);--> statement-breakpoint
CREATE INDEX `tournaments_newest` ON `tournaments` (id DESC) WHERE is_listed = 1;--> statement-breakpoint
CREATE INDEX `tournaments_listed_open` ON `tournaments` (`registration_deadline`,`id`) WHERE state = 'open' AND is_listed = 1;--> statement-breakpoint
CREATE INDEX `tournaments_open_by_host` ON `tournaments` (`user_id`,id DESC) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tournaments_unlisted` ON `tournaments` (`user_id`,id DESC) WHERE is_listed = 0;--> statement-breakpoint
CREATE INDEX `tournaments_by_region` ON `tournaments` (`region`,id DESC) WHERE is_listed = 1;--> statement-breakpoint
CREATE INDEX `tournaments_free` ON `tournaments` (id DESC) WHERE entry_fee = 0 AND is_listed = 1;--> statement-breakpoint
CREATE INDEX `tournaments_by_date` ON `tournaments` (`tournament_date`,`id`) WHERE is_listed = 1;