package auditlog_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
)

// saidOf returns the details of the newest event of an action.
func saidOf(t testing.TB, p *dbtest.People, action string) map[string]any {
	t.Helper()
	events, err := p.Events(p.Ctx, p.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	for _, e := range slices.Backward(events) {
		if e.Action == action {
			var v struct{ Details map[string]any }
			require.NoError(t, json.Unmarshal(e.Bytes, &v))
			return v.Details
		}
	}
	require.Fail(t, "no event "+action)
	return nil
}

// TestTextsAreCommittedTo checks that the log holds an HMAC of each reason and comment, with a salt of what it belongs
// to, and neither the text nor a digest of it alone, which would tell whether a guess is right (rule LOG-13).
func TestTextsAreCommittedTo(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.StoreSecret(t)
	said := map[string][3]string{} // by action: field, kind and id of the object
	texts := []string{"Comment-of-approver", "A request of the person."}
	reason := func(action, kind, id string) string {
		said[action] = [3]string{"reason_commitment", kind, id}
		texts = append(texts, "Reason of "+action)
		return "Reason of " + action
	}

	v := b.Signed(t, "dec_1")
	id := v.Life.PackID
	v, err := b.SetLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, reason("pack.hold_set", "pack", id))
	require.NoError(t, err)
	_, err = b.LiftLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, reason("pack.hold_lifted", "pack", id))
	require.NoError(t, err)
	asked, err := b.RequestExport(b.Ctx, b.Viewer, id, "zip", reason("pack.export_asked", "pack", id))
	require.NoError(t, err)
	_, err = b.RefuseExport(b.Ctx, b.Approver, asked.ID, reason("pack.export_refused", "pack", id))
	require.NoError(t, err)
	back := b.Submit(t, b.Draft(t, "dec_2", "A2"))
	_, err = b.ReturnPack(b.Ctx, b.Approver, back.Life.PackID, back.Life.Revision,
		reason("pack.returned", "pack", back.Life.PackID), db.Answering{})
	require.NoError(t, err)
	given := b.Draft(t, "dec_3", "A2")
	_, err = b.DiscardPack(b.Ctx, b.Drafter, given.Life.PackID, given.Life.Revision,
		reason("pack.discarded", "pack", given.Life.PackID), db.Answering{})
	require.NoError(t, err)
	_, err = b.ReviewClaim(s.ID, 1, ledger.ReviewInput{
		Action: ledger.Override, Verdict: ledger.Contradicted, Reason: reason("claim.reviewed", "session", s.ID),
	})
	require.NoError(t, err)
	require.NoError(t, b.CloseSession(b.Ctx, b.Approver, s.ID, reason("session.closed", "session", s.ID)))
	e, err := b.AskErasure(b.Ctx, b.Admin, erasure.Session, s.ID, "A request of the person.")
	require.NoError(t, err)
	said["erasure.asked"] = [3]string{"reason_commitment", "erasure", e.ID}
	said["pack.approved"] = [3]string{"comment_commitment", "pack", id}

	for action, x := range said {
		text := "Reason of " + action
		switch action {
		case "erasure.asked":
			text = "A request of the person."
		case "pack.approved":
			text = "Comment-of-approver"
		}
		require.Equal(t, dbtest.Committed(t, b.Dir, x[1], x[2], text), saidOf(t, b.People, action)[x[0]], action)
	}
	events, err := b.Events(b.Ctx, b.Tenant.ID, 0, 1000)
	require.NoError(t, err)
	for _, e := range events {
		for _, text := range texts {
			require.NotContains(t, string(e.Bytes), text, e.Action)
			require.NotContains(t, strings.ToLower(string(e.Bytes)), sum256(text), e.Action)
		}
	}
	b.LogHolds(t)
}

// TestSaltsGoWithTheTexts checks that a purge or an erasure deletes the salt with the texts, so that what the log holds
// of them says nothing any more.
func TestSaltsGoWithTheTexts(t *testing.T) {
	salts := func(t *testing.T, b *dbtest.Board, kind, id string) (n int) {
		require.NoError(t, dbtest.Raw(t,
			b.Dir).QueryRow("SELECT count(*) FROM text_salts WHERE kind = ? AND object_id = ?", kind,
			id).Scan(&n))
		return n
	}
	for name, gone := range map[string]func(t *testing.T, b *dbtest.Board) (kind, id string){
		"erased pack": func(t *testing.T, b *dbtest.Board) (kind, id string) {
			id = b.Signed(t, "dec_1").Life.PackID
			require.Equal(t, 1, salts(t, b, "pack", id))
			b.Finish(t, b.Erase(t, erasure.Pack, id).ID)
			return "pack", id
		},
		"purged pack": func(t *testing.T, b *dbtest.Board) (kind, id string) {
			id = b.Signed(t, "dec_1").Life.PackID
			b.Purge(t, id)
			return "pack", id
		},
		"erased session": func(t *testing.T, b *dbtest.Board) (kind, id string) {
			s := b.StoreSecret(t)
			_, err := b.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Comment, Reason: "x"})
			require.NoError(t, err)
			require.Equal(t, 1, salts(t, b, "session", s.ID))
			b.Finish(t, b.Erase(t, erasure.Session, s.ID).ID)
			return "session", s.ID
		},
		"removed webhook": func(t *testing.T, b *dbtest.Board) (kind, id string) {
			w, _, err := b.AddWebhook(b.Ctx, b.Admin, "https://hooks.example/secret", []string{"pack.created"})
			require.NoError(t, err)
			require.Equal(t, dbtest.Committed(t, b.Dir, "webhook", w.ID, w.URL),
				saidOf(t, b.People, "webhook.added")["url_commitment"])
			require.NoError(t, b.RemoveWebhook(b.Ctx, b.Admin, w.ID))
			return "webhook", w.ID
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := dbtest.NewBoard(t)
			kind, id := gone(t, b)
			require.Zero(t, salts(t, b, kind, id))
			b.LogHolds(t)
		})
	}
}

// sum256 returns the digest of a text alone, in hex.
func sum256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
