package db

import "sanad/internal/db/live"

// What callers know of package live by the store's name.
type (
	ClaimedTrace = live.ClaimedTrace
	KeptSpans    = live.KeptSpans
	TraceOutcome = live.TraceOutcome
	liveStore    = live.Store
)
