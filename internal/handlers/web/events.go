package web

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
)

// ActorsOf lists the ids of the actors of events.
func ActorsOf(events []audit.StoredEvent) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.Actor
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// EventRows converts events to rows, with the names of what they speak of.
func (s *Server) EventRows(ctx context.Context, reader access.Actor,
	events []audit.StoredEvent) ([]say.Event, error) {
	facts := make([]audit.Facts, len(events))
	for i := range events {
		facts[i] = FactsOf(&events[i])
	}
	names, err := s.Store.LogNames(ctx, reader, events, facts)
	if err != nil {
		return nil, err
	}
	out := make([]say.Event, len(events))
	for i, e := range events {
		out[i] = EventRow(e, &facts[i], &names)
	}
	return out, nil
}

// FactsOf reads an event's details. Where the stored bytes are damaged, which verifying the log reports, there are
// none.
func FactsOf(e *audit.StoredEvent) (f audit.Facts) {
	if json.Unmarshal(e.Bytes, &f) != nil {
		return audit.Facts{}
	}
	if strings.HasPrefix(f.From, "hmac-sha256:") {
		f.From = "" // a commitment: the address, if it is still stored, is beside the event
	}
	delete(f.Details, audit.RecordsKey) // digests of single columns, for `audit verify`
	return f
}

// EventRow converts one event. What is sealed from the reader is left out of its details.
func EventRow(e audit.StoredEvent, f *audit.Facts, names *audit.Names) say.Event {
	at, _ := time.Parse(time.RFC3339Nano, e.At)
	row := say.Event{
		Seq: e.Seq, At: at, Actor: e.Actor, Name: names.People[e.Actor], Role: e.Role, Action: e.Action, Kind: e.Kind,
		ObjectID: e.NamedID(), From: cmp.Or(e.Address, f.From), Facts: f, Names: names,
	}
	for _, name := range slices.Sorted(maps.Keys(f.Details)) {
		value := detailText(f.Details[name])
		if value != "" && (!row.Sealed() || name == "claim" || name == "request") {
			row.Details = append(row.Details, say.Detail{Name: name, Value: value})
		}
	}
	return row
}

// detailText writes a JSON value for a reader: strings as they are, anything else as JSON.
func detailText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}
