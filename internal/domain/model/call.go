package model

import "time"

// Call is what is recorded of one question to an endpoint: digests and figures, no word of it.
type Call struct {
	EndpointID string
	JobID      string // the job whose run asked
	Claim      int    // position, from 0
	At         time.Time
	Kind       Kind
	Model      string
	Template   string // version of the prompt
	Question   string // SHA-256 hex of the body that was sent last
	Answer     string // SHA-256 hex of the answer, "" if none came
	Tries      int
	TokensIn   int
	TokensOut  int
	Cost       int64 // millionths
	Latency    time.Duration
	Fault      string // code of what went wrong, "" if nothing did
	Violations int    // ids that the model was not given
	Addressing int    // ids of sentences that speak to the judge
	Disagree   bool   // the embedded judge finds otherwise
}

// Answer is what an endpoint answered to a question, kept so that it is not asked twice. It may repeat words of
// documents.
type Answer struct {
	Digest string // SHA-256 hex of kind, address, model, template and question
	Text   string
	Counts bool   // it can be read as an answer; if not, another job asks again
	JobID  string // that asked; "" while it is being saved
}

// Answered is a question that was asked: the record of it, and what is kept.
type Answered struct {
	Call   Call
	Answer *Answer // nil if none came
}
