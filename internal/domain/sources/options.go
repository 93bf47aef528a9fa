package sources

import (
	"reflect"

	"sanad/internal/domain"
)

// Order is what sources are ordered by.
type Order string

// The three orders (rule S-4).
const (
	ByScore Order = "score" // the highest first
	ByRank  Order = "rank"  // the lowest first
	ByInput Order = "input" // input order
)

// Options controls packing; absent fields have their defaults (rule S-2).
type Options struct {
	MaxSources          *int     `json:"max_sources"` // 6; 0 means none
	PreferChunkSnippets *bool    `json:"prefer_chunk_snippets"`
	MaxSnippetChars     *int     `json:"max_snippet_chars"`     // 360, the ellipsis included; 0 means no snippets
	SnippetsPerSource   *int     `json:"snippets_per_source"`   // 1; more fill Item.Snippets
	IncludeMetadataKeys []string `json:"include_metadata_keys"` // exactly these; nil for the safe subset
	ExcludeMetadataKeys []string `json:"exclude_metadata_keys"` // removed from either
	OrderBy             Order    `json:"order_by"`              // ByScore
	Debug               bool     `json:"debug"`
}

// IsOption reports whether a member of JSON has the name of an option.
func IsOption(name string) bool {
	t := reflect.TypeFor[Options]()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("json") == name {
			return true
		}
	}
	return false
}

// The defaults (rule S-2).
const (
	DefaultSources      = 6
	DefaultSnippetChars = 360
	DefaultSnippets     = 1
)

// Limits on every source, whatever the options ask for (rule S-7).
const (
	MaxSnippetChars = 10_000 // a larger limit works like this one
	MaxSnippets     = 20     // of one source; a larger limit works like this one
	MaxTitle        = 500    // a longer title is cut as snippets are
	MaxURL          = 4_096  // a longer address is left out
)

// settings is Options with the defaults filled in.
type settings struct {
	sources, chars, each int
	preferChunks         bool
	order                Order
	metadata             filter
}

func (o *Options) settings() settings {
	s := settings{
		sources:      or(o.MaxSources, DefaultSources),
		chars:        min(or(o.MaxSnippetChars, DefaultSnippetChars), MaxSnippetChars),
		each:         min(or(o.SnippetsPerSource, DefaultSnippets), MaxSnippets),
		preferChunks: or(o.PreferChunkSnippets, true),
		order:        o.OrderBy, metadata: newFilter(o.IncludeMetadataKeys, o.ExcludeMetadataKeys),
	}
	if s.order == "" {
		s.order = ByScore
	}
	return s
}

// or returns *p, or the default if p is nil.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// Check returns an error if Pack returns an empty list whatever else the candidates say: an option out of range, or a
// candidate without an id. Missing optional data is never an error.
func Check(candidates []Candidate, o Options) error {
	switch {
	case or(o.MaxSources, 0) < 0:
		return domain.Refuse(domain.Invalid, "options.max_sources", "refused_least_zero")
	case or(o.MaxSnippetChars, 0) < 0:
		return domain.Refuse(domain.Invalid, "options.max_snippet_chars", "refused_least_zero")
	case or(o.SnippetsPerSource, 1) < 1:
		return domain.Refuse(domain.Invalid, "options.snippets_per_source", "refused_least_one")
	case o.OrderBy != "" && o.OrderBy != ByScore && o.OrderBy != ByRank && o.OrderBy != ByInput:
		return domain.Refuse(domain.Invalid, "options.order_by", "refused_score_rank_input")
	}
	for i := range candidates {
		if candidates[i].ItemID == "" {
			return domain.Refuse(domain.Invalid, candidatePath(i), "refused_id_document_source")
		}
	}
	return nil
}
