package audit

import (
	"strings"
	"time"
)

// Query filters a tenant's log; zero values do not filter.
type Query struct {
	Action   string // an action, or a group with a trailing dot: "login."
	Actor    string
	Kind     string
	ObjectID string
	Claim    int       // its number, from 1; only together with the session as ObjectID
	From, To time.Time // To is exclusive
	Before   int64     // seq; 0 for the newest
	Limit    int
}

// Family returns the group of actions to which the query is limited, without the trailing dot; "" if it is not.
func (q *Query) Family() string {
	family, ok := strings.CutSuffix(q.Action, ".")
	if !ok {
		return ""
	}
	return family
}

// Filters reports whether the query leaves any event out.
func (q *Query) Filters() bool {
	return q.Action != "" || q.Actor != "" || q.Kind != "" || q.ObjectID != "" || q.Claim > 0 || !q.From.IsZero() || !q.To.IsZero()
}
