-- Sessions with a blind second review: how many reviews are sealed, by their authors, is stored with the session's other
-- figures (sessions.overview), since the revision that readers are shown leaves out those that are hidden from them
-- (rule L-35). A program counts them; the revision of such a session grows.
SELECT 1;
