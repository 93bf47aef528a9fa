package receipts_test

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

// replayed checks that err contains the earlier answer, and is a conflict as a domain error.
func replayed(t *testing.T, want *db.Receipt, err error) {
	t.Helper()
	var replay *db.ReplayError
	require.ErrorAs(t, err, &replay)
	require.Equal(t, want, replay.Receipt)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
}

func TestSaveReceipt(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	_, other := h.NewTenant(t, "other")
	want := dbtest.ReceiptOf("k")
	require.NoError(t, h.SaveReceipt(ctx, h.Tenant.ID, want))
	got, err := h.Receipt(ctx, h.Tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, want, got)
	changed := dbtest.ReceiptOf("k")
	changed.Status = 201
	replayed(t, want, h.SaveReceipt(ctx, h.Tenant.ID, changed))
	require.NoError(t, h.SaveReceipt(ctx, other.Tenant, changed), "another tenant's key is another key")
	require.Equal(t, domain.NotFound, domain.KindOf(h.SaveReceipt(ctx, "nope", want)))
}

// TestStoredAnswersAreSealed checks that the link in a stored answer is not readable in the database, and that an
// answer can't be passed off as that of another key.
func TestStoredAnswersAreSealed(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	r := dbtest.ReceiptOf("k")
	r.Body = []byte(`{"download_url":"/downloads/some-token"}`)
	require.NoError(t, h.SaveReceipt(ctx, h.Tenant.ID, r))
	d := dbtest.Raw(t, h.Dir)
	var body []byte
	require.NoError(t, d.QueryRow("SELECT body FROM receipts").Scan(&body))
	require.NotEmpty(t, body)
	require.NotContains(t, string(body), "some-token")
	got, err := h.Receipt(ctx, h.Tenant.ID, "k")
	require.NoError(t, err)
	require.Equal(t, r, got)
	_, err = d.Exec("UPDATE receipts SET key = 'other'")
	require.NoError(t, err)
	_, err = h.Receipt(ctx, h.Tenant.ID, "other")
	require.Error(t, err)
}

// TestAnsweredRequestsAreNotDoneAgain repeats each kind of write that takes a key.
func TestAnsweredRequestsAreNotDoneAgain(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	want := dbtest.ReceiptOf("k")
	ev := db.ClaimReviewed(s.ID, 1, ledger.Comment)
	ev.ReceiptKey = "k"
	calls := 0
	review := func() error {
		_, err := h.UpdateSession(ctx, h.Actor, s.ID, ev, func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			calls++
			_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"}, uuid.NewString(), "n",
				"admin", dbtest.Now)
			return dbtest.Assess(s), want, err
		})
		return err
	}
	require.NoError(t, review())
	replayed(t, want, review())
	require.Equal(t, 1, calls)
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	require.Equal(t, 2, got.Revision)

	second := dbtest.FullSession()
	_, created, err := h.InsertSession(ctx, h.Actor, dbtest.Assess(second),
		[]db.Original{{Document: 0, Data: []byte("x")}},
		dbtest.ReceiptOf("k"))
	replayed(t, want, err)
	require.False(t, created)
	require.Empty(t, dbtest.OriginalFiles(t, h.Dir))
	// the content exists, but the key was answered
	_, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(got), nil, dbtest.ReceiptOf("k"))
	replayed(t, want, err)

	link := func(token string) db.Export {
		return db.Export{TokenHash: db.HashToken(token), SessionID: s.ID, Format: "pdf", CreatedAt: dbtest.Now,
			ExpiresAt: dbtest.Now.Add(time.Minute)}
	}
	replayed(t, want, h.CreateExportOnce(ctx, h.Actor, link("a"), dbtest.ReceiptOf("k")))
	_, err = h.Export(ctx, h.Tenant.ID, db.HashToken("a"), dbtest.Now)
	require.Equal(t, domain.NotFound, domain.KindOf(err))
	require.NoError(t, h.CreateExportOnce(ctx, h.Actor, link("a"), dbtest.ReceiptOf("e")))
	_, err = h.Export(ctx, h.Tenant.ID, db.HashToken("a"), dbtest.Now)
	require.NoError(t, err)
	replayed(t, dbtest.ReceiptOf("e"), h.CreateExportOnce(ctx, h.Actor, link("b"), dbtest.ReceiptOf("e")))
	require.Error(t, h.CreateExportOnce(ctx, h.Actor, link("a"), dbtest.ReceiptOf("f")), "the token is taken")
	none, err := h.Receipt(ctx, h.Tenant.ID, "f")
	require.NoError(t, err)
	require.Nil(t, none, "a refused export leaves no receipt")
	events, err := h.Events(ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	require.Len(t, events, 3, "imported, reviewed, exported")
}

