package db_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

func receiptOf(key string) *db.Receipt {
	return &db.Receipt{Key: key, Digest: "digest of " + key, Status: 200,
		Headers: map[string]string{"ETag": `"3"`, "Location": "/a?b"}, Body: []byte(`{"a":1}`)}
}

// replayed checks that err contains the earlier answer, and is a conflict as a domain error.
func replayed(t *testing.T, want *db.Receipt, err error) {
	t.Helper()
	var replay *db.ReplayError
	require.ErrorAs(t, err, &replay)
	require.Equal(t, want, replay.Receipt)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
}

func TestSaveReceipt(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	_, other := h.newTenant(t, "other")
	want := receiptOf("k")
	require.NoError(t, h.SaveReceipt(ctx, h.tenant.ID, want))
	got, err := h.Receipt(ctx, h.tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, want, got)
	changed := receiptOf("k")
	changed.Status = 201
	replayed(t, want, h.SaveReceipt(ctx, h.tenant.ID, changed))
	require.NoError(t, h.SaveReceipt(ctx, other.Tenant, changed), "another tenant's key is another key")
	require.Equal(t, domain.NotFound, domain.KindOf(h.SaveReceipt(ctx, "nope", want)))
}

// TestStoredAnswersAreSealed checks that the link in a stored answer is not readable in the database, and that an
// answer can't be passed off as that of another key.
func TestStoredAnswersAreSealed(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	r := receiptOf("k")
	r.Body = []byte(`{"download_url":"/downloads/some-token"}`)
	require.NoError(t, h.SaveReceipt(ctx, h.tenant.ID, r))
	d := raw(t, h.dir)
	var body []byte
	require.NoError(t, d.QueryRow("SELECT body FROM receipts").Scan(&body))
	require.NotEmpty(t, body)
	require.NotContains(t, string(body), "some-token")
	got, err := h.Receipt(ctx, h.tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, r, got)
	_, err = d.Exec("UPDATE receipts SET key = 'other'")
	require.NoError(t, err)
	_, err = h.Receipt(ctx, h.tenant.ID, "other")
	require.Error(t, err)
}

// TestAnsweredRequestsAreNotDoneAgain repeats each kind of write that takes a key.
func TestAnsweredRequestsAreNotDoneAgain(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := fullSession()
	h.insert(t, s)
	want := receiptOf("k")
	ev := db.ClaimReviewed(s.ID, 1, ledger.Comment)
	ev.ReceiptKey = "k"
	calls := 0
	review := func() error {
		_, err := h.UpdateSession(ctx, h.actor, s.ID, ev, func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			calls++
			_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"}, uuid.NewString(), "n",
				"admin", now)
			return assess(s), want, err
		})
		return err
	}
	require.NoError(t, review())
	replayed(t, want, review())
	require.Equal(t, 1, calls)
	got, err := h.Session(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, 2, got.Revision)

	second := fullSession()
	_, created, err := h.InsertSession(ctx, h.actor, assess(second), []db.Original{{Document: 0, Data: []byte("x")}},
		receiptOf("k"))
	replayed(t, want, err)
	require.False(t, created)
	require.Empty(t, files(t, h.dir))
	// the content exists, but the key was answered
	_, _, err = h.InsertSession(ctx, h.actor, assess(got), nil, receiptOf("k"))
	replayed(t, want, err)

	link := func(token string) db.Export {
		return db.Export{TokenHash: db.HashToken(token), SessionID: s.ID, Format: "pdf", CreatedAt: now,
			ExpiresAt: now.Add(time.Minute)}
	}
	replayed(t, want, h.CreateExportOnce(ctx, h.actor, link("a"), receiptOf("k")))
	_, err = h.Export(ctx, h.tenant.ID, db.HashToken("a"), now)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	require.NoError(t, h.CreateExportOnce(ctx, h.actor, link("a"), receiptOf("e")))
	_, err = h.Export(ctx, h.tenant.ID, db.HashToken("a"), now)
	require.NoError(t, err)
	replayed(t, receiptOf("e"), h.CreateExportOnce(ctx, h.actor, link("b"), receiptOf("e")))
	require.Error(t, h.CreateExportOnce(ctx, h.actor, link("a"), receiptOf("f")), "the token is taken")
	none, err := h.Receipt(ctx, h.tenant.ID, "f")
	require.NoError(t, err)
	require.Nil(t, none, "a refused export leaves no receipt")
	events, err := h.Events(ctx, h.tenant.ID, 0, 100)
	require.NoError(t, err)
	require.Len(t, events, 3, "imported, reviewed, exported")
}

