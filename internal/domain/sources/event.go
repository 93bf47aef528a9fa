package sources

import (
	"errors"

	"sanad/internal/domain"
)

// EventType is the type of the event that carries sources.
const EventType = "rag.sources"

// Event is what a caller emits: `{"type":"rag.sources","payload":{"sources":[…]}}` (rule S-1).
type Event struct {
	Type    string  `json:"type"`
	Payload Payload `json:"payload"`
}

// Payload is the content of an Event.
type Payload struct {
	Sources []Item `json:"sources"`
	Debug   *Debug `json:"debug,omitempty"` // if options.debug is set
}

// Debug explains what happened to the input.
type Debug struct {
	Reason string `json:"reason,omitempty"` // why the list is empty although sources were requested
	// members of the request that are none, such as "chunks" for evidence_chunks
	Ignored []string `json:"ignored,omitempty"`
	*Counts          // nil if the input could not be read
}

// Counts says what the list leaves out.
type Counts struct {
	Candidates        int `json:"candidates"`
	Chunks            int `json:"chunks"`
	RepeatedItems     int `json:"repeated_items"`       // candidates with the id of another one
	LeftOut           int `json:"left_out"`             // documents beyond max_sources
	ChunksOfNoneGiven int `json:"chunks_of_none_given"` // chunks whose item is not a candidate
}

// NewEvent packs candidates; if options.debug is set, it adds Debug.
func NewEvent(candidates []Candidate, chunks []Chunk, o Options) Event {
	e := Event{EventType, Payload{Sources: Pack(candidates, chunks, o)}}
	if !o.Debug {
		return e
	}
	e.Payload.Debug = &Debug{Counts: count(candidates, chunks)}
	if err := Check(candidates, o); err != nil {
		e.Payload.Debug.Reason = reason(err)
	} else {
		e.Payload.Debug.LeftOut = len(candidates) - e.Payload.Debug.RepeatedItems - len(e.Payload.Sources)
	}
	return e
}

func count(candidates []Candidate, chunks []Chunk) *Counts {
	n := &Counts{Candidates: len(candidates), Chunks: len(chunks)}
	ids := make(map[string]bool, len(candidates))
	for i := range candidates {
		ids[candidates[i].ItemID] = true
	}
	for i := range chunks {
		if !ids[chunks[i].ItemID] {
			n.ChunksOfNoneGiven++
		}
	}
	n.RepeatedItems = len(candidates) - len(ids)
	return n
}

// Refused returns the event for an input that could not be read as candidates: no sources and, if debug is set, the
// reason.
func Refused(err error, debug bool) Event {
	e := Event{EventType, Payload{Sources: []Item{}}}
	if debug {
		e.Payload.Debug = &Debug{Reason: reason(err)}
	}
	return e
}

// reason returns the part of an error that may be shown.
func reason(err error) string {
	var e *domain.Error
	if errors.As(err, &e) && e.Kind != domain.Internal {
		return e.Safe()
	}
	return "The input could not be read."
}