// TestOldReceiptsArePruned checks that each write that adds one deletes at most a hundred old ones, of its tenant only.
func TestOldReceiptsArePruned(t *testing.T) {
	clock := dbtest.Now
	dir := dbtest.Dir(t)
	store, err := db.Open(context.Background(),
		db.Options{Dir: dir, Database: dbtest.Database(dir), Now: func() time.Time { return clock },
			NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	h := &dbtest.Fixture{Store: store, Dir: dir}
	h.Tenant, h.Actor = h.NewTenant(t, "main")
	_, other := h.NewTenant(t, "other")
	ctx := context.Background()
	for i := range 150 {
		require.NoError(t, h.SaveReceipt(ctx, h.Tenant.ID, dbtest.ReceiptOf(fmt.Sprint("k", i))))
	}
	require.NoError(t, h.SaveReceipt(ctx, other.Tenant, dbtest.ReceiptOf("k")))
	d := dbtest.Raw(t, dir)
	require.Equal(t, 151, dbtest.Count(t, d, "receipts"))

	clock = dbtest.Now.Add(7*24*time.Hour + time.Second)
	require.NoError(t, h.SaveReceipt(ctx, h.Tenant.ID, dbtest.ReceiptOf("new")))
	require.Equal(t, 52, dbtest.Count(t, d, "receipts"))
	require.NoError(t, h.SaveReceipt(ctx, h.Tenant.ID, dbtest.ReceiptOf("newer")))
	require.Equal(t, 3, dbtest.Count(t, d, "receipts"), "the other tenant's stays")
}

// TestReviewEventsPinTheReview checks that a changed review is detected with the log.
func TestReviewEventsPinTheReview(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.FullSession()
	h.AddSession(t, s)
	_, err := h.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted,
		Reason: "لأن"})
	require.NoError(t, err)
	_, err = h.ReviewClaim(s.ID, 2, ledger.ReviewInput{Action: ledger.Edit, Type: ledger.Numeric,
		Importance: ledger.Critical})
	require.NoError(t, err)
	_, err = h.UpdateSession(ctx, h.Actor, s.ID, db.ClaimReviewed(s.ID, 1, ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for _, position := range []int{2, 1} {
				if _, err := s.AddReview(position, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"},
					fmt.Sprint("id", position), "n", "admin", dbtest.Now); err != nil {
					return nil, nil, err
				}
			}
			return dbtest.Assess(s), nil, nil
		})
	require.NoError(t, err)
	got, err := h.Session(ctx, h.Tenant.ID, s.ID)
	require.NoError(t, err)
	hash := func(text string) string { return dbtest.Committed(t, h.Dir, "session", s.ID, text) }
	events, err := h.Events(ctx, h.Tenant.ID, 1, 100)
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
	h := dbtest.New(t)
	ctx := context.Background()
	s := dbtest.SizedSession(0)
	d := &s.Documents[0]
	d.Chunks = d.Chunks[:0]
	var hashes []string
	for i := range 6000 {
		c := fmt.Sprintf("chunk %d", i)
		d.Chunks = append(d.Chunks,
			ledger.Chunk{ID: fmt.Sprint(s.ID, i), Position: i, Text: c, Hash: ledger.ChunkDigest(c)})
		hashes = append(hashes, ledger.ChunkDigest(c))
	}
	h.AddSession(t, s)
	before := h.QueryCount()
	start := time.Now()
	found, err := h.CitedChunks(ctx, h.Tenant.ID, append(append([]string{"no hash"}, hashes[:3]...), hashes...))
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
	found, err = h.CitedChunks(ctx, h.Tenant.ID, none)
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
				Now: func() time.Time { return dbtest.Now }, NewID: uuid.NewString, Keys: dbtest.MasterKey(t, 1)})
		require.NoError(t, err)
		h := &dbtest.Fixture{Store: store}
		h.Tenant, h.Actor = h.NewTenant(t, "main")
		s := dbtest.FullSession()
		_, _, err = h.InsertSession(ctx, h.Actor, dbtest.Assess(s),
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
