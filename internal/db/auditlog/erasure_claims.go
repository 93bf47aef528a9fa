package auditlog

import (
	"cmp"
	"slices"
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

// Place is where files lie that no table holds: the beginning of their paths beside and below the folder of the data.
// Originals and lake may lie elsewhere too. TENANT stands for the id of a tenant.
type Place string

const (
	Originals   Place = "data/originals/TENANT/" // in the bucket; keys begin with the tenant
	Uploads     Place = "data/originals/jobs/"   // likewise, with jobs/
	Lake        Place = "data/lake/TENANT/"      // keys are paths in the tenant's part
	Database    Place = "data/sanad.db"          // SQLite's file, with its log beside it
	Checkpoints Place = "data-checkpoints/"
)

// Claim says what an erasure of a kind does to columns of text or bytes, or to the files that columns name. Each room
// claims all of its own, and tests compare the claims with the schema and with the files of a store. The column
// tenant_id needs none.
type Claim struct {
	Kind erasure.Kind // "" for every kind
	Does Effect
	// By is the condition by which Erase finds the rows of a tenant; "" where the room has code of its own. For files it
	// begins with a column, and has the tenant as ?1 and the object as ?2.
	By  string
	Why string
	Of  []Columns // of files: their key, then what else is theirs, such as a digest; none where no column names them
	// Files says where the claimed files lie; "" if the claim is about columns.
	Files  Place
	Unless []Columns // a file stays while another row names it in one of these columns
}

// Columns are columns of a table.
type Columns struct {
	Table, Names string // names as SQL lists them, or sets them; "" for all of them
	Size         string // of files: SQL of their size, f being the table; "" where it is not known
	Only         string // of Unless: SQL that is true of each row that may share a file, x being the table; "" for any row
}

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
		if c.Files != "" || c.Kind != kind || c.By != by || c.Does != Deletes && c.Does != Empties {
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

// File is a file of a tenant outside of the tables.
type File struct {
	Tenant string `json:"tenant"`
	In     Place  `json:"in"`
	Key    string `json:"key"`
	Size   int64  `json:"-"`
}

// FilesOf returns the files that go with an object of a tenant.
func FilesOf(t *sqldb.Tx, claims []Claim, kind erasure.Kind, tenant, id string) (files []File, err error) {
	for _, c := range claims {
		if c.Files == "" || c.Kind != kind || c.Does != Deletes {
			continue
		}
		for _, of := range c.Of {
			found, err := sqldb.Collect(t, c.files(of), []any{tenant, id}, func(r sqldb.Scanner, f *File) error {
				f.Tenant, f.In = tenant, c.Files
				return r.Scan(&f.Key, &f.Size)
			})
			if err != nil {
				return nil, err
			}
			files = append(files, found...)
		}
	}
	order := func(a, b File) int { return cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Key, b.Key)) }
	slices.SortFunc(files, order)
	return slices.CompactFunc(files, func(a, b File) bool { return order(a, b) == 0 }), nil
}

// files is the query for the keys and sizes of the files that a table names.
func (claim Claim) files(of Columns) string {
	key := "f." + of.key()
	query := "SELECT " + key + ", coalesce(" + cmp.Or(of.Size, "0") + ", 0) FROM " + of.Table +
		" f WHERE f.tenant_id = ?1 AND f." + claim.By + " AND " + key + " <> ''"
	for _, other := range claim.Unless {
		query += " AND " + key + " NOT IN (SELECT x." + other.key() + " FROM " + other.Table +
			" x WHERE x.tenant_id = ?1 AND x." + other.key() + " <> ''"
		if other.Only != "" {
			query += " AND " + other.Only
		}
		if other.Table == of.Table {
			query += " AND NOT (x." + claim.By + ")"
		}
		query += ")"
	}
	return query
}

// key is the column that names files.
func (columns Columns) key() string {
	key, _, _ := strings.Cut(columns.Names, ", ")
	return key
}

// Each returns the names of the columns, none for all of them.
func (columns Columns) Each() (names []string) {
	for _, item := range strings.Split(columns.Names, ", ") {
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
	{Kind: erasure.Library, Does: Deletes, Of: Rows("text_salts")},
	{Kind: erasure.Bundle, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Artifact, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Pack, Does: Deletes, Of: Rows("record_salts")},
	{Kind: erasure.Library, Does: Deletes, Of: Rows("record_salts")},
	{Does: Keeps, Files: Lake, Why: "the salt goes with the record of an artifact; the log has the digest of each",
		Of: []Columns{{Table: "record_salts", Names: "id"}, {Table: "events", Names: "object_id"}}},
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
	{Does: Keeps, Files: Checkpoints, Why: "signed heads of the logs, which are digests"},
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
