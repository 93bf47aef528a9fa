package bundle

import (
	"math"

	"sanad/internal/domain"
)

// BuildVersion names the rules that new bundles are built by. The bundle id depends on it.
const BuildVersion = "2.2"

// rules are what versions of the builder do differently (rule B-17). A version that was released never changes.
type rules struct {
	version  string
	ownIDs   bool  // other content under an id that is taken gets an id of its own; in 2.0 it was a duplicate
	rowLimit limit // what max_sql_rows bounds
	partial  bool  // an item that shows a part of its rows or columns says so in its bounding; before, in its sampling only
	wireHTTP bool  // HTTP responses are read as they went over the wire too
}

// limit says of what max_sql_rows bounds the rows.
type limit int

const (
	rowsOfItem limit = iota
	rowsOfBundle
	rowsOfResult // over all items that it becomes
)

// versions has one entry for each version, the oldest first.
var versions = []rules{
	{version: "2.0"},
	{version: "2.1", ownIDs: true, rowLimit: rowsOfBundle},
	{version: BuildVersion, ownIDs: true, rowLimit: rowsOfResult, partial: true, wireHTTP: true},
}

// rulesOf returns the rules of a version that a bundle names.
func rulesOf(version string) (rules, error) {
	for _, r := range versions {
		if r.version == version {
			return r, nil
		}
	}
	return rules{}, domain.Refuse(domain.Invalid, "build_version", "refused_program_builds_rules", "Name",
		versions[0].version, "Other", BuildVersion)
}

// uniqueID returns the id that begins with base for an artifact with this SHA-256: base itself for the first artifact
// that takes it, base~H for another, H being the first 8 hex digits of its SHA-256, or more of them where 8 do not tell
// two artifacts apart (rule B-4).
func (b *builder) uniqueID(base, sum string) string {
	id := base
	for n := 8; b.rules.ownIDs && n <= len(sum); n += 8 {
		first, taken := b.owners[id]
		if !taken {
			b.owners[id] = sum
		}
		if !taken || first == sum {
			return id
		}
		id = base + "~" + sum[:n]
	}
	return id
}

// rowsLeft returns how many rows the next SQL result may show in all its items.
func (b *builder) rowsLeft() int {
	switch b.rules.rowLimit {
	case rowsOfBundle:
		return max(0, b.out.Policy.MaxSQLRows-b.rows)
	case rowsOfResult:
		return b.out.Policy.MaxSQLRows
	}
	return math.MaxInt
}
