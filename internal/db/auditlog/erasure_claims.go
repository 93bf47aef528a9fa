package auditlog

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/erasure"
)

// Effect is what an erasure does to columns.
type Effect string

const (
	Deletes Effect = "deletes" // their rows
	Empties Effect = "empties"
	Renews  Effect = "renews" // salts: digests in older events can no longer be compared with guesses
	Keeps   Effect = "keeps"  // Why says for what reason
)

// Claim says what an erasure of a kind does to columns of text or bytes. Each room claims all of its own, and a test
// compares the claims with the schema. The column tenant_id needs none.
type Claim struct {
	Kind erasure.Kind // "" for every kind
	Does Effect
	By   string // the condition by which Erase finds the rows of a tenant; "" where the room has code of its own
	Why  string
	Of   []Columns
}

// Columns are columns of a table.
type Columns struct{ Table, Names string } // names as SQL lists them, or sets them; "" for all of them

// Rows are all columns of some tables.
func Rows(tables ...string) []Columns {
	out := make([]Columns, len(tables))
	for i, table := range tables {
		out[i].Table = table
	}
	return out
}

// Erase does to the rows of a tenant what those claims of a kind say that find them by a condition.
func Erase(t *sqldb.Tx, claims []Claim, kind erasure.Kind, tenant, by string, args ...any) error {
	for _, c := range claims {
		if c.Kind != kind || c.By != by || c.Does != Deletes && c.Does != Empties {
			continue
		}
		for _, of := range c.Of {
			query := "DELETE FROM " + of.Table
			if c.Does == Empties {
				query = "UPDATE " + of.Table + " SET " + of.Names
			}
			if _, err := t.Exec(query+" WHERE tenant_id = ? AND "+by, append([]any{tenant}, args...)...); err != nil {
				return err
			}
		}
	}
	return nil
}

// Each returns the names of the columns, none for all of them.
func (c Columns) Each() (names []string) {
	for _, item := range strings.Split(c.Names, ", ") {
		if name, _, _ := strings.Cut(item, " "); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// ErasureClaims are what an erasure does to the tables of the log.
var ErasureClaims = []Claim{
	{Kind: erasure.Session, Does: Deletes, Of: Rows("text_salts")},
	{Kind: erasure.Document, Does: Deletes, Of: Rows("text_salts")},
	{Kind: erasure.Pack, Does: Deletes, Of: Rows("text_salts")},
	{Kind: erasure.Bundle, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Artifact, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Pack, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Pack, Does: Empties, Of: []Columns{
		{Table: "event_names", Names: "object_id"},
	}},
	{Does: Keeps, Why: "addresses are forgotten by a rule of their own (ForgetAddresses)", Of: []Columns{
		{Table: "event_names", Names: "address"},
	}},
	{Does: Keeps, Why: "the log says what happened, and hides what callers wrote behind commitments whose salts go",
		Of: []Columns{
			{Table: "events", Names: "id, at, actor, role, action, object_kind, object_id, bytes"},
			{Table: "log_hashes", Names: "hash"},
			{Table: "log_heads", Names: "root, checkpoint, updated_at"},
			{Table: "log_seals", Names: "sealed"},
		}},
	{Does: Keeps, Why: "digests, made with salts that go with the rows", Of: []Columns{
		{Table: "session_states", Names: "session_id, sections"},
		{Table: "state_pages", Names: "session_id, section, hashes"},
	}},
	{Does: Keeps, Why: "keys of the store and of others", Of: []Columns{
		{Table: "keys", Names: "id, purpose, public, sealed, created_at, retired_at"},
		{Table: "trusted_keys", Names: "id, name, public, added_by, added_at"},
		{Table: "master_keys", Names: "fingerprint, since, retired_at, receipts"},
	}},
}
