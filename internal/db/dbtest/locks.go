package dbtest

// checkLocks has every change of a row that is made by a store (not by Raw) fail unless its transaction holds the lock
// of the row's tenant, or the one of the whole store. Rows of tables without a tenant need the latter. Excepted are
// tables of which a single row is changed, and those that have a lock of their own: see type lock in internal/db. The
// number of a lock is that of lock.key there. A transaction takes its locks at its beginning, so they are looked for
// once (a look takes the server longer than most changes).
const checkLocks = `
CREATE FUNCTION lock_key(name text) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT ('x' || left(encode(sha256(convert_to('sanad ' || name, 'UTF8')), 'hex'), 16))::bit(64)::bigint $$;
CREATE FUNCTION lock_held(key bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE held text := current_setting('sanad_test.held', true); BEGIN
  IF coalesce(held, '') = '' THEN
    SELECT ' ' || coalesce(string_agg((classid::bigint << 32 | objid::bigint)::text, ' '), '') || ' ' INTO held FROM pg_locks
      WHERE locktype = 'advisory' AND pid = pg_backend_pid() AND granted AND objsubid = 1
      AND mode = 'ExclusiveLock' AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
    PERFORM set_config('sanad_test.held', held, true);
  END IF;
  RETURN strpos(held, ' ' || key || ' ') > 0; END $$;
CREATE FUNCTION lock_checked() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE other text; BEGIN
  IF current_setting('application_name') <> 'sanad' OR lock_held(358116909412) THEN RETURN NULL; END IF;
  IF TG_ARGV[0] = 'store' THEN
    IF TG_NARGS > 1 AND lock_held(lock_key(TG_ARGV[1])) THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'LOCK: % of % without the lock of the store', TG_OP, TG_TABLE_NAME;
  END IF;
  SELECT tenant_id INTO other FROM (SELECT DISTINCT tenant_id FROM changed) AS c
    WHERE NOT lock_held(lock_key('tenant ' || tenant_id)) LIMIT 1;
  IF FOUND AND (TG_NARGS = 1 OR NOT lock_held(lock_key(TG_ARGV[1]))) THEN
    RAISE EXCEPTION 'LOCK: % of % of tenant % without its lock', TG_OP, TG_TABLE_NAME, other;
  END IF;
  RETURN NULL; END $$;
DO $$ DECLARE x record; op text; kind text; BEGIN
  FOR x IN SELECT c.table_name AS name, bool_or(c.column_name = 'tenant_id') AS tenant FROM information_schema.columns c
    JOIN pg_tables t ON t.schemaname = c.table_schema AND t.tablename = c.table_name
    WHERE c.table_schema = current_schema() AND c.table_name <> 'schema_migrations'
    AND c.table_name NOT LIKE '%\_search' -- by the numbers of rows of the other tables
    AND c.table_name NOT IN ('logins', 'api_tokens', 'mails') -- a single row, which decides by itself
    GROUP BY c.table_name
  LOOP
    kind := CASE WHEN x.tenant THEN '''tenant''' ELSE '''store''' END || CASE x.name WHEN 'jobs' THEN ', ''jobs'''
      WHEN 'serving' THEN ', ''heartbeats''' WHEN 'login_failures' THEN ', ''login failures''' ELSE '' END;
    FOREACH op IN ARRAY ARRAY['INSERT', 'UPDATE', 'DELETE'] LOOP
      CONTINUE WHEN x.name IN ('users', 'jobs', 'live_traces') AND op = 'UPDATE' OR x.name = 'login_failures' AND op = 'DELETE';
      EXECUTE format('CREATE TRIGGER lock_checked_%s AFTER %s ON %I REFERENCING %s TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION lock_checked(%s)', lower(op), op, x.name,
        CASE op WHEN 'DELETE' THEN 'OLD' ELSE 'NEW' END, kind);
    END LOOP;
  END LOOP;
END $$;`
