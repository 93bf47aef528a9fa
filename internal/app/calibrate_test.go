package app

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// agreeing is a reader that says of everything that it is supported.
type agreeing struct{ digest string }

func (a agreeing) Digest() string                 { return a.digest }
func (agreeing) Unknown(string) ([]string, error) { return nil, nil }

func (agreeing) Score(ctx context.Context, _ string, passages []string) ([]judge.Logits, error) {
	out := make([]judge.Logits, len(passages))
	for i := range out {
		out[i].Supports = 3
	}
	return out, ctx.Err()
}

// TestReaderReadsWhatPeopleSettled: a reader is calibrated on the verdicts of people in one tenant, and what is stored
// applies in that tenant to that reader.
func TestReaderReadsWhatPeopleSettled(t *testing.T) {
	f := newFixture(t)
	own := ChosenWith(agreeing{"agreeing"})
	in := f.importer()
	in.Embedded = own
	made, err := in.Import(f.ctx, read(t, session(3)), nil)
	require.NoError(t, err)
	require.Contains(t, fmt.Sprint(made.Warnings), "not calibrated")
	for i, verdict := range []ledger.Verdict{ledger.Supported, ledger.NotFound} {
		_, err := f.store.Review(f.ctx, f.actor, made.SessionID, db.ReviewRequest{Decision: ledger.Decision{
			ReviewInput: ledger.ReviewInput{Action: ledger.Override, Verdict: verdict, Reason: "read"},
			Claim:       i, At: testTime, NewID: uuid.NewString,
		}})
		require.NoError(t, err)
	}
	steps := 0
	rows, err := own.ReadReviewed(f.ctx, f.store, f.actor.Tenant, func(done int) error { steps = done; return nil })
	require.NoError(t, err)
	require.Equal(t, 2, steps)
	require.Equal(t, []judge.Labelled{
		{Verdict: ledger.Supported, Group: made.SessionID, Supports: 3, Contrary: -3},
		{Verdict: ledger.NotFound, Group: made.SessionID, Supports: 3, Contrary: -3},
	}, rows)
	other, err := f.store.AddTenant(f.ctx, "other", "Other")
	require.NoError(t, err)
	rows, err = own.ReadReviewed(f.ctx, f.store, other.ID, func(int) error { return nil })
	require.NoError(t, err)
	require.Empty(t, rows)

	require.NoError(t, f.store.SetReaderCalibration(f.ctx, f.actor, db.ReaderCalibration{Reader: "agreeing", Rows: 90,
		Balances: `{"sentence":{"support":{"parts":[{"figure":"reads_support","weight":2}]},"conflict":{"bias":-700}}}`}))
	for tenant, want := range map[string]bool{f.actor.Tenant: true, other.ID: false} {
		by, err := own.For(f.ctx, f.store, tenant)
		require.NoError(t, err)
		require.Equal(t, want, by.Calibrated())
	}
	another := ChosenWith(agreeing{"another"})
	by, err := another.For(f.ctx, f.store, f.actor.Tenant)
	require.NoError(t, err)
	require.False(t, by.Calibrated())
	require.Equal(t, domain.NotFound, kindOfCalibration(f, other.ID))

	loaded, err := f.store.Session(f.ctx, f.actor.Tenant, made.SessionID)
	require.NoError(t, err)
	require.Equal(t, ledger.Weak, ledger.DecideVerdict(loaded.Claims[0].Matches).Verdict)
	again := f.rejudger()
	again.Embedded = own
	always := func(*ledger.Session) error { return nil }
	_, err = again.Rejudge(f.ctx, loaded, db.JudgeRequest{SessionID: made.SessionID}, RejudgeInput{}, always, nil)
	require.NoError(t, err)
	loaded, err = f.store.Session(f.ctx, f.actor.Tenant, made.SessionID)
	require.NoError(t, err)
	require.Equal(t, ledger.Supported, ledger.DecideVerdict(loaded.Claims[0].Matches).Verdict)
	require.Len(t, loaded.Run.Parameters["calibration"], 64)
	_, err = (*Embedded)(nil).ReadReviewed(f.ctx, f.store, f.actor.Tenant, nil)
	require.ErrorIs(t, err, errNotChosen)
}

func kindOfCalibration(f *fixture, tenant string) domain.Kind {
	_, err := f.store.ReaderCalibration(f.ctx, tenant, "agreeing")
	return domain.KindOf(err)
}
