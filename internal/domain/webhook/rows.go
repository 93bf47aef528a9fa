package webhook

import "time"

// Endpoint is an address that a tenant's messages are sent to (rule SEC-10), without its secret.
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
	Reason    string // why the last attempt failed: a constant of package webhooks, "" if it did not fail
	CreatedAt time.Time
	NextAt    time.Time // of one that waits; else zero
	EndedAt   time.Time // zero while it waits
}

// ReasonAddress is the reason, stored and shown, of an attempt whose name does not resolve to an address that messages
// may go to.
const ReasonAddress = "address"
