-- On PostgreSQL this step puts the tenant in front of every key (migrations/postgres/0031_tenant_keys.sql), so that a
-- database can be partitioned by it. One file of SQLite is not: its keys stay as they are.
SELECT 1;
