-- What people are told of by mail (rule N-5).

-- 1: mails name the titles of sessions and packs.
ALTER TABLE tenants ADD COLUMN mail_titles INTEGER NOT NULL DEFAULT 0;

CREATE TABLE mail_settings (
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id   TEXT NOT NULL REFERENCES users (id),
  lang      TEXT NOT NULL,                 -- en or ar: as chosen, else of the newest login
  chosen    INTEGER NOT NULL,              -- 1: the person has saved them
  choices   TEXT NOT NULL,                 -- JSON: kind to once, daily or off; a kind that is not named has its default
  PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;

-- Notifications that are to be mailed: at most one row for each, which has one person. It goes with the notification.
CREATE TABLE mail_queue (
  notice    INTEGER PRIMARY KEY REFERENCES notifications (no) ON DELETE CASCADE,
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  user_id   TEXT NOT NULL REFERENCES users (id),
  due_at    TEXT NOT NULL,
  daily     INTEGER NOT NULL,              -- 1: in the daily mail
  mail      TEXT NOT NULL                  -- mails.id, '' until it is in one
) STRICT;

CREATE INDEX mail_queue_due  ON mail_queue (due_at) WHERE mail = '';
CREATE INDEX mail_queue_mail ON mail_queue (mail);

-- The outbox. It holds no text: a mail is put together when it is sent.
CREATE TABLE mails (
  id         TEXT NOT NULL PRIMARY KEY,    -- its Message-ID too, the same in every attempt
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  user_id    TEXT NOT NULL REFERENCES users (id),
  kind       TEXT NOT NULL CHECK (kind IN ('notices', 'digest', 'test')),
  state      TEXT NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'dropped')),
  attempts   INTEGER NOT NULL,
  next_at    TEXT NOT NULL,
  status     INTEGER NOT NULL,             -- SMTP reply code of the newest attempt, 0 if none
  reason     TEXT NOT NULL,                -- why the newest attempt failed, '' if it did not
  created_at TEXT NOT NULL,
  ended_at   TEXT NOT NULL                 -- '' while it waits
) STRICT, WITHOUT ROWID;

CREATE INDEX mails_due    ON mails (next_at) WHERE state = 'waiting';
CREATE INDEX mails_person ON mails (user_id, created_at);
CREATE INDEX mails_tenant ON mails (tenant_id, created_at);
CREATE INDEX mails_ended  ON mails (ended_at);
