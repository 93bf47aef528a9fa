package db_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/text"
)

// The words of the erased document that nothing else has, as they are written and as the index has them.
var secretWords = []string{"Zanzibarite", "quixotrope", "زنجبيليون", "القسطاسيات", "zanzibarit", "quixotrop",
	"SecretTitle",
	"secret-file", "secret.example"}

// secretSession returns a session whose first document has the secret words, wherever a document's words may be stored.
func secretSession() *ledger.Session {
	s := fullSession()
	d := &s.Documents[0]
	d.Title, d.Filename, d.URI = "SecretTitle", "secret-file.pdf", "https://secret.example/x"
	d.Chunks[0].Text = "The Zanzibarite quixotrope. زنجبيليون القسطاسيات " + strings.Repeat("Zanzibarite filler ", 300)
	d.Chunks[0].HeadingPath = []string{"Chapter Zanzibarite"}
	d.Chunks[0].Hash, d.Chunks[0].Root = ledger.ChunkDigest(d.Chunks[0].Text), ledger.TextDigest(d.Chunks[0].Text)
	m := &s.Claims[0].Matches[0]
	m.Snippet, m.Note = "Zanzibarite quixotrope", "says زنجبيليون"
	m.Conflicts = []ledger.Conflict{{Kind: "entity", Claim: "x", Evidence: "quixotrope"}}
	s.Extra = map[string]json.RawMessage{"documents[0].raw": json.RawMessage(`"Zanzibarite raw"`)}
	s.Claims[0].Citations = append(s.Claims[0].Citations,
		ledger.Citation{Hash: d.Chunks[0].Hash[:8], Status: ledger.Resolved,
			Span: text.Span{Start: 1, End: 2},
			Places: []ledger.Place{{DocumentID: d.Key, Filename: "secret-file.pdf", ChunkID: "c0",
				Digest: d.Chunks[0].Hash}}})
	return identify(s)
}

// traces lists the files below a folder that contain one of some words, with the word. A word of the search index may
// be spread over prefixes, so the index is asked for its words too.
func traces(t testing.TB, dir string, words ...string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		for _, w := range words {
			if bytes.Contains(data, []byte(w)) || bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(w))) {
				found = append(found, filepath.Base(path)+": "+w)
			}
		}
		return err
	}))
	if dbtest.OnPostgres() { // what the server keeps besides its rows is its operator's
		for _, row := range dbtest.Rows(t, dir) {
			for _, w := range words {
				if low := strings.ToLower(row); strings.Contains(low, strings.ToLower(w)) || strings.Contains(low,
					hex.EncodeToString([]byte(w))) {
					found = append(found, row[:strings.Index(row, ":")]+": "+w)
				}
			}
		}
		return found
	}
	d := dbtest.Raw(t, dir)
	for _, table := range []string{"session_search", "claim_search", "find_search", "decision_search", "pack_search"} {
		_, err := d.Exec("CREATE VIRTUAL TABLE temp." + table + "_words USING fts5vocab (main, " + table + ", row)")
		require.NoError(t, err)
		rows, err := d.Query("SELECT term FROM temp." + table + "_words")
		require.NoError(t, err)
		for rows.Next() {
			term := ""
			require.NoError(t, rows.Scan(&term))
			for _, w := range words {
				if strings.Contains(strings.ToLower(term), strings.ToLower(w)) {
					found = append(found, table+": "+term)
				}
			}
		}
		require.NoError(t, errors.Join(rows.Err(), rows.Close()))
	}
	require.NoError(t, d.Close())
	return found
}

// noLake refuses to delete artifacts, for tests that have none.
func noLake(context.Context, string, string) error { return errors.New("there is no lake") }

// storeSecret stores a session with an original, a receipt, a review and an older run.
func (b *board) storeSecret(t *testing.T) *ledger.Session {
	t.Helper()
	s := secretSession()
	original := db.Original{MediaType: "text/plain", Data: []byte("original: " + s.Documents[0].Chunks[0].Text)}
	receipt := &db.Receipt{Key: "k", Digest: "d", Status: 201, Body: []byte(`{"text":"Zanzibarite"}`)}
	_, created, err := b.InsertSession(b.ctx, b.drafter, assess(s), []db.Original{original}, receipt)
	require.NoError(t, err)
	require.True(t, created)
	b.judgeAgain(t, s.ID, "run-2")
	return s
}

