-- Who may come in: users, memberships, logins, API tokens. Users, their logins and their identities are of the whole
-- installation (a person may be in several tenants); what they may do is of each tenant.
-- Secrets: passwords are argon2id hashes, TOTP secrets are sealed with the master key, tokens and recovery codes are
-- SHA-256 hashes of random values.

CREATE TABLE users (
  id          TEXT NOT NULL PRIMARY KEY,   -- the pseudonymous id that the log names
  login       TEXT NOT NULL UNIQUE,        -- folded to lower case
  name        TEXT NOT NULL,               -- as shown
  email       TEXT NOT NULL,               -- '' for none; an OIDC login is linked by it once
  password    TEXT NOT NULL,               -- PHC string, '' where only OIDC may log in
  totp        BLOB,                        -- sealed secret, NULL where there is none
  totp_step   INTEGER NOT NULL,            -- the newest time step that was used; no step counts twice
  disabled_at TEXT NOT NULL,               -- '' while enabled
  created_at  TEXT NOT NULL
) STRICT;

CREATE INDEX users_email ON users (email) WHERE email <> '';

CREATE TABLE memberships (
  tenant_id   TEXT NOT NULL REFERENCES tenants (id),
  user_id     TEXT NOT NULL REFERENCES users (id),
  role        TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin')),
  disabled_at TEXT NOT NULL,               -- '' while enabled; a tenant's admin disables this, the operator the user
  created_at  TEXT NOT NULL,
  PRIMARY KEY (tenant_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX memberships_user ON memberships (user_id, tenant_id);

CREATE TABLE identities (                  -- of an OIDC provider
  issuer     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  user_id    TEXT NOT NULL REFERENCES users (id),
  created_at TEXT NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

CREATE INDEX identities_user ON identities (user_id);

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash    TEXT NOT NULL,
  PRIMARY KEY (user_id, hash)              -- a used one is deleted
) STRICT, WITHOUT ROWID;

CREATE TABLE logins (                      -- a browser that is signed in
  id         TEXT NOT NULL PRIMARY KEY,    -- shown in the list of devices
  token_hash TEXT NOT NULL UNIQUE,         -- of the cookie's value
  user_id    TEXT NOT NULL REFERENCES users (id),
  tenant_id  TEXT NOT NULL REFERENCES tenants (id), -- the one in use
  created_at TEXT NOT NULL,                -- ends 8 hours after
  seen_at    TEXT NOT NULL,                -- ends 30 minutes after
  fresh_at   TEXT NOT NULL,                -- when the password was last given
  agent      TEXT NOT NULL,                -- the browser's name of itself, cut to 200 characters
  address    TEXT NOT NULL
) STRICT;

CREATE INDEX logins_user ON logins (user_id, created_at);
CREATE INDEX logins_seen ON logins (seen_at);

CREATE TABLE login_failures (              -- since the last success, of known and unknown names alike
  key     TEXT NOT NULL PRIMARY KEY,       -- keyed hash of the name that was typed
  count   INTEGER NOT NULL,
  last_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_failures_last ON login_failures (last_at);

CREATE TABLE api_tokens (
  id           TEXT NOT NULL PRIMARY KEY,
  tenant_id    TEXT NOT NULL REFERENCES tenants (id),
  user_id      TEXT REFERENCES users (id), -- the person it acts as; NULL for a machine's
  name         TEXT NOT NULL,
  role         TEXT NOT NULL CHECK (role IN ('viewer', 'reviewer', 'approver', 'admin')), -- at most that of its person
  hash         TEXT NOT NULL UNIQUE,
  created_at   TEXT NOT NULL,
  created_by   TEXT NOT NULL,              -- id of an actor
  expires_at   TEXT NOT NULL,
  revoked_at   TEXT NOT NULL,              -- '' while valid
  last_used_at TEXT NOT NULL               -- '' for never; to the minute
) STRICT;

CREATE INDEX api_tokens_tenant ON api_tokens (tenant_id, created_at, id);

-- The installation's own log (failed logins of names nobody has); no one is a member, no page leads here.
INSERT INTO tenants (id, slug, name, freshness_months, created_at)
VALUES ('00000000-0000-0000-0000-000000000000', 'system', 'System', 24, '1970-01-01T00:00:00.000000000Z');
