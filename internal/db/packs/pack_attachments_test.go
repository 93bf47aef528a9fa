package packs_test

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// TestAttachments checks that a signed pack contains the digests of the originals of its session's documents,
// in every version.
func TestAttachments(t *testing.T) {
	b := dbtest.NewBoard(t)
	s := b.WithOriginal(t, "كما وصل")
	d := dbtest.DecisionOf("dec_1", "A2", 2)
	d.LedgerSessionID = s.ID
	b.Decide(t, d)
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec_1", db.Answering{})
	require.NoError(t, err)
	digest := pack.Digest([]byte("كما وصل"))
	want := []pack.Attachment{{Name: "سياسة.pdf", MediaType: "text/plain", Size: 13, SHA256: digest}}
	require.Equal(t, want, v.Content.Attachments)

	dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.PolicyRules...)
	_, err = b.UpdateSession(b.Ctx, b.Drafter, s.ID, db.ClaimReviewed(s.ID, 3, ledger.Override),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			s.Claims[2].Reviews = append(s.Claims[2].Reviews,
				ledger.Review{ID: "r", Actor: "x", Role: "reviewer", At: dbtest.Now, Action: ledger.Override,
					Verdict: ledger.Weak, Reason: "r"})
			s.Revision++
			return dbtest.Assess(s), nil, nil
		})
	require.NoError(t, err)
	v, err = b.Pack(b.Ctx, b.Tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	v = b.Approve(t, b.Approver, b.Submit(t, v))
	require.Equal(t, want, b.VerifiedPack(t, v.Life.PackID).Content.Attachments)
	v, err = b.NewVersion(b.Ctx, b.Drafter, v.Life.PackID, db.Answering{})
	require.NoError(t, err)
	require.Equal(t, want, v.Content.Attachments)
	r, a, err := b.PackAttachment(b.Ctx, b.Tenant.ID, v.Life.PackID, digest)
	require.NoError(t, err)
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.Equal(t, "كما وصل", string(data))
	require.Equal(t, want[0].Name, a.Name)
	for _, statement := range []string{"DELETE FROM pack_attachments", "UPDATE pack_attachments SET sha256 = 'x'",
		"INSERT OR REPLACE INTO pack_attachments SELECT * FROM pack_attachments"} {
		_, err := dbtest.Raw(t, b.Dir).Exec(statement)
		require.Error(t, err, statement)
	}
	_, _, err = b.PackAttachment(b.Ctx, b.Other.ID, v.Life.PackID, digest)
	dbtest.RequireNotFound(t, err)
}
