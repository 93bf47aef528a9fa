package db_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/backup"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
)

// versions are programs of several versions on one database, with one clock.
type versions struct {
	t     *testing.T
	dir   string
	ahead atomic.Int64 // of the clock
}

func (v *versions) options(later ...string) db.Options {
	return db.WithLater(db.Options{Dir: v.dir, Database: dbtest.Database(v.dir), NewID: uuid.NewString,
		Keys: dbtest.MasterKey(v.t, 1),
		Now:  func() time.Time { return time.Now().Add(time.Duration(v.ahead.Load())) }}, later...)
}

func (v *versions) open(later ...string) *db.Store {
	v.t.Helper()
	s, err := v.tries(later...)
	require.NoError(v.t, err)
	v.t.Cleanup(func() { _ = s.Close() })
	return s
}

func (v *versions) tries(later ...string) (*db.Store, error) {
	return db.Open(context.Background(), v.options(later...))
}

// level is the newest step that was applied.
func (v *versions) level() int {
	v.t.Helper()
	n, err := strconv.Atoi(dbtest.TextsOf(v.t, dbtest.Raw(v.t, v.dir),
		"SELECT CAST(max(version) AS TEXT) FROM schema_migrations")[0])
	require.NoError(v.t, err)
	return n
}

func (v *versions) compatible() string {
	return fmt.Sprintf("-- Older programs serve on: from level %d\nALTER TABLE webhooks ADD COLUMN later INTEGER NOT NULL DEFAULT 7;\n"+
		"CREATE TABLE later (id INTEGER PRIMARY KEY);\n", db.NewestLevel())
}

const incompatible = "-- Older programs serve on: none\nALTER TABLE webhooks DROP COLUMN later;\n"

// TestOlderProgramServesOn has a newer program change the schema beside an older one, in a way that this can serve and
// then in one that it cannot (rule DB-13).
func TestOlderProgramServesOn(t *testing.T) {
	ctx := context.Background()
	v := &versions{t: t, dir: dbtest.Dir(t)}
	old := v.open()
	require.NoError(t, old.Serve(ctx, "old-1"))
	_, err := old.EnsureTenant(ctx, "before", "Before")
	require.NoError(t, err)

	newer := v.open(v.compatible())
	require.Equal(t, db.NewestLevel()+1, v.level(), "it has not waited for the older program to end")
	require.NoError(t, newer.Serve(ctx, "new"))
	require.NoError(t, old.Serve(ctx, "old-1"))
	require.NoError(t, old.Ready(ctx))
	_, err = old.EnsureTenant(ctx, "beside", "Beside")
	require.NoError(t, err)
	_, err = newer.EnsureTenant(ctx, "newer", "Newer")
	require.NoError(t, err)

	require.NoError(t, v.open().Serve(ctx, "old-2"), "the way back")
	require.Equal(t, db.NewestLevel()+1, v.level())
	e, err := backup.Examine(ctx, v.options())
	require.NoError(t, err)
	require.True(t, e.Serves)
	require.Positive(t, e.Tenants)
	_, err = backup.Backup(ctx, filepath.Join(t.TempDir(), "backup"), "test", v.options())
	require.ErrorContains(t, err, "use the version that wrote it")
	_, err = backup.RotateMasterKey(ctx, v.options(), dbtest.MasterKey(t, 2), true)
	require.Error(t, err, "an older program does not rotate the key of a newer schema")
}

