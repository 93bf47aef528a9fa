package openfga

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

func TestDifferences(t *testing.T) {
	at := func(id string, role access.Role) tuple { return roleTuple("t", id, role) }
	for _, c := range []struct {
		name string
		want map[string]access.Role
		have map[string][]access.Role
		out  []change
	}{
		{name: "nothing"},
		{
			name: "the same", want: map[string]access.Role{"a": "viewer"},
			have: map[string][]access.Role{"a": {"viewer"}},
		},
		{name: "new", want: map[string]access.Role{"b": "viewer", "a": "admin"}, have: nil,
			out: []change{{add: []tuple{at("a", "admin")}}, {add: []tuple{at("b", "viewer")}}}},
		{name: "gone", have: map[string][]access.Role{"a": {"viewer", "admin"}},
			out: []change{{remove: []tuple{at("a", "viewer"), at("a", "admin")}}}},
		{name: "changed", want: map[string]access.Role{"a": "viewer"}, have: map[string][]access.Role{"a": {"admin"}},
			out: []change{{remove: []tuple{at("a", "admin")}, add: []tuple{at("a", "viewer")}}}},
		{name: "one too many", want: map[string]access.Role{"a": "viewer"},
			have: map[string][]access.Role{"a": {"admin", "viewer"}},
			out:  []change{{remove: []tuple{at("a", "admin")}}}},
	} {
		require.Equal(t, c.out, differences("t", c.want, c.have), c.name)
	}
}

// Batches are as large as a server accepts, and a user's old and new role are in the same batch.
func TestBatches(t *testing.T) {
	type keys struct {
		Keys []tuple `json:"tuple_keys"`
	}
	var sizes []int
	var seen int
	a := newAuthorizer(t, func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Writes, Deletes keys }
		if json.NewDecoder(r.Body).Decode(&in) != nil || r.URL.Path != "/stores/"+storeA+"/write" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		sizes = append(sizes, len(in.Writes.Keys)+len(in.Deletes.Keys))
		for i := range in.Deletes.Keys { // the first change has only an addition
			if in.Deletes.Keys[i].User != in.Writes.Keys[i+len(in.Writes.Keys)-len(in.Deletes.Keys)].User {
				w.WriteHeader(http.StatusConflict)
			}
		}
		seen += sizes[len(sizes)-1]
		fmt.Fprint(w, `{}`)
	})
	changes := []change{{add: []tuple{roleTuple("t", "first", access.Viewer)}}}
	for i := range 130 {
		id := fmt.Sprint("u", i)
		changes = append(changes, change{[]tuple{roleTuple("t", id, access.Admin)},
			[]tuple{roleTuple("t", id, access.Viewer)}})
	}
	require.NoError(t, a.client.writeTuples(context.Background(), changes))
	require.Equal(t, []int{99, 100, 62}, sizes)
	require.Equal(t, 261, seen)
	require.NoError(t, a.client.writeTuples(context.Background(), nil))
	require.Len(t, sizes, 3, "nothing is sent if there is nothing to write")
}

// Reading stops when a server's pages never end.
func TestEndlessPages(t *testing.T) {
	pages := 0
	a := newAuthorizer(t, func(w http.ResponseWriter, _ *http.Request) {
		pages++
		fmt.Fprint(w, `{"tuples":[],"continuation_token":"again"}`)
	})
	_, err := a.client.roles(context.Background(), "t")
	require.Error(t, err)
	require.Equal(t, maxPages, pages)
}

// Tuples that Sanad did not write are not changed.
func TestForeignTuplesAreUnchanged(t *testing.T) {
	a := newAuthorizer(t, says(200, `{"tuples":[
		{"key":{"user":"user:a","relation":"admin","object":"tenant:t"}},
		{"key":{"user":"user:a","relation":"blocked","object":"tenant:t"}},
		{"key":{"user":"group:g#member","relation":"viewer","object":"tenant:t"}},
		{"key":{"user":"user:*","relation":"viewer","object":"tenant:t"}}],"continuation_token":""}`))
	got, err := a.client.roles(context.Background(), "t")
	require.NoError(t, err)
	require.Equal(t, map[string][]access.Role{"a": {"admin"}}, got)
}

func TestChangedNeverBlocks(t *testing.T) {
	a := newAuthorizer(t, says(200, `{}`))
	for range 3 {
		a.Changed()
	}
	require.Len(t, a.changed, 1)
}
