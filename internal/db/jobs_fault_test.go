package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// TestJobThatTheDatabaseCannotEnd checks that a fault of the last statement, which ends the job, is answered like any
// other fault of the store, without the driver's words for the caller, and leaves nothing.
func TestJobThatTheDatabaseCannotEnd(t *testing.T) {
	for name, end := range map[string]func(h *jobFixture, c *db.ClaimedJob, s *ledger.Session) error{
		"FinishJob": func(h *jobFixture, c *db.ClaimedJob, _ *ledger.Session) error {
			_, _, err := h.FinishJob(h.ctx, c, assess(identify(fullSession())), nil, noWarnings)
			return err
		},
		"JudgeSession": func(h *jobFixture, c *db.ClaimedJob, s *ledger.Session) error {
			_, err := h.JudgeSession(h.ctx, h.actor, db.JudgeRequest{SessionID: s.ID, Job: c},
				func(_ int, s *ledger.Session) (*db.Judged, error) { return takeEmptyRun(s, "run-2"), nil })
			return err
		},
		"FailJob": func(h *jobFixture, c *db.ClaimedJob, _ *ledger.Session) error {
			return h.FailJob(h.ctx, c, job.FaultOf("input", "", words.Msg("refused_own_gone")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newJobFixture(t)
			s := identify(fullSession())
			h.insert(t, s)
			h.queue(t, h.actor, "a")
			c := h.claim(t)
			d := raw(t, h.dir)
			must(t, d, "CREATE TRIGGER dies BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'the power fails'); END")
			err := end(h, c, s)
			var ours *domain.Error
			require.ErrorAs(t, err, &ours)
			require.Equal(t, domain.Internal, ours.Kind)
			require.NotContains(t, ours.Text(), "power")
			require.ErrorContains(t, ours.Err, "the power fails", "for the log")
			require.Equal(t, 1, count(t, d, "sessions"))
			require.Equal(t, 1, count(t, d, "ledger_runs"))

			must(t, d, "DROP TRIGGER dies")
			require.NoError(t, end(h, c, s), "it can be ended later")
		})
	}
}