// TestIncompatibleStepWaitsForOlderPrograms has a step that older programs cannot serve refused while one serves.
func TestIncompatibleStepWaitsForOlderPrograms(t *testing.T) {
	ctx := context.Background()
	v := &versions{t: t, dir: dbtest.Dir(t)}
	old := v.open()
	between := v.open(v.compatible())
	steps := []string{v.compatible(), incompatible}
	require.NoError(t, old.Serve(ctx, "old"))
	require.NoError(t, between.Serve(ctx, "between"))

	serving, stop := context.WithCancel(ctx)
	var served sync.WaitGroup
	var failed error
	served.Go(func() { // more often than a server does
		beat := time.NewTicker(100 * time.Millisecond)
		defer beat.Stop()
		for serving.Err() == nil && failed == nil {
			failed = old.Serve(ctx, "old")
			<-beat.C
		}
	})
	t.Cleanup(func() { stop(); served.Wait() })
	_, err := v.tries(steps...)
	require.ErrorContains(t, err, "stop every process of the version before")
	require.ErrorContains(t, err, fmt.Sprintf("step %04d_later.sql", db.NewestLevel()+2))
	require.Equal(t, db.NewestLevel()+1, v.level())
	stop()
	served.Wait()
	require.NoError(t, failed)

	ended, end := context.WithCancel(ctx)
	end()
	old.KeepServing(ended, "old")     // it ends
	v.ahead.Store(int64(time.Minute)) // the other one was killed a minute ago
	newest := v.open(steps...)
	require.NoError(t, newest.Serve(ctx, "newest"))
	require.Equal(t, db.NewestLevel()+2, v.level())

	for name, s := range map[string]*db.Store{"old": old, "between": between} {
		err := s.Ready(ctx)
		require.ErrorContains(t, err, "was written by a newer version", name)
		require.ErrorContains(t, err, "start the newer one in its place", name)
		_, err = s.EnsureTenant(ctx, "too-late", "Too late")
		require.Equal(t, domain.Unavailable, domain.KindOf(err), name)
		require.ErrorContains(t, err, "nothing was stored", name)
		require.Error(t, s.Serve(ctx, name))
	}
	require.Empty(t, dbtest.TextsOf(t, dbtest.Raw(t, v.dir), "SELECT slug FROM tenants WHERE slug = 'too-late'"))
	_, err = v.tries()
	require.ErrorContains(t, err, fmt.Sprintf("was written by a newer version: it has schema %d, this program knows %d",
		db.NewestLevel()+2, db.NewestLevel()))
	_, err = v.tries(v.compatible())
	require.ErrorContains(t, err, "was written by a newer version")
	_, err = newest.EnsureTenant(ctx, "newest", "Newest")
	require.NoError(t, err)

	dbtest.Exec(t, dbtest.Raw(t, v.dir),
		fmt.Sprintf("DELETE FROM schema_migrations WHERE version > %d", db.NewestLevel()))
	require.NoError(t, old.Ready(ctx), "a backup was put back")
	_, err = old.EnsureTenant(ctx, "again", "Again")
	require.NoError(t, err)
}

// TestServerNoticesAStep has a server notice by its own sign of life that the schema is not its own any more.
func TestServerNoticesAStep(t *testing.T) {
	ctx := context.Background()
	v := &versions{t: t, dir: dbtest.Dir(t)}
	old := v.open() // a command, or a server that has not said yet that it serves
	v.open(v.compatible(), incompatible)
	require.ErrorContains(t, old.Serve(ctx, "old"), "written by a newer version", "it has come too late")
	require.Empty(t, dbtest.TextsOf(t, dbtest.Raw(t, v.dir), "SELECT process FROM serving"))
}

