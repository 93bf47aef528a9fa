package packs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
)

// TestPacksAreFoundByTheirMemo: by words of the memo in any inflection, in the memo as it is now, in the tenant alone;
// also packs that were stored before memos were indexed.
func TestPacksAreFoundByTheirMemo(t *testing.T) {
	b := dbtest.NewBoard(t)
	v := b.Draft(t, "dec_1", "A2")
	found := func(tenant, words string) (n int) {
		rows, _, err := b.Packs(b.Ctx, tenant, pack.Query{Text: words})
		require.NoError(t, err)
		return len(rows)
	}
	write := func(en, ar string) {
		var err error
		v, err = b.UpdatePack(b.Ctx, b.Drafter, v.Life.PackID, v.Life.Revision, db.Answering{},
			func(c *pack.Content) error {
				m := c.Memo
				m.BodyEN, m.BodyAR = en+" [E1] [E2] [E3]", ar+" [E1] [E2] [E3]"
				return c.SetMemo(m)
			})
		require.NoError(t, err)
	}
	write("The quarantine ends on Sunday.", "يُوصى بتمديد الحَجْر الصحّي، والإفادة بذلك.")
	for _, words := range []string{"quarantine", "quarantines ending", "الحجر الصحي", "بالحجر", "الافادة"} {
		require.Equal(t, 1, found(b.Tenant.ID, words), words)
		require.Zero(t, found(b.Other.ID, words), words)
	}
	write("The embargo ends on Sunday.", "انتهى الحظر.")
	require.Zero(t, found(b.Tenant.ID, "quarantine"), "the memo as it was")
	require.Equal(t, 1, found(b.Tenant.ID, "embargo"))
	signed := b.Approve(t, b.Second, b.Submit(t, v))
	require.Equal(t, pack.SignedOff, signed.Life.State)
	require.Equal(t, 1, found(b.Tenant.ID, "embargo"))
}
