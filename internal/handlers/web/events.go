package web

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"sanad/internal/domain/audit"
	"sanad/internal/views/ui"
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

// EventRows converts events to rows; names maps actor ids to names.
func EventRows(events []audit.StoredEvent, names map[string]string) []ui.EventRow {
	out := make([]ui.EventRow, len(events))
	for i, e := range events {
		out[i] = EventRow(e, names)
	}
	return out
}

func EventRow(e audit.StoredEvent, names map[string]string) ui.EventRow {
	var body struct {
		From    string         `json:"from"`
		Details map[string]any `json:"details"`
	}
	if json.Unmarshal(e.Bytes, &body) != nil {
		body.Details = nil // the stored bytes are damaged; verifying the log reports that, the list shows what it can
	}
	at, _ := time.Parse(time.RFC3339Nano, e.At)
	if strings.HasPrefix(body.From, "hmac-sha256:") {
		body.From = "" // a commitment: the address, if it is still stored, is beside the event
	}
	row := ui.EventRow{
		Seq: e.Seq, At: at, Actor: e.Actor, Name: names[e.Actor], Role: e.Role, Action: e.Action, Kind: e.Kind,
		ObjectID: cmp.Or(e.Named, e.ObjectID), From: cmp.Or(e.Address, body.From),
	}
	delete(body.Details, audit.RecordsKey) // digests of single columns, for `audit verify`
	for _, name := range slices.Sorted(maps.Keys(body.Details)) {
		row.Details = append(row.Details, ui.Detail{Name: name, Value: detailText(body.Details[name])})
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
