-- Written by hand: drizzle-kit would build the table anew for the check.
ALTER TABLE `profiles` ADD `contact_policy` text DEFAULT 'everyone' NOT NULL CONSTRAINT "profiles_contact_policy" CHECK("contact_policy" IN ('everyone', 'met', 'nobody'));--> statement-breakpoint
CREATE INDEX `user_feedback_by_pair` ON `user_feedback` (`reviewed_id`,`reviewer_id`,`rating`) WHERE revealed_at IS NOT NULL AND hidden_at IS NULL;
