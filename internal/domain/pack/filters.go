package pack

import (
	"sanad/internal/domain/due"
	"sanad/internal/domain/filter"
)

// Filters are the filters of the list of packs.
var Filters = filter.List[Query]{
	filter.OneOf("state", "", States, func(q *Query) *State { return &q.State }),
	filter.OneOf("level", "Required so strictly.", Levels, func(q *Query) *Level { return &q.Level }),
	filter.Text("decision_id", "", func(q *Query) *string { return &q.DecisionID }),
	filter.Text("ledger_session_id", "", func(q *Query) *string { return &q.SessionID }),
	filter.Text("q", "In the title, decision, memo, agent or ids.", func(q *Query) *string { return &q.Text }),
	filter.OneOf("due", due.AboutFilter, due.Filters, func(q *Query) *due.State { return &q.Due }),
	filter.OneOf("waits", "me: in review, and you may approve it.", []WaitsFor{ForMe},
		func(q *Query) *WaitsFor { return &q.Waits }),
}
