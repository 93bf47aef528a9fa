package auditlog_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/everyfield"
	"sanad/internal/thorough"
)

// contents returns what the events of the log say of content, oldest first.
func contents(t testing.TB, h *dbtest.Fixture) (out []audit.Content) {
	t.Helper()
	events, err := h.Events(context.Background(), h.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		var v audit.Event
		require.NoError(t, json.Unmarshal(e.Bytes, &v))
		if c, ok := audit.ContentOf(&v); ok {
			require.Equal(t, audit.StateFormat, c.Format)
			out = append(out, c)
		}
	}
	return out
}

// TestEveryChangeHoldsTheState checks after every kind of change that its event holds a new state, which is that of the
// rows.
func TestEveryChangeHoldsTheState(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	steps := []struct {
		name string
		do   func() error
	}{
		{"import", func() error { return nil }},
		{"a review that changes a verdict", func() error {
			_, err := h.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
				Reason: "x"})
			return err
		}},
		{"a review that changes none", func() error {
			_, err := h.Review(ctx, h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
				ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "y"}, Claim: 1, At: dbtest.Now,
				NewID: uuid.NewString,
			}})
			return err
		}},
		{"a judgement", func() error { h.JudgeAgain(t, s.ID, uuid.NewString()); return nil }},
		{"replacing a document", func() error { h.Replace(t, s, "صار عشرين يوما"); return nil }},
		{"closing", func() error { return h.CloseSession(ctx, h.Actor, s.ID, "done") }},
		{"reopening", func() error { return h.ReopenSession(ctx, h.Actor, s.ID) }},
	}
	seen := map[string]bool{}
	for i, step := range steps {
		require.NoError(t, step.do(), step.name)
		all := contents(t, h)
		require.Len(t, all, i+1, step.name)
		require.False(t, seen[all[i].State], step.name)
		seen[all[i].State] = true
		h.RequireContents(t, 1)
	}
}

// TestStateOfLargeSession checks that a change of one claim of a session of several pages gives the state that all of
// its rows have.
func TestStateOfLargeSession(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.SizedSession(700)
	h.AddSession(t, s)
	for _, position := range []int{699, 3, 300} {
		_, err := h.Review(context.Background(), h.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Confirm}, Claim: position, At: dbtest.Now,
			NewID: uuid.NewString,
		}})
		require.NoError(t, err)
		h.RequireContents(t, 1)
	}
}

// TestLargeSessionsAreVerifiedInParts checks that a verification reads at most so many claims in a transaction, and
// that a change is named wherever it lies, also beyond the last claim.
func TestLargeSessionsAreVerifiedInParts(t *testing.T) {
	readLeaves(t, 100)
	h := dbtest.New(t)
	s := dbtest.SizedSession(350)
	h.AddSession(t, s)
	parts := 0
	stop := h.Trace(func(query string, _ []any) {
		if strings.Contains(query, " FROM claims r ") && strings.Contains(query, "r.position") {
			parts++
		}
	})
	h.RequireContents(t, 1)
	stop()
	require.Equal(t, 4, parts)
	file := dbtest.Unguarded(t, h.Dir)
	named := func() int {
		faults, err := h.VerifySession(context.Background(), h.Tenant.ID, s.ID)
		require.NoError(t, err)
		require.NotEmpty(t, faults)
		require.Equal(t, "claims", faults[0].Part)
		return faults[0].Claim
	}
	for _, position := range []int{0, 99, 100, 199, 300, 349} {
		dbtest.Exec(t, file, "UPDATE claims SET text = text || '.' WHERE session_no = 1 AND position = ?", position)
		require.Equal(t, position+1, named())
		dbtest.Exec(t, file, "UPDATE claims SET text = substr(text, 1, length(text) - 1) WHERE session_no = 1 AND position = ?",
			position)
	}
	dbtest.Exec(t, file, "UPDATE claims SET position = 400 WHERE session_no = 1 AND position = 349")
	require.Equal(t, 401, named())
}

