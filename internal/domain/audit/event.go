package audit

import (
	"bytes"
	"encoding/json"
	"errors"

	"sanad/internal/domain/canonical"
)

// EventFormat is the name of the format of an event's bytes.
const EventFormat = "sanad.event/v1"

// Event is a leaf of the log. Its canonical JSON is stored once, and never serialised again.
type Event struct {
	Format  string          `json:"format"`
	Tenant  string          `json:"tenant"`
	Seq     int64           `json:"seq"` // 1, 2, 3 … in each tenant
	ID      string          `json:"id"`
	At      string          `json:"at"`    // RFC 3339
	Actor   string          `json:"actor"` // a pseudonymous id (rule LOG-6)
	Role    string          `json:"role"`
	Token   string          `json:"token,omitempty"` // id of the API token that was used
	From    string          `json:"from,omitempty"`  // commitment to the client's address (rule LOG-14); once the address
	Trace   string          `json:"trace,omitempty"`
	Action  string          `json:"action"`
	Object  Object          `json:"object"`
	Details json.RawMessage `json:"details"`
}

// Object is the thing that an event is about.
type Object struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

// ParseEvent reads an event's stored bytes. They must be exactly the canonical form of these fields and no others.
func ParseEvent(data []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(data, &e); err != nil {
		return Event{}, err
	}
	again, err := canonical.JSON(e)
	if err != nil {
		return Event{}, err
	}
	if bytes.Equal(again, data) && e.Format == EventFormat {
		return e, nil
	}
	if err := canonical.Check(data); err != nil {
		return Event{}, err
	}
	return Event{}, errors.New("not the fields of " + EventFormat)
}
