-- Accounts that operators erased while a report showed their picture left it in the bucket, open to everyone. The cron's
-- next runs move such pictures to where only moderators see them, and delete those that no report shows any more.
INSERT INTO hiding_follow_ups (kind, subject_id, picture, created_at)
SELECT 'player', subject_id, picture, 0 FROM (
  SELECT subject_id, picture FROM report_cases WHERE picture IS NOT NULL
  UNION
  SELECT cases.subject_id, reports.picture FROM reports JOIN report_cases AS cases ON cases.id = reports.case_id
  WHERE reports.picture IS NOT NULL
) WHERE picture NOT IN (SELECT avatar_id FROM profiles WHERE avatar_id IS NOT NULL)
ON CONFLICT DO NOTHING;