// TestStepsWaitBriefly holds a table that a step changes: others go on reading it, and so does the step once it is
// free.
func TestStepsWaitBriefly(t *testing.T) {
	if !dbtest.OnPostgres() {
		t.Skip("readers of SQLite keep nobody waiting: make postgres")
	}
	ctx := context.Background()
	v := &versions{t: t, dir: dbtest.Dir(t)}
	old := v.open()
	reader, err := dbtest.Raw(t, v.dir).BeginTx(ctx, nil)
	require.NoError(t, err)
	_, err = reader.Exec("SELECT 1 FROM webhooks")
	require.NoError(t, err)
	opened := make(chan error, 1)
	go func() {
		s, err := v.tries(v.compatible())
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	waiting := "SELECT pid::text FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND NOT granted AND relation = 'webhooks'::regclass"
	seen := map[string]bool{}
	require.Eventually(t, func() bool { // it comes again after it has given way
		for _, pid := range dbtest.TextsOf(t, dbtest.Raw(t, v.dir), waiting) {
			seen[pid] = true
		}
		return len(seen) > 0
	}, time.Minute, 5*time.Millisecond)
	for i := range 5 {
		_, err := old.Webhooks(ctx, "no such tenant")
		require.NoError(t, err, "a reader behind the step")
		_, err = old.EnsureTenant(ctx, fmt.Sprint("tenant-", i), "A tenant")
		require.NoError(t, err, "a writer behind the step")
	}
	require.Empty(t, opened, "the step still waits")
	require.NoError(t, reader.Rollback())
	require.NoError(t, <-opened)
	require.Equal(t, db.NewestLevel()+1, v.level())
}

var (
	declared = regexp.MustCompile(`^-- Older programs serve on: (none|from level ([0-9]+))\n`)
	comments = regexp.MustCompile(`(?m)--.*$`)
	// what an older program that reads and writes these tables would not survive, or would wait for
	disturbs = regexp.MustCompile(`(?is)\b(DROP|RENAME|UPDATE|DELETE|SET NOT NULL|ADD CONSTRAINT|ADD CHECK|ADD UNIQUE|ADD PRIMARY|` +
		`ADD FOREIGN|CREATE\s+UNIQUE|CREATE\s+TRIGGER|CREATE\s+OR\s+REPLACE|VACUUM|ALTER\s+COLUMN)\b`)
	addsColumn  = regexp.MustCompile(`(?i)\bADD\s+COLUMN\s[^,;]*`)
	needsValue  = regexp.MustCompile(`(?i)\bNOT\s+NULL\b`)
	hasDefault  = regexp.MustCompile(`(?i)\bDEFAULT\b`)
	stepVersion = regexp.MustCompile(`/([0-9]{4})_`)
)

// TestStepsSayWhoMayServe holds every step after the baseline to say whether older programs may serve on, the same on
// both engines, and those that say so to what such programs survive (docs/changing.md).
func TestStepsSayWhoMayServe(t *testing.T) {
	texts, err := db.MigrationTexts()
	require.NoError(t, err)
	require.NotEmpty(t, texts)
	said := map[int]int{}
	for name, text := range texts {
		version, err := strconv.Atoi(stepVersion.FindStringSubmatch(name)[1])
		require.NoError(t, err)
		if version == 1 {
			continue
		}
		faults := stepFaults(version, text)
		require.Empty(t, faults, name)
		least := db.ServesFrom(version, text)
		if other, ok := said[version]; ok {
			require.Equal(t, other, least, "%s says otherwise for the other engine", name)
		}
		said[version] = least
	}
}

// stepFaults says what is wrong with how a step says who may serve it.
func stepFaults(version int, text string) (faults []string) {
	m := declared.FindStringSubmatch(text)
	if m == nil {
		return []string{"its first line does not say which older programs serve on (docs/changing.md)"}
	}
	if m[1] == "none" {
		return nil
	}
	if level, err := strconv.Atoi(m[2]); err != nil || level < 1 || level >= version {
		faults = append(faults, "no program of level "+m[2]+" can be older and know of this")
	}
	sql := comments.ReplaceAllString(text, "")
	if found := disturbs.FindString(sql); found != "" {
		faults = append(faults, found+" is not for a step beside older programs")
	}
	for _, column := range addsColumn.FindAllString(sql, -1) {
		if needsValue.MatchString(column) && !hasDefault.MatchString(column) {
			faults = append(faults, column+": older programs do not write it, so it needs a default")
		}
	}
	return faults
}

// TestStepFaults checks the check.
func TestStepFaults(t *testing.T) {
	for text, want := range map[string]int{
		"CREATE TABLE x (a TEXT) STRICT;":                                                                             1,
		"-- Older programs serve on: none\nDROP TABLE x;":                                                             0,
		"-- Older programs serve on: from level 1\nCREATE TABLE x (a TEXT NOT NULL) STRICT; -- no UPDATE":             0,
		"-- Older programs serve on: from level 1\nALTER TABLE x ADD COLUMN a TEXT, ADD COLUMN b TEXT NOT NULL;":      1,
		"-- Older programs serve on: from level 1\nALTER TABLE x ADD COLUMN a TEXT NOT NULL DEFAULT '';":              0,
		"-- Older programs serve on: from level 3\nCREATE INDEX a ON x (b);":                                          1,
		"-- Older programs serve on: from level 1\nALTER TABLE x RENAME COLUMN a TO b;":                               1,
		"-- Older programs serve on: from level 1\nCREATE TRIGGER x BEFORE INSERT ON y BEGIN SELECT 1; END;":          1,
		"-- Older programs serve on: from level 1\nALTER TABLE x ADD CONSTRAINT y CHECK (a > 0);\nUPDATE x SET a = 1": 1,
	} {
		require.Len(t, stepFaults(3, text), want, text)
	}
}
