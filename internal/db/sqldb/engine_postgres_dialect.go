package sqldb

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// dialect translates what SQLite says otherwise.
type dialect struct {
	rules     []rule
	rewritten sync.Map // query → query
}

type rule struct {
	from *regexp.Regexp
	to   string
}

// newDialect returns the dialect of PostgreSQL for a schema. A list of pairs becomes a list of rows, so that its
// parameters take the types of what they are compared with; json_path and words_query are functions of the baseline.
func newDialect(schema *Schema) *dialect {
	rules := []rule{
		// rows of search tables name their tenant on PostgreSQL
		{regexp.MustCompile(`\b(\w+_search) CROSS JOIN (\w+ (\w)) ON\b`),
			"$1 JOIN $2 ON $1.tenant_id = $3.tenant_id AND"},
		{regexp.MustCompile(`\bCROSS JOIN\b`), "JOIN"},
	}
	for _, index := range schema.Ranged { // written as a function, the condition does not use the index
		rules = append(rules, rule{regexp.MustCompile(`\b` + index + ` MATCH \?`),
			"ts_match_vq(" + index + ".words, words_query(?))"})
	}
	return &dialect{rules: append(rules,
		rule{regexp.MustCompile(`\b(\w+) MATCH (\?|\w\.\w+)`), "$1.words @@ words_query($2)"},
		rule{regexp.MustCompile(`\bIN \(VALUES \(\?, \?\)`), "IN ((?, ?)"},
		rule{regexp.MustCompile(`\bx'([0-9a-f]*)'`), `'\x$1'::bytea`},
		rule{regexp.MustCompile(`(\w+(?:\.\w+)?) ->> '\$\.([\w.]+)'`), "json_path($1, '$2')"},
		rule{regexp.MustCompile(`(\w+(?:\.\w+)?) ->> '(\w+)'`), "json_path($1, '$2')"},
		rule{regexp.MustCompile(`CAST\((\w+) AS TEXT\) ->> '\$\.([\w.]+)'`),
			"json_path(convert_from($1, 'UTF8'), '$2')"},
		rule{regexp.MustCompile(`(\w+(?:\.\w+)?) -> '\$\.([\w.]+)'`), "json_path($1, '$2')"},
		rule{regexp.MustCompile(`\bjson_object\(`), "json_build_object("},
		rule{regexp.MustCompile(`([ (])\+([a-z]\.\w+)`), "$1$2"},
		rule{regexp.MustCompile(`json_extract\((\w+(?:\.\w+)?), '\$\.([\w.]+)'\)`), "json_path($1, '$2')"},
	)}
}

// rewrite translates a query and numbers its parameters.
func (d *dialect) rewrite(query string) string {
	if known, ok := d.rewritten.Load(query); ok {
		return known.(string) //nolint:forcetypeassert // nothing else is stored
	}
	out := query
	for _, r := range d.rules {
		out = r.from.ReplaceAllString(out, r.to)
	}
	out = numbered(out)
	d.rewritten.Store(query, out)
	return out
}

func (engine *postgresEngine) rewrite(query string) string { return engine.dialect.rewrite(query) }

// PostgresDialect returns a function that translates a statement as a database with the schema does.
func PostgresDialect(schema *Schema) func(query string) string { return newDialect(schema).rewrite }

// numbered replaces ? and ?N outside of quotes by $N, as SQLite numbers them: a ? has the number after the highest
// before it.
func numbered(query string) string {
	var b strings.Builder
	last := 0
	for i := 0; i < len(query); i++ {
		switch c := query[i]; c {
		case '\'', '"':
			end := strings.IndexByte(query[i+1:], c)
			if end < 0 {
				b.WriteString(query[i:])
				return b.String()
			}
			b.WriteString(query[i : i+end+2])
			i += end + 1
		case '?':
			end := i + 1
			for end < len(query) && query[end] >= '0' && query[end] <= '9' {
				end++
			}
			n := last + 1
			if end > i+1 {
				n, _ = strconv.Atoi(query[i+1 : end]) // digits only
			}
			last = max(last, n)
			b.WriteByte('$')
			b.WriteString(strconv.Itoa(n))
			i = end - 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// args returns the values with numbers for booleans, which SQLite stores as such. A text with a NUL cannot be stored,
// so one that is looked up (reads) must find nothing: it gets a replacement character in its place.
func (engine *postgresEngine) args(values []any, reads bool) []any {
	out := values
	for i, v := range values {
		var instead any
		switch v := v.(type) {
		case bool:
			instead = int64(0)
			if v {
				instead = int64(1)
			}
		case string:
			if !reads || engine.Storable(v) {
				continue
			}
			instead = strings.ReplaceAll(v, "\x00", "\uFFFD")
		default:
			continue
		}
		if &out[0] == &values[0] {
			out = slices.Clone(values)
		}
		out[i] = instead
	}
	return out
}

func (*postgresEngine) Lateral() bool { return true }

func (*postgresEngine) searchNamesTenant() bool { return true }

func (*postgresEngine) GenericPlan(t *Tx) error {
	return t.Row("SELECT set_config('plan_cache_mode', 'force_generic_plan', true)", nil, new(string))
}

// SearchTenant keeps the planner from the index of tenants (tenant_id || ”): the words name the tenant already, and
// that index would be read for all rows of the tenant.
func (*postgresEngine) SearchTenant() string { return "tenant_id || '' = ?" }

func (*postgresEngine) SkipLocked() string { return " FOR UPDATE OF j SKIP LOCKED" }

func (*postgresEngine) Storable(text string) bool { return strings.IndexByte(text, 0) < 0 }

func (*postgresEngine) tableOptions() string { return "" }
