package model

import "time"

// Tried is what came when an endpoint was asked a fixed question.
type Tried struct {
	Model               string
	Took                time.Duration
	TokensIn, TokensOut int
	Fault               string // code of what went wrong, "" if it answered
	Note                string // "other" if it does not see that the sentence supports the claim
}
