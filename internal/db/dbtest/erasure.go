package dbtest

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// SecretWords are the words of the erased document that nothing else has, as they are written and as the index has
// them.
var SecretWords = []string{"Zanzibarite", "quixotrope", "زنجبيليون", "القسطاسيات", "zanzibarit", "quixotrop",
	"SecretTitle",
	"secret-file", "secret.example"}

// SecretSession returns a session whose first document has the secret words, wherever a document's words may be stored.
func SecretSession() *ledger.Session {
	s := FullSession()
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
	return Identify(s)
}

// Traces lists the files below a folder that contain one of some words, with the word. A word of the search index may
// be spread over prefixes, so the index is asked for its words too.
func Traces(t testing.TB, dir string, words ...string) (found []string) {
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
	if OnPostgres() { // what the server keeps besides its rows is its operator's
		for _, row := range Rows(t, dir) {
			for _, w := range words {
				if low := strings.ToLower(row); strings.Contains(low, strings.ToLower(w)) || strings.Contains(low,
					hex.EncodeToString([]byte(w))) {
					found = append(found, row[:strings.Index(row, ":")]+": "+w)
				}
			}
		}
		return found
	}
	d := Raw(t, dir)
	for _, table := range []string{"session_search", "claim_search", "find_search", "decision_search", "pack_search"} {
		_, err := d.ExecContext(context.Background(),
			"CREATE VIRTUAL TABLE temp."+table+"_words USING fts5vocab (main, "+table+", row)")
		require.NoError(t, err)
		rows, err := d.QueryContext(context.Background(), "SELECT term FROM temp."+table+"_words")
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

// NoLake refuses to delete artifacts, for tests that have none.
func NoLake(context.Context, string, string) error { return errors.New("there is no lake") }

// StoreSecret stores a session with an original, a receipt, a review and an older run.
func (board *Board) StoreSecret(t *testing.T) *ledger.Session {
	t.Helper()
	s := SecretSession()
	original := db.Original{MediaType: "text/plain", Data: []byte("original: " + s.Documents[0].Chunks[0].Text)}
	receipt := &db.Receipt{Key: "k", Digest: "d", Status: 201, Body: []byte(`{"text":"Zanzibarite"}`)}
	_, created, err := board.InsertSession(board.Ctx, board.Drafter, Assess(s), []db.Original{original}, receipt)
	require.NoError(t, err)
	require.True(t, created)
	board.JudgeAgain(t, s.ID, "run-2")
	return s
}

// Erase asks for an erasure and confirms it.
func (board *Board) Erase(t *testing.T, kind erasure.Kind, id string) erasure.Request {
	t.Helper()
	e, err := board.AskErasure(board.Ctx, board.Admin, kind, id, "A request of the person.")
	require.NoError(t, err)
	require.Equal(t, erasure.Asked, e.State)
	e, err = board.ConfirmErasure(board.Ctx, board.Second, e.ID)
	require.NoError(t, err)
	require.Equal(t, erasure.Erasing, e.State)
	return e
}

// Finish runs the erasures that were confirmed.
func (board *Board) Finish(t *testing.T, id string) {
	t.Helper()
	require.NoError(t, board.FinishErasures(board.Ctx, NoLake))
	e, err := board.Erasure(board.Ctx, board.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, erasure.Done, e.State)
}