// erase asks for an erasure and confirms it.
func (b *board) erase(t *testing.T, kind erasure.Kind, id string) erasure.Request {
	t.Helper()
	e, err := b.AskErasure(b.ctx, b.admin, kind, id, "A request of the person.")
	require.NoError(t, err)
	require.Equal(t, erasure.Asked, e.State)
	e, err = b.ConfirmErasure(b.ctx, b.second, e.ID)
	require.NoError(t, err)
	require.Equal(t, erasure.Erasing, e.State)
	return e
}

func (b *board) finish(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, b.FinishErasures(b.ctx, noLake))
	e, err := b.Erasure(b.ctx, b.tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, erasure.Done, e.State)
}

// contentsHold checks that the log verifies, and that the rows of every session are those that it records.
func (b *board) contentsHold(t *testing.T) {
	t.Helper()
	b.logHolds(t)
	_, err := b.VerifyContents(b.ctx, b.tenant.ID, func(f audit.ContentFault) { t.Errorf("%+v", f) })
	require.NoError(t, err)
}

func TestEraseDocumentLeavesNoByte(t *testing.T) {
	b := newBoard(t)
	kept := b.insert(t, identify(fullSession()))
	s := b.storeSecret(t)
	require.Greater(t, len(traces(t, b.dir, secretWords...)), len(secretWords), "the words are there before")
	e := b.erase(t, erasure.Document, s.Documents[0].ID)
	require.Equal(t, 1, e.Files)
	b.finish(t, e.ID)
	require.Empty(t, traces(t, b.dir, secretWords...))

	got, err := b.Session(b.ctx, b.tenant.ID, s.ID)
	require.NoError(t, err)
	d := got.Documents[0]
	require.Equal(t, []any{ledger.Erased, "", "", s.Documents[0].Root, false},
		[]any{d.Status, d.Title, d.Chunks[0].Text, d.Root, d.Citable()})
	require.Equal(t, s.Documents[0].Chunks[0].Hash, d.Chunks[0].Hash, "hashes stay")
	require.Equal(t, s.Documents[1].Chunks[0].Text, got.Documents[1].Chunks[0].Text, "other documents stay")
	claims, _, _, err := b.RunClaims(b.ctx, b.tenant.ID, s.ID, 1, -1, 99)
	require.NoError(t, err)
	require.Equal(t, []any{"", ledger.Full}, []any{claims[0].Matches[0].Snippet, claims[0].Matches[0].Support},
		"the history of verdicts stays")
	receipt, err := b.Receipt(b.ctx, b.tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, 410, receipt.Status)
	_, err = b.AskErasure(b.ctx, b.admin, erasure.Document, d.ID, "again")
	require.ErrorContains(t, err, "erased already")
	b.contentsHold(t)
	_, err = b.Session(b.ctx, b.tenant.ID, kept.Session.ID)
	require.NoError(t, err)
	require.NotEmpty(t, b.find(t, b.admin, ledger.FindQuery{Text: "employees"}, 9), "the rest is still found")
}

