package app

import (
	"time"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// Alone judges and assesses a session that was read as Import does, without a store: with the freshness window that a
// tenant has by default, and with citations of the session's own passages only. Ages are measured at a time. watch is
// called as by judge.RunWatched.
func (e *Embedded) Alone(s *ledger.Session, at time.Time, watch func(begun, all int) error) (ledger.Ledger, error) {
	restore := unread(s, s.Run.BundleID)
	if _, err := judge.RunWatched(s, e.Judge(), at, watch); err != nil {
		return ledger.Ledger{}, err
	}
	s.ResolveCitations(nil)
	judge.CheckAnswer(s, e.Judge())
	restore()
	l := ledger.Assess(s, ledger.DefaultFreshness)
	return l.Findings(), nil
}
