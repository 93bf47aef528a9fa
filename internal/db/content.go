package db

import (
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// section is a part of a session's state: a tree whose leaves are the digests of rows of one table, by their owner
// (rule LOG-8). Names, tables, columns and their order are stored in digests: only add to them. A column of a table
// that is digested and that stands in no section fails TestEveryColumnIsListed.
type section struct {
	name  string
	table audit.Table
	owner string // column with the number of a leaf, "" for one leaf
	shift int    // number of the first leaf, minus
	order string // of the rows of a leaf
	salt  string // SQL of the salt, for a row r
	query string // rows of a session, ready for more conditions
}

// What the rows of a session are salted with: their own salt, or that of what they belong to.
const (
	ownSalt     = "r.salt"
	sessionSalt = "(SELECT x.salt FROM sessions x WHERE x.tenant_id = r.tenant_id AND x.no = r.session_no)"
	runSalt     = "(SELECT x.salt FROM ledger_runs x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.n = r.run)"
	claimSalt = "(SELECT x.salt FROM claims x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.position = r.claim)"
	documentSalt = "(SELECT x.salt FROM documents x WHERE x.tenant_id = r.tenant_id AND x.session_no = r.session_no " +
		"AND x.position = r.document)"
)

// wholeClaim is the value of the column claim that stands for the whole session.
const wholeClaim = -1

// sections are the parts of a session's state, in their order.
var sections = []section{
	newSection("session", "sessions", "", 0, "no", ownSalt, `revision updated_at status total supported weak contradicted
		not_found unjudged reviewed covered coverage flags flag_count severity urgency reviewer overview state settled
		differing second_review first_reviewer second_reviewer rule_set run document_count closed_at closed_by closed_reason
		answer_version first_ledger`),
	newSection("origin", "sessions", "", 0, "no", ownSalt, `no id tenant_id ledger_id digest created_at title_key first_claim
		answer_length external_id mode lang model model_version trace_id decision_id format title query extra?`),
	newSection("answer", "answer_parts", "", 0, "start", sessionSalt, "tenant_id start text"),
	newSection("upstream", "upstream", "claim", wholeClaim, "claim", sessionSalt, "tenant_id claim said"),
	newSection("imported reviews", "imported_reviews", "claim", wholeClaim, "claim", sessionSalt, "tenant_id claim said"),
	newSection("documents", "documents", "position", 0, "position", ownSalt, `id tenant_id position key filename title uri
		lang published_at valid_until supersedes source_quality? status media_type blob root chunk_count outline? withdrawn
		text_by bundle_id blob_sha256`),
	newSection("chunks", "chunks", "document", 0, "position", documentSalt, `tenant_id document position id key hash root
		page heading_path? span_start? span_end? text`),
	newSection("runs", "ledger_runs", "n", 0, "n", ownSalt,
		"tenant_id n id judge version parameters? input_digest at duration_ns bundle_id"),
	newSection("run marks", "run_marks", "run", 0, "run", runSalt, "run tenant_id made_by changed flips stale"),
	newSection("run changes", "run_changes", "run", 0, "claim", runSalt, `run claim tenant_id from_verdict to_verdict
		from_confidence to_confidence stale gained? lost?`),
	newSection("run claims", "run_claims", "run", 0, "claim", runSalt,
		"run claim tenant_id verdict confidence judge given unjudged matches?"),
	newSection("claims", "claims", "position", 0, "position", ownSalt, `no tenant_id position verdict machine_verdict
		confidence state overridden effective_type effective_importance uncited flags revision id key type importance
		requires_citation span_start? span_end? judge given unjudged unjudged_said? text stale_reviews stale settled differs
		withheld_reviews citation_checks quotation_checks checks since`),
	newSection("matches", "matches", "claim", 0, "rank", claimSalt, `tenant_id claim rank document chunk similarity support
		contradicts quote_kind quote_start quote_end snippet note note_said? conflicts? missing? features? attached?`),
	newSection("citations", "citations", "claim", 0, "n", claimSalt,
		"tenant_id claim n hash span_start span_end status places?"),
	newSection("reviews", "reviews", "claim", 0, "n", ownSalt, `tenant_id claim n id actor role at action verdict type
		importance reason by_id undoes adjudicates batch`),
}

func newSection(name, table, owner string, shift int, order, salt, columns string) section {
	x := section{name: name, table: audit.NewTable(table, columns), owner: owner, shift: -shift, order: order, salt: salt}
	leaf, session := "0", "session_no"
	if owner != "" {
		leaf = "r." + owner
	}
	if table == "sessions" {
		session = "no"
	}
	x.query = "SELECT " + leaf + ", " + salt + ", r." + strings.Join(x.table.Names(), ", r.") + " FROM " + table +
		" r WHERE r.tenant_id = ? AND r." + session + " = ?"
	return x
}

// sectionNamed returns the place of a section.
func sectionNamed(name string) int {
	for i := range sections {
		if sections[i].name == name {
			return i
		}
	}
	panic("db: no section " + name)
}

// condition restricts the rows of a section; the empty one restricts nothing.
type condition struct {
	sql  string
	args []any
}

// among is the condition of some leaves, nil for all.
func (x *section) among(leaves []int) condition {
	if leaves == nil || x.owner == "" {
		return condition{}
	}
	values := make([]any, len(leaves))
	for i, leaf := range leaves {
		values[i] = leaf - x.shift
	}
	list, more := sqldb.InList(values)
	return condition{" AND r." + x.owner + " IN " + list, more}
}

// parts are the conditions that divide a section of so many leaves. The first and the last have no bound outwards: they
// find the rows that should not be there.
func (x *section) parts(size, most int) (out []condition) {
	if x.owner == "" || size <= most {
		return []condition{{}}
	}
	for from := 0; from < size; from += most {
		var c condition
		if from > 0 {
			c.sql, c.args = " AND r."+x.owner+" >= ?", []any{from - x.shift}
		}
		if from+most < size {
			c.sql, c.args = c.sql+" AND r."+x.owner+" < ?", append(c.args, from+most-x.shift)
		}
		out = append(out, c)
	}
	return out
}

// leaves calls each with the digest of every leaf that has rows that meet a condition, in order.
func (x *section) leaves(t *sqldb.Tx, tenant string, no int, of condition, each func(leaf int, digest audit.Hash) error) error {
	query, args := x.query+of.sql, append([]any{tenant, no}, of.args...)
	if x.owner != "" && x.owner != x.order {
		query += " ORDER BY r." + x.owner + ", r." + x.order
	} else {
		query += " ORDER BY r." + x.order
	}
	var rows []audit.Hash
	current := -1
	flush := func() error {
		if current < 0 {
			return nil
		}
		return each(current, audit.LeafDigest(rows))
	}
	err := x.rows(t, query, args, func(leaf int, digest audit.Hash) error {
		if leaf != current {
			if err := flush(); err != nil {
				return err
			}
			current, rows = leaf, rows[:0]
		}
		rows = append(rows, digest)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// rows calls each with the digest of each row that a query finds.
func (x *section) rows(t *sqldb.Tx, query string, args []any, each func(leaf int, digest audit.Hash) error) error {
	values := make([]any, len(x.table.Columns))
	var leaf int
	var salt, buffer []byte
	fields := []any{&leaf, &salt}
	for i := range values {
		fields = append(fields, &values[i])
	}
	return t.Each(query, args, func(r sqldb.Scanner) error {
		if err := r.Scan(fields...); err != nil {
			return err
		}
		return each(leaf+x.shift, x.table.RowDigest(salt, values, &buffer))
	})
}