func TestEraseSessionLeavesNoByte(t *testing.T) {
	b := newBoard(t)
	before, err := b.Home(b.ctx, b.tenant.ID)
	require.NoError(t, err)
	s := b.storeSecret(t)
	e := b.erase(t, erasure.Session, s.ID)
	b.finish(t, e.ID)
	require.Empty(t, traces(t, b.dir, append(secretWords, "سياسة", "الموظف", "ملاحظة")...))
	_, err = b.Session(b.ctx, b.tenant.ID, s.ID)
	isNotFound(t, err)
	_, err = b.VerifySession(b.ctx, b.tenant.ID, s.ID)
	isNotFound(t, err)
	after, err := b.Home(b.ctx, b.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, before, after, "figures are as if it had never been")
	gone, err := b.ErasedAt(b.ctx, b.tenant.ID, erasure.Session, s.ID)
	require.NoError(t, err)
	require.Equal(t, e.ID, gone.ID)
	d := dbtest.Raw(t, b.dir)
	for _, table := range []string{"sessions", "claims", "chunks", "documents", "reviews", "ledger_runs", "find_runs"} {
		require.Zero(t, count(t, d, table), table)
	}
	actions := b.actions(t, b.tenant.ID)
	require.Equal(t, []string{"erasure.asked", "session.erased", "erasure.finished"}, actions[len(actions)-3:])
	b.contentsHold(t)
}

func TestPurgedAndErasedPacksLeaveNoByte(t *testing.T) {
	b := newBoard(t)
	for name, gone := range map[string]func(t *testing.T, id string){
		"erased": func(t *testing.T, id string) { b.finish(t, b.erase(t, erasure.Pack, id).ID) },
		"purged": func(t *testing.T, id string) {
			b.purge(t, id)
			require.NoError(t, b.FinishErasures(b.ctx, noLake))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := b.signed(t, "dec_"+name)
			gone(t, v.Life.PackID)
			require.Empty(t, traces(t, b.dir, "company size 120", "المنشأة مرخّصة", "Riyadh Hospital", "icp_matcher",
				"Comment-of-approver", "hospital"))
			_, err := b.Tombstone(b.ctx, b.tenant.ID, v.Life.PackID)
			require.NoError(t, err)
			b.logHolds(t)
		})
	}
}

