-- Of a blind session's stale reviews, so many, the newest, were sealed when they became stale and stay so until both reviewers have
-- decided the claim anew.
ALTER TABLE claims ADD COLUMN withheld_reviews INTEGER NOT NULL DEFAULT 0;
