-- Several processes hold one limit of requests and of wrong passwords together (docs/scaling.md): what each has let pass
-- of the few keys that are used much. No record depends on it; rows are deleted after a minute or so without use.
CREATE TABLE limit_use (
  key text COLLATE "C" NOT NULL,     -- keyed hash of an account's id or of an address; '' says that a process is there
  process text COLLATE "C" NOT NULL, -- a random name, new at each start
  used bigint NOT NULL,              -- since the process began to count
  at text COLLATE "C" NOT NULL,
  PRIMARY KEY (key, process)
);
