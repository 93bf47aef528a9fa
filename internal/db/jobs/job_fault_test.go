package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// TestJobThatTheDatabaseCannotEnd checks that a fault of the last dbtest.Statement, which ends the job, is answered
// like any other fault of the store, without the driver's words for the caller, and leaves nothing.
func TestJobThatTheDatabaseCannotEnd(t *testing.T) {
	for name, end := range map[string]func(h *dbtest.Clocked, c *db.ClaimedJob, s *ledger.Session) error{
		"FinishJob": func(h *dbtest.Clocked, c *db.ClaimedJob, _ *ledger.Session) error {
			_, _, err := h.FinishJob(h.Ctx, c, dbtest.Assess(dbtest.Identify(dbtest.FullSession())), nil, noWarnings)
			return err
		},
		"JudgeSession": func(h *dbtest.Clocked, c *db.ClaimedJob, s *ledger.Session) error {
			_, err := h.JudgeSession(h.Ctx, h.Actor, db.JudgeRequest{SessionID: s.ID, Job: c},
				func(_ int, s *ledger.Session) (*db.Judged, error) { return dbtest.TakeEmptyRun(s, "run-2"), nil })
			return err
		},
		"FailJob": func(h *dbtest.Clocked, c *db.ClaimedJob, _ *ledger.Session) error {
			return h.FailJob(h.Ctx, c, job.FaultOf("input", "", words.Msg("refused_own_gone")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := dbtest.NewClocked(t)
			s := dbtest.Identify(dbtest.FullSession())
			h.AddSession(t, s)
			queue(t, h, h.Actor, "a")
			c := claim(t, h)
			d := dbtest.Raw(t, h.Dir)
			dbtest.Exec(t, d, "CREATE TRIGGER dies BEFORE UPDATE ON jobs BEGIN SELECT RAISE(ABORT, 'the power fails'); END")
			err := end(h, c, s)
			var ours *domain.Error
			require.ErrorAs(t, err, &ours)
			require.Equal(t, domain.Internal, ours.Kind)
			require.NotContains(t, ours.Text(), "power")
			require.ErrorContains(t, ours.Err, "the power fails", "for the log")
			require.Equal(t, 1, dbtest.Count(t, d, "sessions"))
			require.Equal(t, 1, dbtest.Count(t, d, "ledger_runs"))

			dbtest.Exec(t, d, "DROP TRIGGER dies")
			require.NoError(t, end(h, c, s), "it can be ended later")
		})
	}
}