func TestErasureNeedsTwoPeopleAndAClearWay(t *testing.T) {
	b := newBoard(t)
	s := b.storeSecret(t)
	ask := func(who access.Actor) error {
		_, err := b.AskErasure(b.ctx, who, erasure.Session, s.ID, "reason")
		return err
	}
	for _, who := range []access.Actor{b.approver, b.drafter, b.machine} {
		is(t, domain.Denied, ask(who))
	}
	_, err := b.AskErasure(b.ctx, b.admin, erasure.Session, s.ID, " ")
	is(t, domain.Invalid, err)
	_, err = b.AskErasure(b.ctx, b.admin, "thing", s.ID, "r")
	is(t, domain.Invalid, err)
	_, err = b.AskErasure(b.ctx, b.admin, erasure.Session, "none", "r")
	isNotFound(t, err)

	_, err = b.PutOnHold(b.ctx, b.admin, erasure.Document, s.Documents[1].ID, "suit")
	require.NoError(t, err)
	require.ErrorContains(t, ask(b.admin), "The legal hold on document "+s.Documents[1].ID)
	_, err = b.PutOnHold(b.ctx, b.admin, erasure.Document, s.Documents[1].ID, "suit")
	is(t, domain.Conflict, err)
	_, err = b.LiftHold(b.ctx, b.approver, erasure.Document, s.Documents[1].ID, "over")
	is(t, domain.Denied, err)
	_, err = b.LiftHold(b.ctx, b.admin, erasure.Document, s.Documents[1].ID, "over")
	require.NoError(t, err)

	e, err := b.AskErasure(b.ctx, b.admin, erasure.Session, s.ID, "reason")
	require.NoError(t, err)
	again, err := b.AskErasure(b.ctx, b.admin, erasure.Session, s.ID, "another")
	require.NoError(t, err)
	require.Equal(t, e.ID, again.ID)
	for _, who := range []access.Actor{b.admin, b.drafter, b.machine} {
		_, err = b.ConfirmErasure(b.ctx, who, e.ID)
		is(t, domain.Denied, err)
	}
	d := dbtest.Raw(t, b.dir)
	for _, statement := range []string{"UPDATE erasures SET state = 'erasing', confirmed_by = asked_by",
		"DELETE FROM erasures",
		"UPDATE erasures SET state = 'done'", "DELETE FROM reviews", "DELETE FROM ledger_runs"} {
		_, err := d.Exec(statement)
		require.Error(t, err, statement)
	}
	_, err = b.PutOnHold(b.ctx, b.admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	_, err = b.ConfirmErasure(b.ctx, b.second, e.ID)
	require.ErrorContains(t, err, "The legal hold on session "+s.ID)
	_, err = b.LiftHold(b.ctx, b.admin, erasure.Session, s.ID, "over")
	require.NoError(t, err)
	refused, err := b.RefuseErasure(b.ctx, b.second, e.ID)
	require.NoError(t, err)
	require.Equal(t, erasure.Refused, refused.State)
	_, err = b.ConfirmErasure(b.ctx, b.second, e.ID)
	is(t, domain.Conflict, err)
	_, err = b.Session(b.ctx, b.tenant.ID, s.ID)
	require.NoError(t, err, "nothing was deleted")
}

func TestWhatAPackRefersToIsKept(t *testing.T) {
	b := newBoard(t)
	s := b.storeSecret(t)
	d := decisionOf("dec_1", "A2", 4)
	d.LedgerSessionID = s.ID
	b.decide(t, d)
	v, err := b.CreatePack(b.ctx, b.drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	for kind, id := range map[erasure.Kind]string{erasure.Session: s.ID, erasure.Document: s.Documents[0].ID} {
		_, err = b.AskErasure(b.ctx, b.admin, kind, id, "reason")
		var refused *erasure.ObstacleError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, []erasure.Obstacle{{Code: erasure.InPack, Object: v.Life.PackID}}, refused.Obstacles)
	}
	b.finish(t, b.erase(t, erasure.Pack, v.Life.PackID).ID)
	b.finish(t, b.erase(t, erasure.Session, s.ID).ID)
	require.Empty(t, traces(t, b.dir, secretWords...))
}

// TestErasureIsFinishedAtTheNextStart: a process that is killed after the confirmation leaves files and traces, which
// the next one deletes.
func TestErasureIsFinishedAtTheNextStart(t *testing.T) {
	b := newBoard(t)
	s := b.storeSecret(t)
	e := b.erase(t, erasure.Document, s.Documents[0].ID)
	b.reopen(t, func() {})
	require.NotEmpty(t, traces(t, b.dir, secretWords...), "the original is still there")
	b.finish(t, e.ID)
	require.Empty(t, traces(t, b.dir, secretWords...))
	b.finish(t, e.ID)
	actions := b.actions(t, b.tenant.ID)
	require.Equal(t, 1, strings.Count(strings.Join(actions, " "), "erasure.finished"), "finished once")
}

func TestRetention(t *testing.T) {
	b := newBoard(t)
	s := b.storeSecret(t)
	is(t, domain.Denied, b.SetPeriods(b.ctx, b.approver, []erasure.Period{{Kind: erasure.Session, Days: 30}}))
	is(t, domain.Invalid, b.SetPeriods(b.ctx, b.admin, []erasure.Period{{Kind: erasure.Pack, Days: 30}}))
	is(t, domain.Invalid, b.SetPeriods(b.ctx, b.admin, []erasure.Period{{Kind: erasure.Session, Days: -1}}))
	b.pass(100 * 24 * 3600e9)
	n, err := b.EraseDue(b.ctx)
	require.NoError(t, err)
	require.Zero(t, n, "off by default")
	tried, err := b.DueForErasure(b.ctx, b.tenant.ID, []erasure.Period{{Kind: erasure.Session, Days: 30}}, 9)
	require.NoError(t, err)
	require.Len(t, tried, 1)
	n, err = b.EraseDue(b.ctx)
	require.NoError(t, err)
	require.Zero(t, n, "a dry run sets no period")
	require.NoError(t, b.SetPeriods(b.ctx, b.admin, []erasure.Period{{Kind: erasure.Session, Days: 30}}))
	all, err := b.Periods(b.ctx, b.tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []erasure.Period{{Kind: erasure.Session, Days: 30}, {Kind: erasure.Document},
		{Kind: erasure.Bundle},
		{Kind: erasure.Artifact}, {Kind: erasure.Upload}}, all)
	_, err = b.PutOnHold(b.ctx, b.admin, erasure.Session, s.ID, "suit")
	require.NoError(t, err)
	due, err := b.DueForErasure(b.ctx, b.tenant.ID, nil, 9)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, erasure.OnHold, due[0].Obstacles[0].Code)
	n, err = b.EraseDue(b.ctx)
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = b.LiftHold(b.ctx, b.admin, erasure.Session, s.ID, "over")
	require.NoError(t, err)
	n, err = b.EraseDue(b.ctx)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, b.FinishErasures(b.ctx, noLake))
	require.Empty(t, traces(t, b.dir, secretWords...))
	b.logHolds(t)
}