// TestOldReceiptsArePruned checks that each write that adds one deletes at most a hundred old ones, of its tenant only.
func TestOldReceiptsArePruned(t *testing.T) {
	clock := now
	dir := dbtest.Dir(t)
	store, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: func() time.Time { return clock }, NewID: uuid.NewString, Keys: masterKey(t, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	h := &fixture{Store: store, dir: dir}
	h.tenant, h.actor = h.newTenant(t, "main")
	_, other := h.newTenant(t, "other")
	ctx := context.Background()
	for i := range 150 {
		require.NoError(t, h.SaveReceipt(ctx, h.tenant.ID, receiptOf(fmt.Sprint("k", i))))
	}
	require.NoError(t, h.SaveReceipt(ctx, other.Tenant, receiptOf("k")))
	d := raw(t, dir)
	require.Equal(t, 151, count(t, d, "receipts"))

	clock = now.Add(7*24*time.Hour + time.Second)
	require.NoError(t, h.SaveReceipt(ctx, h.tenant.ID, receiptOf("new")))
	require.Equal(t, 52, count(t, d, "receipts"))
	require.NoError(t, h.SaveReceipt(ctx, h.tenant.ID, receiptOf("newer")))
	require.Equal(t, 3, count(t, d, "receipts"), "the other tenant's stays")
}

// TestReviewEventsPinTheReview checks that a changed review is detected with the log.
func TestReviewEventsPinTheReview(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := fullSession()
	h.insert(t, s)
	_, err := h.review(s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
		Reason: "لأن"})
	require.NoError(t, err)
	_, err = h.review(s.ID, 2, ledger.ReviewInput{Action: ledger.Edit, Type: ledger.Numeric,
		Importance: ledger.Critical})
	require.NoError(t, err)
	_, err = h.UpdateSession(ctx, h.actor, s.ID, db.ClaimReviewed(s.ID, 1, ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for _, position := range []int{2, 1} {
				if _, err := s.AddReview(position, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"},
					fmt.Sprint("id", position), "n", "admin", now); err != nil {
					return nil, nil, err
				}
			}
			return assess(s), nil, nil
		})
	require.NoError(t, err)
	got, err := h.Session(ctx, h.tenant.ID, s.ID)
	require.NoError(t, err)
	hash := func(text string) string { return committed(t, h.dir, "session", s.ID, text) }
	events, err := h.Events(ctx, h.tenant.ID, 1, 100)
	require.NoError(t, err)
	var details []map[string]any
	for _, e := range events {
		var v struct{ Details map[string]any }
		require.NoError(t, json.Unmarshal(e.Bytes, &v))
		require.Equal(t, []string{"claim.reviewed", "session", s.ID}, []string{e.Action, e.Kind, e.ObjectID})
		require.NotContains(t, string(e.Bytes), "لأن")
		require.Contains(t, v.Details, "content")
		delete(v.Details, "content") // states_test.go
		details = append(details, v.Details)
	}
	require.Equal(t, []map[string]any{
		{"claim": 2.0, "id": got.Claims[1].Reviews[0].ID, "action": "override", "verdict": "contradicted", "type": "",
			"importance": "", "revision": 2.0, "reason_commitment": hash("لأن")},
		{"claim": 3.0, "id": got.Claims[2].Reviews[0].ID, "action": "edit", "verdict": "", "type": "numeric",
			"importance": "critical", "revision": 3.0, "reason_commitment": ""},
		{"claim": 2.0, "id": "id1", "action": "comment", "verdict": "", "type": "", "importance": "",
			"revision": float64(got.Revision), "reason_commitment": hash("x")},
		{"claim": 3.0, "id": "id2", "action": "comment", "verdict": "", "type": "", "importance": "",
			"revision": float64(got.Revision), "reason_commitment": hash("x")},
	}, details)
}

// TestManyCitedHashes checks that many hashes need few queries, and that those over the limit stay unresolved.
func TestManyCitedHashes(t *testing.T) {
	h := newFixture(t)
	ctx := context.Background()
	s := sizedSession(0)
	d := &s.Documents[0]
	d.Chunks = d.Chunks[:0]
	var hashes []string
	for i := range 6000 {
		c := fmt.Sprintf("chunk %d", i)
		d.Chunks = append(d.Chunks,
			ledger.Chunk{ID: fmt.Sprint(s.ID, i), Position: i, Text: c, Hash: ledger.ChunkDigest(c)})
		hashes = append(hashes, ledger.ChunkDigest(c))
	}
	h.insert(t, s)
	before := h.QueryCount()
	start := time.Now()
	found, err := h.CitedChunks(ctx, h.tenant.ID, append(append([]string{"no hash"}, hashes[:3]...), hashes...))
	require.NoError(t, err)
	t.Log(time.Since(start))
	require.LessOrEqual(t, h.QueryCount()-before, int64(100))
	require.Len(t, found, 5000)
	for i, hash := range hashes[:5000] {
		require.Len(t, found[hash], 1)
		require.Equal(t, i, found[hash][0].Position)
	}
	var none []string
	for i := range 5000 {
		none = append(none, fmt.Sprintf("%064x", i))
	}
	found, err = h.CitedChunks(ctx, h.tenant.ID, none)
	require.NoError(t, err)
	require.Empty(t, found)
}

// TestFileBucketByURL checks that originals are stored in a given folder, without files beside them.
func TestFileBucketByURL(t *testing.T) {
	ctx := context.Background()
	for _, query := range []string{"", "?metadata=skip", "?no_tmp_dir=true", "?prefix=a/"} {
		folder := t.TempDir()
		store, err := db.Open(ctx,
			db.Options{Dir: dbtest.Dir(t), Bucket: "file://" + filepath.ToSlash(folder) + query,
				Now: func() time.Time { return now }, NewID: uuid.NewString, Keys: masterKey(t, 1)})
		require.NoError(t, err)
		h := &fixture{Store: store}
		h.tenant, h.actor = h.newTenant(t, "main")
		s := fullSession()
		_, _, err = h.InsertSession(ctx, h.actor, assess(s),
			[]db.Original{{Document: 0, MediaType: "text/plain", Data: []byte("x")}}, nil)
		require.NoError(t, err, query)
		name := filepath.Join(folder, filepath.FromSlash(s.Documents[0].Blob))
		if strings.Contains(query, "prefix") {
			name = filepath.Join(folder, "a", filepath.FromSlash(s.Documents[0].Blob))
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, "x", string(data))
		require.NoError(t, store.Close())
	}
}
