-- The case of a reported review named the reviewed player, also after their account was erased. It has their id, with
-- which the case's page finds the name as long as there is one.
UPDATE report_cases SET snapshot = json_remove(snapshot, '$.about') WHERE kind = 'review';--> statement-breakpoint
UPDATE reports SET snapshot = json_remove(snapshot, '$.about')
WHERE case_id IN (SELECT id FROM report_cases WHERE kind = 'review') AND snapshot IS NOT NULL;--> statement-breakpoint
UPDATE case_findings SET snapshot = json_remove(snapshot, '$.about')
WHERE case_id IN (SELECT id FROM report_cases WHERE kind = 'review') AND snapshot IS NOT NULL;--> statement-breakpoint
-- The last message of a chat named its sender by id, also after their account was erased.
UPDATE conversations SET last_sender_id = NULL
WHERE last_sender_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = conversations.last_sender_id);
