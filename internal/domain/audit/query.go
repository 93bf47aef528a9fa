package audit

import "time"

// Query filters a tenant's log; zero values do not filter.
type Query struct {
	Action   string // an action, or a group with a trailing dot: "login."
	Actor    string
	Kind     string
	ObjectID string
	From, To time.Time // To is exclusive
	Before   int64     // seq; 0 for the newest
	Limit    int
}