func TestEraseBundleAndArtifact(t *testing.T) {
	b := newBoard(t)
	var dropped []string
	drop := func(_ context.Context, tenant, path string) error {
		require.Equal(t, b.tenant.ID, tenant)
		dropped = append(dropped, path)
		return nil
	}
	artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
	_, err := b.AddArtifact(b.ctx, b.drafter, artifact)
	require.NoError(t, err)
	e := b.erase(t, erasure.Artifact, artifact.Path)
	require.NoError(t, b.FinishErasures(b.ctx, drop))
	require.Equal(t, []string{artifact.Path}, dropped)
	require.Empty(t, traces(t, b.dir, secretWords...), "nor the path")
	gone, err := b.ErasedAt(b.ctx, b.tenant.ID, erasure.Artifact, artifact.Path)
	require.NoError(t, err)
	require.Equal(t, e.ID, gone.ID)
	_, err = b.AddArtifact(b.ctx, b.drafter, artifact)
	require.NoError(t, err, "the path is free again")

	in := built(t, "docs/none.md", "Zanzibarite quixotrope", strings.Repeat("القسطاسيات ", 20))
	b.insertBundle(t, in)
	b.erase(t, erasure.Bundle, in.Bundle.BundleID)
	dropped = nil
	require.NoError(t, b.FinishErasures(b.ctx, drop))
	require.Contains(t, dropped, in.Artifact.Path)
	d := dbtest.Raw(t, b.dir)
	for _, table := range []string{"evidence_bundles", "evidence_builds", "evidence_items"} {
		require.Zero(t, count(t, d, table), table)
	}
	_, err = b.Bundle(b.ctx, b.tenant.ID, in.Bundle.BundleID, 0, 9)
	isNotFound(t, err)
	b.logHolds(t)
}

// What the erasure of a session deletes in other rooms is recorded by its own event, not by that of a session that
// cited it.
func TestErasedDueDateIsRecordedBySessionErased(t *testing.T) {
	b := newBoard(t)
	gone := b.insert(t, identify(fullSession()))
	b.dueOn(t, b.admin, notify.Session, gone.Session.ID, "2026-05-01")
	citing := identify(secretSession())
	citing.Claims[0].Citations = []ledger.Citation{{Hash: strings.Repeat("a", 64), Status: ledger.Resolved,
		Places: []ledger.Place{{SessionID: gone.Session.ID, DocumentID: gone.Session.Documents[0].ID,
			Filename: "a.txt"}}}}
	b.insert(t, citing)
	b.erase(t, erasure.Session, gone.Session.ID)
	events, err := b.Events(b.ctx, b.tenant.ID, 0, 1000)
	require.NoError(t, err)
	recorded := map[string]bool{} // by action: whether it records the due date
	for _, e := range events {
		event, err := audit.ParseEvent(e.Bytes)
		require.NoError(t, err)
		records, err := audit.RecordsOf(event.Details)
		require.NoError(t, err)
		recorded[e.Action] = recorded[e.Action] || slices.ContainsFunc(records, func(r audit.Record) bool {
			return r.Table == "due_dates" && len(r.Columns) == 0
		})
	}
	require.Contains(t, recorded, "session.source_erased", "the other session cited it")
	require.False(t, recorded["session.source_erased"])
	require.True(t, recorded["session.erased"])
}