// TestChangedContentIsRefused checks that a session whose rows were changed by somebody else is neither changed,
// exported nor taken into a pack, that nothing is stored, and that the passes find it and readiness says so.
func TestChangedContentIsRefused(t *testing.T) {
	b := dbtest.NewBoard(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	b.AddSession(t, s)
	d := everyfield.Decision()
	d.LedgerSessionID = s.ID
	b.Decide(t, d)
	require.NoError(t, b.Verified(ctx, b.Tenant.ID, s.ID))
	pass := func() db.ContentPass {
		require.NoError(t, b.PassContents(ctx, dbtest.NoPause))
		return b.LastPass()
	}
	require.True(t, b.LastPass().Finished.IsZero())
	clean := pass()
	require.Equal(t, []any{b.At, 1, 0}, []any{clean.Finished, clean.Sessions, len(clean.Faults)}, clean.Faults)
	require.NoError(t, b.Ready(ctx))

	file := dbtest.Unguarded(t, b.Dir)
	dbtest.Exec(t, file, "UPDATE claims SET text = text || ' not' WHERE session_no = 1 AND position = 1")
	var refused *db.ContentError
	confirm := func(position int) error {
		_, err := b.Review(ctx, b.Actor, s.ID, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Comment, Reason: "x"}, Claim: position, At: dbtest.Now,
			NewID: uuid.NewString,
		}})
		return err
	}
	reviews := dbtest.Count(t, file, "reviews")
	require.NoError(t, confirm(0), "another claim may be reviewed")
	require.ErrorAs(t, confirm(1), &refused)
	require.Equal(t, reviews+1, dbtest.Count(t, file, "reviews"), "nothing of the refused change is stored")
	require.Equal(t, domain.Unavailable, domain.KindOf(refused))
	require.Equal(t, audit.ContentFault{Tenant: b.Tenant.ID, Session: s.ID, Kind: audit.FaultRows, Part: "claims",
		Claim: 2}, refused.Fault)
	require.ErrorAs(t, b.Verified(ctx, b.Tenant.ID, s.ID), &refused)
	_, err := b.CreatePack(ctx, b.Drafter, d.DecisionID, db.Answering{})
	require.ErrorAs(t, err, &refused)

	found := pass()
	require.Equal(t, []string{refused.Fault.String()}, found.Of(b.Tenant.ID))
	require.ErrorContains(t, b.Ready(ctx), "claim 2")
	dbtest.Exec(t, file, "UPDATE claims SET text = substr(text, 1, length(text) - 4) WHERE session_no = 1 AND position = 1")
	dbtest.Exec(t, file, "UPDATE counters SET reviewed = reviewed + 1 WHERE day = ''")
	require.Equal(t, []string{"sums over sessions, counters, all days: the sums are not those of the sessions"},
		func() []string { p := pass(); return p.Of(b.Tenant.ID) }())
	dbtest.Exec(t, file, "UPDATE counters SET reviewed = reviewed - 1 WHERE day = ''")
	dbtest.Exec(t, file, "UPDATE events SET bytes = CAST(bytes || ' ' AS BLOB) WHERE seq = 2 AND tenant_id = ?",
		b.Tenant.ID)
	changed := pass()
	require.Contains(t, strings.Join(changed.Of(b.Tenant.ID), "\n"), "the audit log: event 2",
		"a middle event is found by a pass")
}

// TestChangedOriginalsAreNamed checks that an original file whose bytes were changed, or that is gone, is named.
func TestChangedOriginalsAreNamed(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	_, _, err := h.InsertSession(context.Background(), h.Actor, dbtest.Assess(s),
		[]db.Original{{Document: 1, MediaType: "text/plain", Data: []byte("Employees get 12 days.")}}, nil)
	require.NoError(t, err)
	h.RequireContents(t, 1)
	faults := func() []audit.ContentFault {
		out, err := h.VerifySession(context.Background(), h.Tenant.ID, s.ID)
		require.NoError(t, err)
		for i := range out {
			require.Equal(t, []string{audit.FaultFile, s.Documents[1].ID}, []string{out[i].Kind, out[i].Document})
		}
		return out
	}
	require.Empty(t, faults())
	file := filepath.Join(h.Dir, "originals", h.Tenant.ID, s.Documents[1].ID)
	require.NoError(t, os.WriteFile(file, []byte("Employees get 21 days."), 0o600))
	require.Len(t, faults(), 1)
	require.NoError(t, h.Verified(context.Background(), h.Tenant.ID, s.ID), "an export holds no original")
	require.NoError(t, os.Remove(file))
	require.Contains(t, faults()[0].String(), "it is gone")
	require.NoError(t, os.WriteFile(file, []byte("Employees get 12 days."), 0o600))
	require.Empty(t, faults())
}

// digested lists the tables whose rows are digested, and how a row of each is found.
var digested = map[string]string{
	"sessions": "no", "answer_parts": "rowid", "upstream": "rowid", "documents": "rowid", "chunks": "rowid",
	"ledger_runs": "rowid", "run_marks": "(session_no, run)", "run_changes": "(session_no, run, claim)",
	"run_claims": "(session_no, run, claim)", "claims": "no", "matches": "rowid", "citations": "rowid",
	"reviews": "(session_no, claim, n)", "session_states": "(tenant_id, session_id)", "state_pages": "rowid",
}

