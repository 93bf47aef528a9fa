package app

import "sanad/internal/domain/ledger"

// unread marks the documents that a run does not read as deleted, so that judges skip them: those out of use, and those
// that are not items of the bundle that the run is given ("" for none, rule L-34). The function that it returns puts
// their states back.
func unread(s *ledger.Session, bundleID string) (restore func()) {
	states := make([]ledger.DocumentStatus, len(s.Documents))
	for i := range s.Documents {
		d := &s.Documents[i]
		if states[i] = d.Status; !d.Citable() || d.BundleID != bundleID {
			d.Status = ledger.Deleted
		}
	}
	return func() {
		for i := range states {
			s.Documents[i].Status = states[i]
		}
	}
}
