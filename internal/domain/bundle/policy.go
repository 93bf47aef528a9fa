package bundle

import (
	"bytes"
	"encoding/json"

	"sanad/internal/domain"
)

// The sampling strategies for SQL results with too many rows (rule B-7).
const (
	FirstOnly = "first_only" // the first N
	FirstLast = "first_last" // the first ⌈N/2⌉ and the last ⌊N/2⌋
	Stride    = "stride"     // every K-th, K = ⌈total / N⌉
)

// Policy holds the limits of a bundle. Its JSON names are those of rule B-2; fields that the JSON omits have their
// defaults.
type Policy struct {
	MaxItems         int    `json:"max_items"`
	MaxTotalBytes    int    `json:"max_total_bytes"`
	MaxItemBytes     int    `json:"max_item_bytes"`
	MaxSQLRows       int    `json:"max_sql_rows"`
	MaxSQLCols       int    `json:"max_sql_cols"`
	SamplingStrategy string `json:"sampling_strategy"`
	ChunkSize        int    `json:"chunk_size"`
	ChunkOverlap     int    `json:"chunk_overlap"`
	EnableRedaction  bool   `json:"enable_redaction"`
}

// DefaultPolicy returns the defaults of rule B-2.
func DefaultPolicy() Policy {
	return Policy{MaxItems: 50, MaxTotalBytes: 100_000, MaxItemBytes: 10_000, MaxSQLRows: 100, MaxSQLCols: 20,
		SamplingStrategy: FirstLast, ChunkSize: 5_000, ChunkOverlap: 200}
}

// UnmarshalJSON sets the fields that data has, and leaves the others at their defaults.
func (p *Policy) UnmarshalJSON(data []byte) error {
	type plain Policy
	read := plain(DefaultPolicy())
	if !bytes.Equal(data, []byte("null")) {
		if err := json.Unmarshal(data, &read); err != nil {
			return err
		}
	}
	*p = Policy(read)
	return nil
}

// The largest values that a policy may ask for. They are not in the rule book: they keep one request from exhausting
// the machine.
const (
	mostItems = 100_000
	mostBytes = 64 << 20
	mostRows  = 1_000_000
	mostCols  = 10_000
	minChunk  = 4 // the longest code point
)

// Validate returns the first field that is out of its range, as Invalid.
func (p Policy) Validate() error {
	for _, f := range []struct {
		name              string
		value, least, top int
	}{
		{name: "max_items", value: p.MaxItems, least: 1, top: mostItems},
		{name: "max_total_bytes", value: p.MaxTotalBytes, least: 1, top: mostBytes},
		{name: "max_item_bytes", value: p.MaxItemBytes, least: 1, top: mostBytes},
		{name: "max_sql_rows", value: p.MaxSQLRows, least: 1, top: mostRows},
		{name: "max_sql_cols", value: p.MaxSQLCols, least: 1, top: mostCols},
		{name: "chunk_size", value: p.ChunkSize, least: minChunk, top: mostBytes},
		{name: "chunk_overlap", value: p.ChunkOverlap, top: p.ChunkSize - 1},
	} {
		if f.value < f.least || f.value > f.top {
			return domain.Refuse(domain.Invalid, "policy."+f.name, "refused_goes", "N", f.value, "Most", f.least,
				"All", f.top)
		}
	}
	switch p.SamplingStrategy {
	case FirstOnly, FirstLast, Stride:
		return nil
	}
	return domain.Refuse(domain.Invalid, "policy.sampling_strategy", "refused_this_is_none", "Name", FirstOnly,
		"Other", FirstLast, "Field", Stride)
}
