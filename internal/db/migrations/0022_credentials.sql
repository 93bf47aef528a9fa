-- What a token is narrowed to, and who has to log in with a second factor (docs/rules: security).

ALTER TABLE api_tokens ADD COLUMN scopes    TEXT NOT NULL DEFAULT '';  -- separated by spaces, '' for all
ALTER TABLE api_tokens ADD COLUMN addresses TEXT NOT NULL DEFAULT '';  -- networks, separated by spaces, '' for everywhere

ALTER TABLE tenants ADD COLUMN second_factor INTEGER NOT NULL DEFAULT 0; -- 1: approvers and administrators need one
ALTER TABLE logins ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0; -- 1: the provider saw a second factor