// TestNoChangeOfContentIsMissed changes random columns of random rows of every table that is digested, and deletes
// rows, in a database without its triggers, and verifies, a leaf or two in each transaction: none is missed, and the
// session is named. make thorough makes 10,000 changes.
func TestNoChangeOfContentIsMissed(t *testing.T) {
	readLeaves(t, 2)
	h := dbtest.New(t)
	s := dbtest.FullSession()
	s.Extra["claims[1].explanation"] = json.RawMessage(`"because"`)
	h.AddSession(t, s)
	other := dbtest.SizedSession(3)
	h.AddSession(t, other)
	_, err := h.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
		Reason: "x"})
	require.NoError(t, err)
	h.JudgeAgain(t, s.ID, uuid.NewString())
	h.Replace(t, s, "صار عشرين يوما")
	h.RequireContents(t, 2)
	d := dbtest.Unguarded(t, h.Dir)
	tables := make([]string, 0, len(digested))
	for table := range digested {
		if dbtest.Count(t, d, table) > 0 {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	require.Len(t, tables, len(digested), "every table has a row to change")
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	changes := thorough.Times(100, 10_000)
	r := thorough.Random(t)
	done, updates := 0, 0
	for n := 0; done < changes; n++ {
		table := tables[n%len(tables)]
		what, session, undo := changeContent(t, d, r, table)
		if undo == nil {
			continue
		}
		done++
		if strings.HasPrefix(what, "update") {
			updates++
		}
		var faults []audit.ContentFault
		_, err := h.VerifyContents(context.Background(), h.Tenant.ID, func(f audit.ContentFault) {
			faults = append(faults, f)
		})
		require.NoError(t, err, what)
		require.NotEmpty(t, faults, "%s was missed", what)
		require.True(t, slices.ContainsFunc(faults, func(f audit.ContentFault) bool { return f.Session == session }),
			"%s: %s is not named in %v", what, session, faults)
		require.Contains(t, audit.ContentFaultKinds, faults[0].Kind)
		undo()
	}
	require.Greater(t, updates, changes/2)
	h.RequireContents(t, 2)
}

// changeContent changes one row of a table, or deletes it. It returns what it did, the id of the row's session, and how
// to undo it, nil if nothing changed.
func changeContent(t *testing.T, d *sql.DB, r *rand.Rand, table string) (what, session string, undo func()) {
	t.Helper()
	dbtest.Exec(t, d, "DROP TABLE IF EXISTS temp.good")
	dbtest.Exec(t, d, "CREATE TEMP TABLE good AS SELECT * FROM "+table)
	restore := func() {
		dbtest.Exec(t, d, "DELETE FROM "+table)
		dbtest.Exec(t, d, "INSERT INTO "+table+" SELECT * FROM temp.good")
	}
	columns := dbtest.SchemaOf(t, d, table)
	c := columns[r.IntN(len(columns))]
	var key string
	require.NoError(t, d.QueryRow("SELECT "+keyText(digested[table])+" FROM "+table+" ORDER BY 1 LIMIT 1 OFFSET ?",
		r.IntN(dbtest.Count(t, d, table))).Scan(&key))
	where := " WHERE " + keyText(digested[table]) + " = ?"
	of := map[bool]string{true: "SELECT id FROM sessions s WHERE s.no = x.session_no", false: "x.session_id"}
	find := of[table != "session_states" && table != "state_pages"]
	if table == "sessions" {
		find = "x.id"
	}
	require.NoError(t, d.QueryRow("SELECT ("+find+") FROM "+table+" x"+where, key).Scan(&session))
	if r.IntN(12) == 0 {
		dbtest.Exec(t, d, "DELETE FROM "+table+where, key)
		return "delete from " + table, session, restore
	}
	values := map[string][]any{
		"INTEGER": {-1, 0, 1, 2, 7, int64(1) << 40}, "REAL": {0.0, 0.5, 1.0, -1e300}, "BLOB": {[]byte{}, []byte{1, 2}},
		"TEXT": {"", "x", "{}", "[]", "supported", "2026-01-01T00:00:00.000000000Z", "null"},
	}[c.Kind]
	set, value := c.Name+" = ?", values[r.IntN(len(values))]
	switch {
	case c.Nullable && r.IntN(4) == 0:
		value = nil
	case c.Kind == "TEXT" && r.IntN(2) == 0:
		set, value = c.Name+" = "+c.Name+" || ?", []string{" ", "x", "ع", "\x00", "\u200f"}[r.IntN(5)]
	case c.Kind == "INTEGER" && r.IntN(2) == 0:
		set, value = c.Name+" = "+c.Name+" + ?", []int{1, -1, 256}[r.IntN(3)]
	}
	result, err := d.Exec("UPDATE "+table+" SET "+set+where+" AND "+c.Name+" IS DISTINCT FROM ("+
		strings.TrimPrefix(set, c.Name+" = ")+")", value, key, value)
	if err != nil { // a constraint of the table
		return "", "", nil
	}
	if n, _ := result.RowsAffected(); n == 0 {
		return "", "", nil
	}
	return fmt.Sprintf("update %s of %s to %v (%s)", c.Name, table, value, set), session, restore
}

// keyText is the SQL of a row's key as one text.
func keyText(key string) string {
	return "(" + strings.ReplaceAll(strings.Trim(key, "()"), ", ", " || ' ' || ") + " || '')"
}

// readLeaves sets how many leaves of a section are verified in one transaction until the test ends.
func readLeaves(t testing.TB, n int) {
	before := auditlog.LeavesAtOnce
	auditlog.LeavesAtOnce = n
	t.Cleanup(func() { auditlog.LeavesAtOnce = before })
}
