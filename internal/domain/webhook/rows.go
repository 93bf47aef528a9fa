package webhook

import "time"

// Endpoint is an endpoint that a tenant has told of what happens (rule SEC-10), without its secret.
type Endpoint struct {
	ID        string
	URL       string
	Kinds     []string // of Kinds
	Revision  int
	Waiting   int // messages that are not yet delivered
	Missed    int // messages that were not kept, as too many waited
	CreatedAt time.Time
	CreatedBy string // id of an actor
	Disabled  bool
}

// Delivery is one message to one endpoint.
type Delivery struct {
	ID        string
	Kind      string
	State     string
	Attempts  int
	Status    int    // HTTP status of the last answer, 0 for none
	Reason    string // why the last attempt failed: a word of package webhooks, "" for it did not
	CreatedAt time.Time
	NextAt    time.Time // of one that waits; else zero
	EndedAt   time.Time // zero while it waits
}
