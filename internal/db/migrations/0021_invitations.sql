-- Accounts of one tenant, and invitations (rule SEC-21). An address in users.email is a login, and links an
-- identity; one in users.contact is neither.
ALTER TABLE users ADD COLUMN contact TEXT NOT NULL DEFAULT '';             -- folded; '' for none

-- Open ones only: the row goes when the person joins, when an administrator withdraws it, or when its time is over. What is
-- invited is a name: whether anybody has it is not looked up before somebody who has it signs in.
CREATE TABLE invitations (
  tenant_id  TEXT NOT NULL REFERENCES tenants (id),
  id         TEXT NOT NULL UNIQUE,
  login      TEXT NOT NULL,                -- folded
  role       TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin')),
  invited_by TEXT NOT NULL,                -- a person
  invited_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  request_id TEXT NOT NULL,                -- change_requests.id that a second administrator confirmed, '' if none
  PRIMARY KEY (tenant_id, id)
) STRICT;

CREATE UNIQUE INDEX invitations_name ON invitations (tenant_id, login);
CREATE INDEX invitations_login ON invitations (login, invited_at);
CREATE INDEX invitations_due ON invitations (expires_at, tenant_id);

CREATE TRIGGER invitations_keep BEFORE UPDATE ON invitations
BEGIN SELECT RAISE(ABORT, 'an invitation stays as it was sent'); END;

-- What a person declined: invitations of that tenant are not shown to them until then. It is theirs, and no tenant sees it.
CREATE TABLE declined_invitations (
  user_id   TEXT NOT NULL REFERENCES users (id),
  tenant_id TEXT NOT NULL REFERENCES tenants (id),
  until     TEXT NOT NULL,
  PRIMARY KEY (user_id, tenant_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX declined_invitations_until ON declined_invitations (until);
