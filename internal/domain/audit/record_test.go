package audit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
)

// TestRecords checks that the newest digest of each column counts, that a deleted row is forgotten, and that what is no
// digest is never that of a value.
func TestRecords(t *testing.T) {
	digest := func(c string) string { return strings.Repeat(c, 64) }
	var r audit.Records
	require.Nil(t, r.Take("users", "1"), "an empty log")
	r.Add([]audit.Record{
		{Table: "users", ID: "1", Columns: map[string]string{"name": digest("a"), "login": digest("b")}},
		{Table: "users", ID: "2", Columns: map[string]string{"name": digest("c")}},
		{Table: "keys", ID: "1", Columns: map[string]string{"public": digest("d")}},
	})
	r.Add([]audit.Record{
		{Table: "users", ID: "1", Columns: map[string]string{"name": digest("e"), "email": "no digest"}},
		{Table: "users", ID: "2"},
	})
	require.Equal(t, map[string]string{"name": digest("e"), "login": digest("b"), "email": digest("0")},
		r.Take("users", "1"))
	require.Nil(t, r.Take("users", "1"), "it was taken")
	require.Nil(t, r.Take("users", "2"), "it was deleted")
	require.Nil(t, r.Take("tokens", "1"))
	require.Equal(t, []audit.Record{{Table: "keys", ID: "1"}}, r.Rest())
}
